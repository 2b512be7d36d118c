import { Button } from '@mantine/core';
import { IconArrowRight, IconDeviceDesktopOff } from '@tabler/icons-react';
import { useHere } from '#/lib/navigation/location.ts';
import { useRoute } from '#/lib/navigation/route.ts';
import { EmptyState } from '#/ui/feedback/StatePanel.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import classes from './pages.module.css';

/** Shown at addresses that the server answers itself, when the app navigated there without loading, or the server had nothing to send. */
export function ServerPage() {
  const isDownload = useRoute()?.route.name === 'downloadDesktop';
  const here = useHere();
  return (
    <div className={classes.middle}>
      {isDownload ? (
        <EmptyState
          icon={<IconDeviceDesktopOff size={26} stroke={1.5} />}
          title="There is no client to download here"
          actions={
            <Button component={PathLink} href="/forum">
              Help
            </Button>
          }
        >
          This installation was built without it. Its operator can tell you where to get one.
        </EmptyState>
      ) : (
        <EmptyState
          icon={<IconArrowRight size={26} stroke={1.5} />}
          title="On to the provider"
          actions={
            <Button variant="filled" component="a" href={here}>
              Continue
            </Button>
          }
        >
          You sign in at the provider and let Sheaf in; then you come back here.
        </EmptyState>
      )}
    </div>
  );
}
