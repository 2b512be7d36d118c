import { useLayoutEffect, useRef, useState } from 'react';

type Functions = Readonly<Record<string, ((...args: never) => unknown) | undefined>>;

/**
 * Gives the same object at each drawing, whose functions call those of the latest one, so that what takes it is not drawn again for them alone. For event
 * handlers: while something is being drawn, they are still those of the drawing before. A function that is absent at first stays absent.
 */
export function useSameFunctions<Of extends { readonly [Name in keyof Of]: Functions[string] }>(now: Of): Of {
  const latest = useRef(now);
  useLayoutEffect(() => void (latest.current = now));
  const [same] = useState(() => {
    const names = Object.keys(now) as (keyof Of)[];
    const forward =
      (name: keyof Of) =>
      (...args: never) =>
        latest.current[name]?.(...args);
    return Object.fromEntries(names.map((name) => [name, now[name] && forward(name)])) as Of;
  });
  return same;
}
