import { isFullScreen } from '@sheaf/contract';
import { Outlet } from '@tanstack/react-router';
import { useHere, useRoute } from '#/lib/location.ts';
import { useSession } from '#/lib/session.ts';
import { Frame } from './frame/Frame.tsx';
import { PublicFrame } from './frame/PublicFrame.tsx';
import { QueryPopovers } from './frame/QueryPopovers.tsx';

/** Every screen: with bar and menu, with the visitors' bar, or with neither. */
export function Root() {
  const route = useRoute()?.route;
  const isWhole = isFullScreen(new URL(useHere(), location.origin).pathname);
  const session = useSession();
  const isBare = route?.bare === true;
  if (isWhole || isBare) {
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
