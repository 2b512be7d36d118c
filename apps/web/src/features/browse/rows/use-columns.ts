import { useMemo, useSyncExternalStore } from 'react';
import { useSession } from '#/lib/session/session.ts';
import { shortHash } from '#/lib/short-hash.ts';
import { type Columns, columnsIn } from './columns.ts';

const listeners = new Set<() => void>();

/** The columns that the person has chosen in this browser, and a setter. */
export function useColumns(): readonly [Columns, (change: Columns) => void] {
  // A hash: what stays in the browser after sign-out must not name accounts.
  const place = `sheaf-columns-${shortHash(useSession()?.loginAccount ?? '')}`;
  const text = useSyncExternalStore(subscribe, () => localStorage.getItem(place));
  const keep = (next: Columns): void => {
    localStorage.setItem(place, JSON.stringify(next));
    for (const listener of listeners) listener();
  };
  return [useMemo(() => columnsIn(text), [text]), keep];
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
