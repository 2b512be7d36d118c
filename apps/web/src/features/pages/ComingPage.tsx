import { Button } from '@mantine/core';
import { useRoute } from '#/lib/location.ts';
import { useSession } from '#/lib/session.ts';
import { NotYet } from '#/ui/NotYet.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { comingPages } from './coming.ts';
import classes from './pages.module.css';

/** A page that the menu or an address names and that is not built yet. */
export function ComingPage() {
  const name = useRoute()?.route.name;
  const session = useSession();
  const { title, text } = (name && comingPages[name]) ?? { title: 'Not here yet', text: 'This part of Sheaf is still to come.' };
  return (
    <div className={classes.middle}>
      <NotYet
        title={title}
        text={text}
        actions={
          <Button component={PathLink} href={session ? '/account/mysheaf' : '/'}>
            {session ? 'Go to my links' : 'Go to the start page'}
          </Button>
        }
      />
    </div>
  );
}
