import classes from './StateDot.module.css';

const words = { ok: 'Working', unknown: 'Not checked yet', attention: 'Needs attention' } as const;

/** How it is with a link, at a glance and in words for whoever points at it or has it read out. */
export function StateDot({ state }: { state: keyof typeof words }) {
  return <span className={classes.dot} data-state={state} role="img" aria-label={words[state]} title={words[state]} />;
}
