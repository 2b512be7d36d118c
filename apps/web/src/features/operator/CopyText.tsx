import { CopyButton } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { IconButton } from '#/ui/IconButton.tsx';
import classes from './operator.module.css';

/** A text to be entered elsewhere, with a button that copies it. */
export function CopyText({ text, label }: { text: string; label: string }) {
  return (
    <span className={classes.copy}>
      <code>{text}</code>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <IconButton label={copied ? 'Copied' : label} onClick={copy}>
            {copied ? <IconCheck size={16} stroke={1.75} /> : <IconCopy size={16} stroke={1.75} />}
          </IconButton>
        )}
      </CopyButton>
    </span>
  );
}
