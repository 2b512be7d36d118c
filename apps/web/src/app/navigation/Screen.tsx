import { Component, type ReactNode, useSyncExternalStore } from 'react';
import type { Place } from '#/lib/navigation/history.ts';
import { ErrorScreen } from '../screens/ErrorScreen.tsx';
import { LoadingScreen } from '../screens/LoadingScreen.tsx';
import { NotFoundScreen } from '../screens/NotFoundScreen.tsx';
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

interface Caught {
  readonly failure: { readonly error: unknown } | undefined;
  /** The place at which rendering failed. */
  readonly at: Place | undefined;
}

interface BoundaryProps {
  readonly place: Place;
  readonly children: ReactNode;
}

/** Error boundary: shows an error of rendering until the user goes to another place. */
export class Boundary extends Component<BoundaryProps, Caught> {
  override state: Caught = { failure: undefined, at: undefined };

  static getDerivedStateFromError(error: unknown): Partial<Caught> {
    return { failure: { error } };
  }

  static getDerivedStateFromProps({ place }: BoundaryProps, { at }: Caught): Caught | null {
    return place === at ? null : { failure: undefined, at: place };
  }

  override render() {
    return this.state.failure ? <ErrorScreen error={this.state.failure.error} /> : this.props.children;
  }
}
