import { Button, TextInput } from '@mantine/core';
import { IconFilter, IconSearch } from '@tabler/icons-react';
import type { Finder } from './use-finder.ts';
import classes from './vault.module.css';

/** Field that filters a folder; once it has text, a button searches the folders below. */
export function FinderTools({ finder: { filter, sought, isFiltered, setFilter, seek } }: { finder: Finder }) {
  return (
    <>
      <TextInput
        className={classes.filter}
        aria-label="Filter this folder"
        placeholder="Filter this folder"
        leftSection={<IconFilter size={16} stroke={1.75} />}
        value={filter}
        onChange={(event) => setFilter(event.currentTarget.value)}
      />
      {isFiltered && sought === undefined && (
        <Button leftSection={<IconSearch size={16} stroke={1.75} />} onClick={seek}>
          Look in folders below
        </Button>
      )}
    </>
  );
}
