import type { CopyKind } from '@sheaf/contract';
import { shortHash } from '#/lib/short-hash.ts';

/** Items to paste: their addresses only, and whether pasting copies or moves them. */
export interface Clipping {
  readonly kind: CopyKind;
  readonly linkUris: readonly string[];
}

const place = 'sheaf-clipboard';

/** Items that were copied or cut, for all tabs of this browser in which the same account is signed in. */
export function createClipboard(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>) {
  const listeners = new Set<() => void>();
  let text: string | null = null;
  let kept: { readonly owner: string; readonly clipping: Clipping } | undefined;
  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  return {
    /** What the account has copied or cut. */
    of(account: string): Clipping | undefined {
      const now = storage.getItem(place);
      if (now !== text) {
        text = now;
        kept = now === null ? undefined : read(now);
      }
      return kept?.owner === shortHash(account) ? kept.clipping : undefined;
    },
    put(account: string, { kind, linkUris }: Clipping): void {
      storage.setItem(place, JSON.stringify({ owner: shortHash(account), kind, linkUris }));
      tell();
    },
    clear(): void {
      storage.removeItem(place);
      tell();
    },
    /** Tells of a change by another tab. */
    changed: (key: string | null): void => {
      if (key === null || key === place) tell();
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function read(text: string): { owner: string; clipping: Clipping } | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    // Ignores an invalid value under this key.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  if (typeof parsed !== 'object' || parsed === null) return undefined;
  const { owner, kind, linkUris } = parsed as Partial<Record<string, unknown>>;
  if (typeof owner !== 'string' || (kind !== 'copy' && kind !== 'move') || !Array.isArray(linkUris)) return undefined;
  const uris = linkUris.filter((one): one is string => typeof one === 'string');
  return uris.length === 0 ? undefined : { owner, clipping: { kind, linkUris: uris } };
}
