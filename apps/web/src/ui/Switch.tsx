import classes from './Switch.module.css';

type Props = { label: string; checked: boolean; disabled?: boolean; onChange: (checked: boolean) => void };

/** A switch that takes effect at once. */
export function Switch({ label, checked, disabled = false, onChange }: Props) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={checked}
      className={classes.switch}
      disabled={disabled}
      onClick={() => onChange(!checked)}
    >
      <span className={classes.track} aria-hidden="true" />
      {label}
    </button>
  );
}
