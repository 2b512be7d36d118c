import { type Route, type RouteName, matchRoute } from '@sheaf/contract';
import { createContext, useContext } from 'react';
import type { Place } from './history.ts';

/**
 * Where somebody is. `next` changes as soon as they leave a page, which stays until the next one is loaded; `shown` is the place that the page on the
 * screen belongs to.
 */
export interface Places {
  readonly next: Place;
  readonly shown: Place;
}

export const PlacesContext = createContext<Places | undefined>(undefined);

function usePlaces(): Places {
  const places = useContext(PlacesContext);
  if (!places) throw new Error('no place is known here');
  return places;
}

/** The place that the address bar names, be its page shown yet or not. */
export const useNext = (): Place => usePlaces().next;

/**
 * The place that the shown page belongs to: it must not take the next page's parameters for its own. What changes on the page itself, such as its dialog
 * or the file that it shows, holds at once.
 */
function useShown(): Place {
  const { next, shown } = usePlaces();
  return routeAt(shown) === routeAt(next) ? next : shown;
}

const routeAt = ({ pathname }: Place): RouteName | undefined => matchRoute(pathname)?.route.name;

/** The query of the current address, as plain strings. */
export function useQueryParams(): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(new URLSearchParams(useShown().search));
}

/** The address's hash, parsed like a query. Used for secrets, because browsers never send it. */
export function useHashParams(): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(new URLSearchParams(useShown().hash.slice(1)));
}

/** The hash of the current address, without "#". */
export const useHash = (): string => useShown().hash.slice(1);

/** Whether the current page was reached by leaving a dialog. */
export const useReturned = (): boolean => useShown().state.returned === true;

/** The route of the current address with its parameters; `splat` is still percent-encoded. */
export function useRoute():
  | { readonly route: Route & { readonly name: RouteName }; readonly params: Readonly<Record<string, string>>; readonly splat: string }
  | undefined {
  return matchRoute(useShown().pathname);
}

/** Path and query of the current page, as a return address. */
export function useHere(): string {
  const { pathname, search } = useShown();
  return pathname + search;
}
