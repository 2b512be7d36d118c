import { isFullScreen } from '@sheaf/contract';
import { Outlet } from '@tanstack/react-router';
import { LateFailure } from '#/lib/late.tsx';
import { useHere, useRoute } from '#/lib/location.ts';
import { useSession } from '#/lib/session/session.ts';
import { Frame, PublicFrame } from './frame/late-frames.ts';
import { QueryPopovers } from './frame/visitors/QueryPopovers.tsx';
import { MissingScript } from './screens/MissingScript.tsx';

/** Frame of every screen: with bar and menu, with the visitors' bar, or without either. */
export function Root() {
  const route = useRoute()?.route;
  const isWhole = isFullScreen(new URL(useHere(), location.origin).pathname);
  const session = useSession();
  const isBare = route?.bare === true;
  if (isWhole || isBare) {
    return (
      <LateFailure value={MissingScript}>
        <main>
          <Outlet />
          {!isBare && <QueryPopovers />}
        </main>
      </LateFailure>
    );
  }
  return (
    <LateFailure value={MissingScript}>
      {session ? <Frame session={session} /> : <PublicFrame />}
      <QueryPopovers />
    </LateFailure>
  );
}
