import { Component, type ReactNode } from 'react';
import type { Place } from '#/lib/navigation/history.ts';
import { ErrorScreen } from '../screens/ErrorScreen.tsx';

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
