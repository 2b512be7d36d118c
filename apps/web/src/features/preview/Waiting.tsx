import { Loader } from '@mantine/core';
import classes from './Preview.module.css';

/** Placeholder while the file loads. */
export function Waiting() {
  return (
    <div className={classes.centre} role="status" aria-label="Loading">
      <Loader size={28} />
    </div>
  );
}
