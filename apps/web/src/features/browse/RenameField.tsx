import { type Item, splitExtension } from '@sheaf/contract';
import { useEffect, useRef } from 'react';
import classes from './FileList.module.css';

type Props = {
  item: Item;
  /** Without a name nothing changes; `isLeft`: the focus has gone elsewhere by itself. */
  onEnd: (name: string | undefined, isLeft: boolean) => void;
};

/** Replaces a name by a field, the stem selected. Enter and leaving it take the name, Escape does not. */
export function RenameField({ item, onEnd }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const ended = useRef(false);
  useEffect(() => {
    const stem = item.fileType === 'FOLDER' ? item.name : splitExtension(item.name).stem;
    field.current?.focus();
    field.current?.setSelectionRange(0, stem.length);
  }, [item.fileType, item.name]);
  const end = (name: string | undefined, isLeft = false): void => {
    if (ended.current) return;
    ended.current = true;
    onEnd(name, isLeft);
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
      onBlur={({ currentTarget, relatedTarget }) =>
        end(currentTarget.value, relatedTarget instanceof HTMLElement && relatedTarget.tabIndex >= 0)
      }
      onKeyDown={(event) => {
        event.stopPropagation();
        // Enter and Escape end what an input method composes first.
        if (event.nativeEvent.isComposing) return;
        if (event.key === 'Enter') end(event.currentTarget.value);
        if (event.key === 'Escape') end(undefined);
      }}
    />
  );
}
