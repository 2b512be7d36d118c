import { Spinner } from '#/ui/button/Spinner.tsx';
import classes from './Preview.module.css';

/** Placeholder while the file loads. */
export function Waiting() {
  return (
    <div className={`${classes.centre} ${classes.waiting}`} role="status" aria-label="Loading">
      <Spinner size={28} />
    </div>
  );
}
