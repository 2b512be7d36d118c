import { Outlet } from '@tanstack/react-router';
import { useRoute } from '#/lib/location.ts';
import { useSession } from '#/lib/session.ts';
import { Frame } from './frame/Frame.tsx';
import { PublicFrame } from './frame/PublicFrame.tsx';

/** Every screen: with bar and menu, with the visitors' bar, or with neither. */
export function Root() {
  const route = useRoute()?.route;
  const session = useSession();
  if (route?.fullScreen === true || route?.bare === true) {
    return (
      <main>
        <Outlet />
      </main>
    );
  }
  return session ? <Frame session={session} /> : <PublicFrame />;
}
