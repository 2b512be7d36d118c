import { Button } from '@mantine/core';
import { IconGift } from '@tabler/icons-react';
import { EmptyState } from '#/ui/feedback/StatePanel.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import classes from './purchase.module.css';

/** Replaces every page of the shop where billing is off. */
export function Included() {
  return (
    <div className={classes.middle}>
      <EmptyState
        icon={<IconGift size={24} stroke={1.5} />}
        title="Everything is included"
        actions={
          <Button component={PathLink} href="/account/mysheaf">
            Go to my links
          </Button>
        }
      >
        On this installation nothing is sold: Spaces, Backup and Encryption are there for everyone.
      </EmptyState>
    </div>
  );
}
