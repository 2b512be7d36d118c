import classes from './StateDot.module.css';

const words = { ok: 'Working', unknown: 'Not checked yet', attention: 'Needs attention' } as const;

/** Status dot of a link, with tooltip and screen-reader text. */
export function StateDot({ state }: { state: keyof typeof words }) {
  return <span className={classes.dot} data-state={state} role="img" aria-label={words[state]} title={words[state]} />;
}
