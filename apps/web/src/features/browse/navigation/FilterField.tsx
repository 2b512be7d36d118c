import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconFilter, IconX } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import type { ListingState } from '#/features/browse/listing/listing.ts';
import { IconButton } from '#/ui/IconButton.tsx';
import classes from './Toolbar.module.css';

type Props = { filter: string; onFilter: (filter: string) => void; state: ListingState };

/** Filters the folder by name, and shows the number of matches. */
export function FilterField({ filter, onFilter, state }: Props) {
  const [typed, setTyped] = useState(filter);
  const [asked, setAsked] = useState(filter);
  const [seen, setSeen] = useState(filter);
  if (filter !== seen) {
    setSeen(filter);
    // The address was changed by a button or by going back, not by typing here.
    if (filter !== asked) {
      setTyped(filter);
      setAsked(filter);
    }
  }
  const ask = (value: string): void => {
    setAsked(value);
    onFilter(value);
  };
  const later = useDebouncedCallback(ask, 200);
  const change = (value: string): void => {
    setTyped(value);
    later(value);
  };
  const field = useRef<HTMLInputElement>(null);
  const { count, unfiltered } = state;
  return (
    <>
      {filter !== '' && unfiltered !== undefined && (
        <span className={classes.counted} role="status">
          {count} of {unfiltered}
        </span>
      )}
      <TextInput
        ref={field}
        className={classes.filter}
        size="sm"
        aria-label="Filter this folder"
        placeholder="Filter this folder"
        value={typed}
        leftSection={<IconFilter size={16} stroke={1.75} />}
        leftSectionPointerEvents="none"
        rightSection={
          typed !== '' && (
            <IconButton
              small
              label="Clear the filter"
              onClick={() => {
                later.cancel();
                setTyped('');
                ask('');
                field.current?.focus();
              }}
            >
              <IconX size={14} stroke={2} />
            </IconButton>
          )
        }
        onChange={(event) => change(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') change('');
        }}
      />
    </>
  );
}
