import { useState } from 'react';

/** State of the filter of a folder, and of the search below it. */
export interface Finder {
  readonly filter: string;
  /** Words of the search in the folders below; undefined until the user starts it. */
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

/** Filter of the folder in view; resets when the folder changes. */
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
