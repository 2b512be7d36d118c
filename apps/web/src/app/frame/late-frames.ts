import { isFullScreen, matchRoute } from '@sheaf/contract';
import { rTag } from '#/lib/http/cookie.ts';
import { late } from '#/lib/late.tsx';

/** Frame of a signed-in user's screens, and that of a visitor's pages: neither needs the other's script, and the page of a share needs none. */
export const Frame = late(() => import('./Frame.tsx').then((loaded) => loaded.Frame));
export const PublicFrame = late(() => import('./visitors/PublicFrame.tsx').then((loaded) => loaded.PublicFrame));

/** Loads the frame that this address will most likely need, while the session is still being asked for. */
export function preloadFrame(path: string): void {
  if (isFullScreen(path) || matchRoute(path)?.route.bare === true) return;
  void (rTag() === '' ? PublicFrame : Frame).preload();
}
