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
import { errorText } from './http/error-text.ts';
import { loadChunk } from './load-chunk.ts';

type Late<Props> = FunctionComponent<Props> & {
  /** Loads the script before the component is rendered; never rejects, because rendering tries again and shows the failure in place. */
  preload(): Promise<void>;
  readonly isLoaded: () => boolean;
};

/** Where a component is: a screen, or a part of one, fills its place; an overlay is over the page. */
type Place = 'screen' | 'overlay';

export interface LateFailureProps {
  readonly error: Error;
  readonly place: Place;
  readonly onRetry: () => void;
}

/** Replaces a component whose script did not arrive. */
export const LateFailure = createContext<ComponentType<LateFailureProps>>(({ error }) => <p role="alert">{errorText(error)}</p>);

/**
 * A component whose script is loaded when it is first rendered; shows `waiting` until then. If the script does not arrive, {@link LateFailure} is
 * shown in its place and can retry: the rest of the page, including running uploads, goes on. React's own `lazy` would delay the component for 300 ms
 * even if its script is loaded.
 */
export function late<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  waiting: ReactNode = null,
  place: Place = 'screen',
): Late<Props> {
  let loaded: { readonly Component: ComponentType<Props> } | undefined;
  let loading: Promise<void> | undefined;
  /** Error of the preload; shown when the component is rendered, which then need not wait for another try. */
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
  return Object.assign(Part, { preload, isLoaded: () => loaded !== undefined });
}
