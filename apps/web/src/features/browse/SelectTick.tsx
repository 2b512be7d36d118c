import { IconCheck } from '@tabler/icons-react';
import classes from './SelectTick.module.css';

type Props = {
  /** What the item is called. */
  name: string;
  isChosen: boolean;
  onToggle: () => void;
};

/** The tick in the corner of an item: chooses it, or no longer. A finger always sees it, as its tap on the item opens. */
export function SelectTick({ name, isChosen, onToggle }: Props) {
  return (
    <button
      type="button"
      tabIndex={-1}
      className={classes.tick}
      aria-label={`Select ${name}`}
      aria-pressed={isChosen}
      onClick={(event) => {
        event.stopPropagation();
        onToggle();
      }}
      onDoubleClick={(event) => event.stopPropagation()}
    >
      <IconCheck size={14} stroke={2.5} aria-hidden="true" />
    </button>
  );
}
