import classes from './dialogs.module.css';

/** Spinner; `label` says what is being loaded. */
export function BusyImage({ label }: { label: string }) {
  return (
    <div className={classes.busy} role="status">
      <span className={classes.spinner} role="img" aria-label="Busy" />
      {label}
    </div>
  );
}
