import { useLayoutEffect, useRef } from 'react';
import { pageHistory } from '#/lib/navigation/history.ts';
import { PlacesContext } from '#/lib/navigation/location.ts';
import { NavigatorContext } from '#/ui/PathLink.tsx';
import { Boundary, useNavigation } from './navigation/Screen.tsx';
import { scrollShown } from './navigation/scroll.ts';
import { Root } from './Root.tsx';

/** The page of the current address. */
export function App() {
  const navigation = useNavigation();
  const { shown, content } = navigation;
  const before = useRef<typeof shown>(undefined);
  useLayoutEffect(() => {
    if (content.kind === 'nothing' || content.kind === 'frame' || content.kind === 'loading') return;
    scrollShown(shown, before.current);
    before.current = shown;
  }, [shown, content]);
  if (content.kind === 'nothing') return null;
  return (
    <NavigatorContext value={pageHistory()}>
      <PlacesContext value={navigation}>
        <Boundary place={shown}>
          <Root />
        </Boundary>
      </PlacesContext>
    </NavigatorContext>
  );
}
