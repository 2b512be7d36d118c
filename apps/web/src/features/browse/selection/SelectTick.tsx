import type { Item } from '@sheaf/contract';
import { IconCheck } from '@tabler/icons-react';
import type { FolderContentsProps } from '#/features/browse/FolderContents.tsx';
import { choose } from './selection.ts';
import classes from './SelectTick.module.css';

type Props = {
  item: Item;
  index: number;
  listed: Pick<FolderContentsProps, 'grid' | 'listing' | 'selection' | 'onSelect'>;
};

/** Selection checkbox of a card; always visible on touch screens, where a tap opens the card. */
export function SelectTick({ item: { linkUri, name }, index, listed: { grid, listing, selection, onSelect } }: Props) {
  return (
    <button
      type="button"
      tabIndex={-1}
      className={classes.tick}
      aria-label={`Select ${name}`}
      aria-pressed={selection.chosen.has(linkUri)}
      onClick={(event) => {
        event.stopPropagation();
        onSelect((now) => choose(now, index, 'toggle', listing.rowAt));
        grid.current?.focus();
      }}
      onDoubleClick={(event) => event.stopPropagation()}
    >
      <IconCheck size={14} stroke={2.5} aria-hidden="true" />
    </button>
  );
}
