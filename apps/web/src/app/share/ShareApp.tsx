import { useLayoutEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { Waiting } from '#/features/preview/Waiting.tsx';
import { PublicPage } from '#/features/shares/public/PublicPage.tsx';
import { useKnown } from '#/lib/http/question.ts';
import { LateFailure, late } from '#/lib/late.tsx';
import { type Place, pageHistory } from '#/lib/navigation/history.ts';
import { PlacesContext } from '#/lib/navigation/location.ts';
import { BrandContext } from '#/ui/brand/brand.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { NavigatorContext } from '#/ui/PathLink.tsx';
import { brandShown } from '../brand-shown.ts';
import { Boundary } from '../navigation/Boundary.tsx';
import { scrollShown } from '../navigation/scroll.ts';
import { MissingScript } from '../screens/MissingScript.tsx';
import { shareSession } from './share-session.ts';

// A list, and a file's name with its download, are there before the scripts of previews.
const View = late(() => import('./PublicView.tsx').then((loaded) => loaded.PublicView), <Waiting />);
const Sealed = late(
  () => import('./SealedScreen.tsx').then((loaded) => loaded.SealedScreen),
  <SkeletonRows count={8} height={40} tile={24} />,
);

/** Loads what the first click will most likely need, once the browser has nothing else to do. */
function preloadLater(): void {
  // Safari has no idle callbacks.
  const later = globalThis.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 1000));
  later(() => {
    if (navigator.onLine) void View.preload();
  });
}

const subscribe = (listener: () => void): (() => void) =>
  pageHistory().subscribe(({ location: place }) => {
    // Back from a share that was opened within the app.
    if (place.pathname.startsWith('/s/')) listener();
    else location.reload();
  });
const here = (): Place => pageHistory().location;

/** The page of a share, at the current address. */
export function ShareApp() {
  const place = useSyncExternalStore(subscribe, here);
  const places = useMemo(() => ({ next: place, shown: place, current: place }), [place]);
  const { data } = useKnown(shareSession);
  const brand = useMemo(() => brandShown(data?.brand), [data]);
  const before = useRef<Place>(undefined);
  useLayoutEffect(() => {
    scrollShown(place, before.current);
    before.current = place;
  }, [place]);
  return (
    <NavigatorContext value={pageHistory()}>
      <PlacesContext value={places}>
        <Boundary place={place}>
          <BrandContext value={brand}>
            <LateFailure value={MissingScript}>
              <main>
                <PublicPage View={View} Sealed={Sealed} onShown={preloadLater} />
              </main>
            </LateFailure>
          </BrandContext>
        </Boundary>
      </PlacesContext>
    </NavigatorContext>
  );
}
