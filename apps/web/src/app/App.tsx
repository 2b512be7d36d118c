import { isSharePage } from '@sheaf/contract';
import { useLayoutEffect, useRef } from 'react';
import { pageHistory } from '#/lib/navigation/history.ts';
import { PlacesContext } from '#/lib/navigation/location.ts';
import { NavigatorContext } from '#/ui/PathLink.tsx';
import { Boundary } from './navigation/Boundary.tsx';
import { useNavigation } from './navigation/Screen.tsx';
import { scrollShown } from './navigation/scroll.ts';
import { Root } from './Root.tsx';

/** Links within the app change the page in place; the page of a share is a document of its own. */
const navigator = {
  push: (href: string): void => (isShare(href) ? location.assign(href) : pageHistory().push(href)),
  replace: (href: string): void => (isShare(href) ? location.replace(href) : pageHistory().replace(href)),
};
const isShare = (href: string): boolean => isSharePage(new URL(href, location.origin).pathname);

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
    <NavigatorContext value={navigator}>
      <PlacesContext value={navigation}>
        <Boundary place={shown}>
          <Root />
        </Boundary>
      </PlacesContext>
    </NavigatorContext>
  );
}
