import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import { copyText } from './copy-text.ts';
import { IconButton } from './IconButton.tsx';
import classes from './CopyText.module.css';

type Props = {
  text: string;
  /** Text of the button. */
  label: string;
  /** With a border, as in a terminal. */
  framed?: boolean;
};

/** A text with a copy button that also works without https. */
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
