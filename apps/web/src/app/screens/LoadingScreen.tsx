import { Loader } from '@mantine/core';
import classes from './Screens.module.css';

/** Shown while a screen's script is loading. */
export function LoadingScreen() {
  return (
    <div className={classes.loading} role="status">
      <Loader size={18} color="var(--accent)" aria-hidden="true" />
      Loading...
    </div>
  );
}
