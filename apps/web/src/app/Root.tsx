import { isFullScreen } from '@sheaf/contract';
import { LateFailure } from '#/lib/late.tsx';
import { useHere } from '#/lib/navigation/location.ts';
import { useRoute } from '#/lib/navigation/route.ts';
import { useSession } from '#/lib/session/session.ts';
import { BrandContext } from '#/ui/brand/brand.ts';
import { Frame, PublicFrame } from './frame/late-frames.ts';
import { QueryPopovers } from './frame/visitors/QueryPopovers.tsx';
import { Screen } from './navigation/Screen.tsx';
import { MissingScript } from './screens/MissingScript.tsx';
import { useShownBrand } from './shown-brand.ts';

/** Frame of every screen: with bar and menu, with the visitors' bar, or without either. */
export function Root() {
  const route = useRoute()?.route;
  const isWhole = isFullScreen(new URL(useHere(), location.origin).pathname);
  const session = useSession();
  const isBare = route?.bare === true;
  const brand = useShownBrand();
  if (isWhole || isBare) {
    return (
      <BrandContext value={brand}>
        <LateFailure value={MissingScript}>
          <main>
            <Screen />
            {!isBare && <QueryPopovers />}
          </main>
        </LateFailure>
      </BrandContext>
    );
  }
  return (
    <BrandContext value={brand}>
      <LateFailure value={MissingScript}>
        {session ? <Frame session={session} /> : <PublicFrame />}
        <QueryPopovers />
      </LateFailure>
    </BrandContext>
  );
}
