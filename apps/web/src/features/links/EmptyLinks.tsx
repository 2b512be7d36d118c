import { Button } from '@mantine/core';
import { Page } from '#/ui/PageHead.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { SourceGrid } from './picker/SourceGrid.tsx';
import classes from './picker/picker.module.css';

/** My links before anything is linked: everything that can be, to begin with at once. */
export function EmptyLinks() {
  return (
    <Page>
      <SourceGrid>
        <h1>You have not linked any storage yet.</h1>
        <p>Choose where your files are. They stay where they are.</p>
        <Button component={PathLink} href="/links" variant="filled" className={classes.begin}>
          Link storage
        </Button>
      </SourceGrid>
    </Page>
  );
}
