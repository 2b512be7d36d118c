import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import { copyText } from '#/ui/copy-text.ts';
import { IconButton } from '#/ui/IconButton.tsx';
import classes from './programs.module.css';

/** A value to copy, with its name. */
export function Value({ name, text }: { name: string; text: string }) {
  const [isCopied, setCopied] = useState(false);
  return (
    <div className={classes.value}>
      <dt>{name}</dt>
      <dd>
        <code>{text}</code>
        <IconButton
          label={isCopied ? 'Copied' : `Copy: ${name}`}
          small
          onClick={() => {
            copyText(text).then(setCopied, () => setCopied(false));
          }}
          onBlur={() => setCopied(false)}
        >
          {isCopied ? <IconCheck size={16} stroke={1.75} /> : <IconCopy size={16} stroke={1.75} />}
        </IconButton>
      </dd>
    </div>
  );
}
