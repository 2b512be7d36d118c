import { CopyButton } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { IconButton } from '#/ui/IconButton.tsx';
import classes from './downloads.module.css';

/** A line for the terminal, with a button that copies it. */
export function Command({ text }: { text: string }) {
  return (
    <span className={classes.command}>
      <code>{text}</code>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <IconButton label={copied ? 'Copied' : 'Copy the command'} small onClick={copy}>
            {copied ? <IconCheck size={16} stroke={1.75} /> : <IconCopy size={16} stroke={1.75} />}
          </IconButton>
        )}
      </CopyButton>
    </span>
  );
}
