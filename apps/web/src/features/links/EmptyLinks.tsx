import { ButtonPath } from '#/ui/button/Button.tsx';
import unseen from '#/ui/unseen.module.css';
import classes from './picker/picker.module.css';

/** My links without any link; the types to start with follow it. */
export function EmptyLinks() {
  return (
    <div className={classes.hero}>
      <h1 className={unseen.unseen}>My links</h1>
      <h2>You have not linked any storage yet.</h2>
      <p>Choose where your files are. They stay where they are.</p>
      <ButtonPath href="/links" variant="filled" className={classes.begin}>
        Link storage
      </ButtonPath>
    </div>
  );
}
