import { Component, type ReactNode, createContext, useContext, useEffect, useState } from 'react';
import type { Place } from '#/lib/navigation/history.ts';
import { ErrorScreen } from '../screens/ErrorScreen.tsx';
import { LoadingScreen } from '../screens/LoadingScreen.tsx';
import { NotFoundScreen } from '../screens/NotFoundScreen.tsx';
import type { Navigation } from './navigation.ts';

export const NavigationContext = createContext<Navigation | undefined>(undefined);

/** The screen of the place that is shown. */
export function Screen() {
  const navigation = useContext(NavigationContext);
  if (!navigation) return null;
  const { content, shown } = navigation;
  if (content.kind === 'missing') return <NotFoundScreen />;
  if (content.kind === 'failed') return <ErrorScreen error={content.error} />;
  if (content.kind !== 'screen') return <Waiting />;
  return (
    <Boundary place={shown} key={content.name}>
      <content.Component />
    </Boundary>
  );
}

/** Milliseconds after which a first screen that is still loading says so. */
const quiet = 200;

function Waiting() {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), quiet);
    return () => clearTimeout(timer);
  }, []);
  return isLong && <LoadingScreen />;
}

interface Caught {
  readonly failure: { readonly error: unknown } | undefined;
  /** Where it went wrong. */
  readonly at: Place | undefined;
}

interface BoundaryProps {
  readonly place: Place;
  readonly children: ReactNode;
}

/** Shows what went wrong while its children were rendered, until somebody goes to another place. */
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
