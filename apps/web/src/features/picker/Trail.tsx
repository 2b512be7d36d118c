import { IconChevronRight } from '@tabler/icons-react';
import type { Step } from './location.ts';
import classes from './picker.module.css';

type Props = {
  steps: readonly Step[];
  onGo: (steps: readonly Step[]) => void;
  /** Begins with the link: the list of links is shown beside it. */
  withoutTop?: boolean;
};

/** Breadcrumb of the picker; before a folder is open it says what to do. */
export function Trail({ steps, onGo, withoutTop = false }: Props) {
  if (steps.length === 0) return <span className={classes.here}>SELECT FOLDER</span>;
  return (
    <nav className={classes.trail} aria-label="Breadcrumb">
      {!withoutTop && (
        <button type="button" onClick={() => onGo([])}>
          My links
        </button>
      )}
      {steps.map(({ name, linkUri }, index) => (
        <span key={linkUri}>
          {(index > 0 || !withoutTop) && <IconChevronRight size={14} stroke={1.75} aria-hidden="true" />}
          {index === steps.length - 1 ? (
            <b aria-current="location">{name}</b>
          ) : (
            <button type="button" onClick={() => onGo(steps.slice(0, index + 1))}>
              {name}
            </button>
          )}
        </span>
      ))}
    </nav>
  );
}
