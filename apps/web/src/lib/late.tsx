import {
  type ComponentType,
  type FunctionComponent,
  type ReactNode,
  createContext,
  createElement,
  useCallback,
  useContext,
  useEffect,
  useState,
} from 'react';
import { loadChunk } from './load-chunk.ts';

type Late<Props> = FunctionComponent<Props> & {
  /** Loads the script before the component is drawn; never rejects, since drawing the component tries again and shows the failure in its place. */
  preload(): Promise<void>;
};

/** Where a component stands: a screen, or part of one, fills its place; an overlay lies over the page and has no place in it. */
type Place = 'screen' | 'overlay';

export interface LateFailureProps {
  readonly error: Error;
  readonly place: Place;
  readonly onRetry: () => void;
}

/** What stands in the place of a component whose script did not arrive. */
export const LateFailure = createContext<ComponentType<LateFailureProps>>(({ error }) => <p role="alert">{error.message}</p>);

/**
 * A component whose script arrives when it is first drawn; until then there is `waiting`. When the script does not arrive, {@link LateFailure} stands
 * in its place and can try again: the rest of the page, running uploads among it, goes on. React's own `lazy` would hold back the component for
 * 300 ms, however soon its script is there.
 */
export function late<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  waiting: ReactNode = null,
  place: Place = 'screen',
): Late<Props> {
  let loaded: { readonly Component: ComponentType<Props> } | undefined;
  let loading: Promise<void> | undefined;
  /** Why the script could not be loaded ahead; told when the component is drawn, which then need not wait for another try. */
  let missed: Error | undefined;
  const attempt = (): Promise<void> => {
    loading ??= loadChunk(load).then(
      (Component) => {
        loaded = { Component };
      },
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };
  function Part(props: Props) {
    const [part, show] = useState(loaded);
    const [error, setError] = useState(missed);
    const Failure = useContext(LateFailure);
    const begin = useCallback(() => {
      attempt().then(
        () => show(loaded),
        (reason: Error) => setError(reason),
      );
    }, []);
    useEffect(() => {
      if (part) return;
      if (!missed) begin();
      missed = undefined;
    }, [part, begin]);
    if (part) return <part.Component {...props} />;
    return error ? createElement(Failure, { error, place, onRetry: begin }) : waiting;
  }
  const preload = (): Promise<void> =>
    attempt().catch((error: Error) => {
      missed = error;
    });
  return Object.assign(Part, { preload });
}
