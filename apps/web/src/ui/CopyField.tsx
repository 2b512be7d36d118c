import { TextInput } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import { copyText } from './copy-text.ts';
import classes from './CopyField.module.css';

/** A read-only text in a field that selects all of it, with a copy button. */
export function CopyField({ label, text }: { label: string; text: string }) {
  const [isCopied, setCopied] = useState(false);
  return (
    <TextInput
      label={label}
      value={text}
      readOnly
      autoFocus
      classNames={{ label: classes.label ?? '', input: classes.input ?? '', section: classes.section ?? '' }}
      onFocus={({ currentTarget }) => {
        currentTarget.select();
        // Scrolls to the beginning, which shows where it leads.
        requestAnimationFrame(() => currentTarget.scrollTo(0, 0));
      }}
      rightSection={
        <button
          type="button"
          className={classes.copy}
          onClick={() => {
            copyText(text).then(setCopied, () => setCopied(false));
          }}
        >
          {isCopied ? <IconCheck size={16} stroke={1.75} aria-hidden="true" /> : <IconCopy size={16} stroke={1.75} aria-hidden="true" />}
          <span aria-live="polite">{isCopied ? 'Copied' : 'Copy'}</span>
        </button>
      }
    />
  );
}
