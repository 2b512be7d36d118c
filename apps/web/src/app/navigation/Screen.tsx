import { useSyncExternalStore } from 'react';
import { ErrorScreen } from '../screens/ErrorScreen.tsx';
import { LoadingScreen } from '../screens/LoadingScreen.tsx';
import { NotFoundScreen } from '../screens/NotFoundScreen.tsx';
import { Boundary } from './Boundary.tsx';
import { type Navigation, currentNavigation, onNavigation } from './navigation.ts';

/** The current place and its screen. */
export const useNavigation = (): Navigation => useSyncExternalStore(onNavigation, currentNavigation);

/** The screen of the shown place. */
export function Screen() {
  const { content, shown } = useNavigation();
  if (content.kind === 'missing') return <NotFoundScreen />;
  if (content.kind === 'loading') return <LoadingScreen />;
  if (content.kind === 'failed') return <ErrorScreen error={content.error} />;
  if (content.kind !== 'screen') return null;
  return (
    <Boundary place={shown} key={content.name}>
      <content.Component />
    </Boundary>
  );
}
