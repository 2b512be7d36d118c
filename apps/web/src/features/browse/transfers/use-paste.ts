import type { Item, ItemOperation, CopyKind } from '@sheaf/contract';
import { useEffect } from 'react';
import { errorText } from '#/lib/http/error-text.ts';
import { screenText } from '#/lib/http/screen-text.ts';
import { leaveWhenSignedOut } from '#/lib/query-client.ts';
import { useSameFunctions } from '#/lib/same-functions.ts';
import { useSession } from '#/lib/session/session.ts';
import { beginTransfer, checkCount } from '#/lib/transfers/begin.ts';
import type { Clipping } from '#/lib/transfers/clipboard.ts';
import { clearClipboard, useClipboard } from '#/lib/transfers/page-clipboard.ts';
import { notifyError } from '#/ui/feedback/notify.ts';

const failed = { copy: 'COPY_FAILED', move: 'MOVE_FAILED' } as const;

/** Begins a transfer; a refusal is told at the edge of the screen. Returns whether it has begun. */
export async function transferTo(kind: CopyKind, linkUris: readonly string[], parentLinkUri: string): Promise<boolean> {
  try {
    await beginTransfer({ kind, linkUris, parentLinkUri });
    return true;
  } catch (error) {
    leaveWhenSignedOut(error);
    notifyError(screenText(failed[kind], { message: errorText(error) }));
    return false;
  }
}

type Options = {
  readonly folderUri: string;
  readonly can: ReadonlySet<ItemOperation>;
  /** The selected items, or the one under the cursor. */
  readonly current: () => readonly Item[];
};

interface Paste {
  /** What can be pasted. */
  readonly clipping: Clipping | undefined;
  /** Pastes into the folder; undefined where nothing can be put. */
  readonly paste: (() => void) | undefined;
  /** Keeps the items to be pasted elsewhere. */
  readonly clip: (kind: CopyKind, items: readonly Item[]) => void;
  readonly clear: () => void;
}

/** Ctrl-C, Ctrl-X and Ctrl-V on items, across the tabs of the browser. */
export function usePaste({ folderUri, can, current }: Options): Paste {
  const [clipping, put] = useClipboard(useSession()?.loginAccount ?? '');
  const take = (kind: CopyKind, items = current()): boolean => {
    if (items.length === 0 || !can.has('read') || (kind === 'move' && !can.has('remove'))) return false;
    const linkUris = items.map(({ linkUri }) => linkUri);
    try {
      checkCount(linkUris);
    } catch (error) {
      notifyError(errorText(error));
      return true;
    }
    put({ kind, linkUris });
    return true;
  };
  const paste =
    clipping && can.has('write')
      ? (): void => {
          // What was cut can be pasted once.
          if (clipping.kind === 'move') clearClipboard();
          void transferTo(clipping.kind, clipping.linkUris, folderUri).then((hasBegun) => {
            if (!hasBegun && clipping.kind === 'move') put(clipping);
          });
        }
      : undefined;
  const commands = useSameFunctions({
    c: () => take('copy'),
    x: () => take('move'),
    v: () => {
      paste?.();
      return paste !== undefined;
    },
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const command = Object.hasOwn(commands, event.key.toLowerCase())
        ? commands[event.key.toLowerCase() as keyof typeof commands]
        : undefined;
      if (!command || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || isElsewhere(event)) return;
      if (command()) event.preventDefault();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [commands]);
  return { clipping, paste, clip: (kind, items) => void take(kind, items), clear: clearClipboard };
}

/** Whether the keys belong to something else: a text field, a dialog or menu, or selected text. */
function isElsewhere({ target, key, defaultPrevented }: KeyboardEvent): boolean {
  if (defaultPrevented || !(target instanceof Element)) return true;
  if (target.closest('input:not([type=checkbox]), textarea, select, [contenteditable], [role=dialog], [role=menu]')) return true;
  if (document.querySelector('[role=dialog]')) return true;
  return key.toLowerCase() !== 'v' && getSelection()?.isCollapsed === false;
}
