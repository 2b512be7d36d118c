import { type Item, splitExtension } from '@sheaf/contract';
import { useEffect, useId, useRef, useState } from 'react';
import type { Renaming } from '#/features/browse/FolderContents.tsx';
import classes from './FileList.module.css';

type Props = {
  item: Item;
  renaming: Renaming;
  /** Without a name nothing changes; `isLeft`: the focus has already moved elsewhere. */
  onEnd: (name: string | undefined, isLeft: boolean) => void;
};

/** Replaces a name by a field with the stem selected. Enter and blur accept the name; Escape and blurring an unchanged refused name do not. */
export function RenameField({ item, renaming: { refused }, onEnd }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const ended = useRef(false);
  const [isTold, setTold] = useState(refused !== undefined);
  const id = useId();
  const begin = refused?.name ?? item.name;
  useEffect(() => {
    const stem = item.fileType === 'FOLDER' ? begin : splitExtension(begin).stem;
    field.current?.focus();
    field.current?.setSelectionRange(0, stem.length);
  }, [item.fileType, begin]);
  const end = (name: string | undefined, isLeft = false): void => {
    if (ended.current) return;
    ended.current = true;
    onEnd(name, isLeft);
  };
  return (
    <span className={classes.field} onClick={(event) => event.stopPropagation()} onDoubleClick={(event) => event.stopPropagation()}>
      <input
        ref={field}
        className={classes.rename}
        aria-label="New name"
        defaultValue={begin}
        autoComplete="off"
        spellCheck={false}
        aria-invalid={isTold || undefined}
        aria-describedby={isTold ? id : undefined}
        onChange={() => setTold(false)}
        onBlur={({ currentTarget: { value }, relatedTarget }) =>
          end(value === refused?.name ? undefined : value, relatedTarget instanceof HTMLElement && relatedTarget.tabIndex >= 0)
        }
        onKeyDown={(event) => {
          event.stopPropagation();
          // Enter and Escape first end an input method's composition.
          if (event.nativeEvent.isComposing) return;
          if (event.key === 'Enter') end(event.currentTarget.value);
          if (event.key === 'Escape') end(undefined);
        }}
      />
      {isTold && (
        <span id={id} className={classes.refusal} role="alert">
          {refused?.reason}
        </span>
      )}
    </span>
  );
}
