import { Outlet } from '@tanstack/react-router';
import { useRoute } from '#/lib/location.ts';
import { useSession } from '#/lib/session.ts';
import { Frame } from './frame/Frame.tsx';
import { PublicFrame } from './frame/PublicFrame.tsx';
import { QueryPopovers } from './frame/QueryPopovers.tsx';

/** Every screen: with bar and menu, with the visitors' bar, or with neither. */
export function Root() {
  const route = useRoute()?.route;
  const session = useSession();
  const isBare = route?.bare === true;
  if (route?.fullScreen === true || isBare) {
    return (
      <main>
        <Outlet />
        {!isBare && <QueryPopovers />}
      </main>
    );
  }
  return (
    <>
      {session ? <Frame session={session} /> : <PublicFrame />}
      <QueryPopovers />
    </>
  );
}
