import { IconSearch } from '@tabler/icons-react';
import classes from './SearchButton.module.css';

/** Opens the search; on narrow screens an icon. */
export function SearchButton({ onOpen }: { onOpen: () => void }) {
  return (
    <button type="button" className={classes.button} aria-label="Search every link" aria-keyshortcuts="Control+K /" onClick={onOpen}>
      <IconSearch size={18} stroke={1.75} aria-hidden="true" />
      <span className={classes.text}>Search every link</span>
      <kbd className={classes.key}>Ctrl K</kbd>
    </button>
  );
}
