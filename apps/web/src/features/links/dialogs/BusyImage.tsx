import classes from './dialogs.module.css';

/** Turns while something is being loaded; `label` says what. */
export function BusyImage({ label }: { label: string }) {
  return (
    <div className={classes.busy} role="status">
      <span className={classes.spinner} role="img" aria-label="Busy" />
      {label}
    </div>
  );
}
