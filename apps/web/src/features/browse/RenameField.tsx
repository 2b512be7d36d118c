import { type Item, splitExtension } from '@sheaf/contract';
import { useEffect, useRef } from 'react';
import classes from './FileList.module.css';

/** Replaces a name by a field, the stem selected. Enter and leaving it take the name, Escape does not. */
export function RenameField({ item, onEnd }: { item: Item; onEnd: (name: string | undefined) => void }) {
  const field = useRef<HTMLInputElement>(null);
  const ended = useRef(false);
  useEffect(() => {
    const stem = item.fileType === 'FOLDER' ? item.name : splitExtension(item.name).stem;
    field.current?.focus();
    field.current?.setSelectionRange(0, stem.length);
  }, [item.fileType, item.name]);
  const end = (name: string | undefined): void => {
    if (ended.current) return;
    ended.current = true;
    onEnd(name);
  };
  return (
    <input
      ref={field}
      className={classes.rename}
      aria-label="New name"
      defaultValue={item.name}
      autoComplete="off"
      spellCheck={false}
      onClick={(event) => event.stopPropagation()}
      onDoubleClick={(event) => event.stopPropagation()}
      onBlur={(event) => end(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') end(event.currentTarget.value);
        if (event.key === 'Escape') end(undefined);
        event.stopPropagation();
      }}
    />
  );
}
