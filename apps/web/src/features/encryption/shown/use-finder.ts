import { useState } from 'react';

/** What was typed to find something in a folder, or below it. */
export interface Finder {
  readonly filter: string;
  /** Words that are looked for in the folders below, once they were asked for. */
  readonly sought: string | undefined;
  readonly isFiltered: boolean;
  readonly matches: (item: { readonly name: string }) => boolean;
  readonly setFilter: (filter: string) => void;
  readonly seek: () => void;
  readonly endSearch: () => void;
}

interface Typed {
  readonly folder: string | undefined;
  readonly filter: string;
  readonly sought?: string;
}

/** The filter of a folder in view. Another folder is shown without what was typed in this one. */
export function useFinder(folder: string | undefined): Finder {
  const [typed, setTyped] = useState<Typed>({ folder, filter: '' });
  const { filter, sought }: Typed = typed.folder === folder ? typed : { folder, filter: '' };
  const words = filter.trim().toLowerCase();
  return {
    filter,
    sought,
    isFiltered: words !== '',
    matches: ({ name }) => name.toLowerCase().includes(words),
    setFilter: (next) => setTyped({ folder, filter: next }),
    seek: () => setTyped({ folder, filter, sought: filter }),
    endSearch: () => setTyped({ folder, filter }),
  };
}
