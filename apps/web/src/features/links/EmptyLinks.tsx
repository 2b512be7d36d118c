import { Button, VisuallyHidden } from '@mantine/core';
import { PathLink } from '#/ui/PathLink.tsx';
import classes from './picker/picker.module.css';

/** My links without any link; the types to start with follow it. */
export function EmptyLinks() {
  return (
    <div className={classes.hero}>
      <VisuallyHidden component="h1">My links</VisuallyHidden>
      <h2>You have not linked any storage yet.</h2>
      <p>Choose where your files are. They stay where they are.</p>
      <Button component={PathLink} href="/links" variant="filled" className={classes.begin}>
        Link storage
      </Button>
    </div>
  );
}
