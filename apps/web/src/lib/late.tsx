import { type ComponentType, type FunctionComponent, type ReactNode, useEffect, useState } from 'react';
import { loadChunk } from './load-chunk.ts';

type Late<Props> = FunctionComponent<Props> & {
  /** Loads the script before the component is drawn. */
  preload(): Promise<void>;
};

/**
 * A component whose script arrives when it is first drawn; until then there is `waiting`. When the script does not arrive, drawing it
 * throws what {@link loadChunk} rejects with. React's own `lazy` would hold back the component for 300 ms, however soon its script is there.
 */
export function late<Props extends object>(load: () => Promise<ComponentType<Props>>, waiting: ReactNode = null): Late<Props> {
  let loaded: { readonly Component: ComponentType<Props> } | undefined;
  let loading: Promise<void> | undefined;
  const preload = (): Promise<void> => {
    loading ??= loadChunk(load).then(
      (Component) => {
        loaded = { Component };
      },
      (error: unknown) => {
        // Whoever comes again may have more luck.
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };
  function Part(props: Props) {
    const [part, show] = useState(loaded);
    useEffect(() => {
      if (part) return;
      const fail = (error: unknown): void =>
        show(() => {
          throw error;
        });
      preload().then(() => show(loaded), fail);
    }, [part]);
    return part ? <part.Component {...props} /> : waiting;
  }
  return Object.assign(Part, { preload });
}
