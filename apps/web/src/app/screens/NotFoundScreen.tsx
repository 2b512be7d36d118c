import { Button } from '@mantine/core';
import { IconCompassOff } from '@tabler/icons-react';
import { useSession } from '#/lib/session/session.ts';
import { EmptyState } from '#/ui/feedback/StatePanel.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import classes from './Screens.module.css';

/** Shown for every path outside the route map. */
export function NotFoundScreen() {
  const session = useSession();
  return (
    <div className={classes.whole}>
      <EmptyState
        level={1}
        icon={<IconCompassOff size={24} stroke={1.5} />}
        title="There is no page at this address"
        actions={
          <Button variant="filled" component={PathLink} href={session ? '/account/mysheaf' : '/'}>
            {session ? 'Go to my Sheaf' : 'Go to the start page'}
          </Button>
        }
      >
        It may have been moved, or the address may have been mistyped.
      </EmptyState>
    </div>
  );
}
