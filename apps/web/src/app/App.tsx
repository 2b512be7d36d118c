import { useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { pageHistory } from '#/lib/navigation/history.ts';
import { PlacesContext } from '#/lib/navigation/location.ts';
import { NavigatorContext } from '#/ui/PathLink.tsx';
import { currentNavigation, onNavigation } from './navigation/navigation.ts';
import { Boundary, NavigationContext } from './navigation/Screen.tsx';
import { scrollShown } from './navigation/scroll.ts';
import { Root } from './Root.tsx';

/** The page of the current address. */
export function App() {
  const navigation = useSyncExternalStore(onNavigation, currentNavigation);
  const { shown, content } = navigation;
  const before = useRef<typeof shown>(undefined);
  useLayoutEffect(() => {
    if (content.kind === 'nothing' || content.kind === 'loading') return;
    scrollShown(shown, before.current);
    before.current = shown;
  }, [shown, content]);
  if (content.kind === 'nothing') return null;
  return (
    <NavigatorContext value={pageHistory()}>
      <NavigationContext value={navigation}>
        <PlacesContext value={navigation}>
          <Boundary place={shown}>
            <Root />
          </Boundary>
        </PlacesContext>
      </NavigationContext>
    </NavigatorContext>
  );
}
