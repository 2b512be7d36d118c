import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import { copyText } from './copy-text.ts';
import { IconButton } from './IconButton.tsx';
import classes from './CopyText.module.css';

type Props = {
  text: string;
  /** What the button does. */
  label: string;
  /** With a line around, as in a terminal. */
  framed?: boolean;
};

/** A text to be entered elsewhere, with a button that copies it, also where the page has no https. */
export function CopyText({ text, label, framed = false }: Props) {
  const [isCopied, setCopied] = useState(false);
  return (
    <span className={classes.copy} data-framed={framed || undefined}>
      <code>{text}</code>
      <IconButton
        label={isCopied ? 'Copied' : label}
        small={framed}
        onClick={() => {
          copyText(text).then(setCopied, () => setCopied(false));
        }}
        onBlur={() => setCopied(false)}
      >
        {isCopied ? <IconCheck size={16} stroke={1.75} /> : <IconCopy size={16} stroke={1.75} />}
      </IconButton>
    </span>
  );
}
