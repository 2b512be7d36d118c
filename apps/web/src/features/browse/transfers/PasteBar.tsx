import { UnstyledButton } from '@mantine/core';
import { IconClipboard, IconX } from '@tabler/icons-react';
import type { Clipping } from '#/lib/transfers/clipboard.ts';
import classes from './transfers.module.css';

type Props = {
  clipping: Clipping;
  /** Undefined where nothing can be put. */
  onPaste: (() => void) | undefined;
  onClear: () => void;
  /** Whether the bar of the selection is below. */
  isRaised: boolean;
};

/** What was copied or cut, with Paste and Clear. */
export function PasteBar({ clipping: { kind, linkUris }, onPaste, onClear, isRaised }: Props) {
  const what = linkUris.length === 1 ? '1 item' : `${linkUris.length} items`;
  return (
    <div
      className={classes.paste}
      role="toolbar"
      aria-label="Clipboard"
      data-raised={isRaised || undefined}
      data-end-bar={isRaised ? 'high' : ''}
    >
      <IconClipboard size={16} stroke={1.75} aria-hidden="true" />
      <span role="status">
        {what} ready to {kind === 'copy' ? 'paste' : 'move'}
        {!onPaste && <small> Open a folder that takes them</small>}
      </span>
      {onPaste && (
        <UnstyledButton className={classes.do} aria-keyshortcuts="Control+V" onClick={onPaste}>
          {kind === 'copy' ? 'Paste' : 'Move here'}
        </UnstyledButton>
      )}
      <UnstyledButton className={classes.clear} aria-label="Clear" onClick={onClear}>
        <IconX size={16} stroke={1.75} />
      </UnstyledButton>
    </div>
  );
}
