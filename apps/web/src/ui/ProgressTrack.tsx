import classes from './ProgressTrack.module.css';

interface Props {
  /** What is under way. */
  label: string;
  percent: number;
  /** Places it in its row. */
  className: string | undefined;
}

/** The bar of how far something is, in a row of a list. */
export function ProgressTrack({ label, percent, className = '' }: Props) {
  return (
    <div
      className={`${classes.track} ${className}`}
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <i style={{ width: `${percent}%` }} />
    </div>
  );
}
