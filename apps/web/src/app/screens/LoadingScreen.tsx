import { Spinner } from '#/ui/button/Spinner.tsx';
import classes from './Screens.module.css';

/** Shown while a screen's script is loading. */
export function LoadingScreen() {
  return (
    <div className={classes.loading} role="status">
      <span className={classes.turning}>
        <Spinner size={18} />
      </span>
      Loading...
    </div>
  );
}
