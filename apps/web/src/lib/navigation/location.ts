import { createContext, useContext } from 'react';
import type { Place } from './history.ts';

/**
 * Where somebody is. `next` changes as soon as they leave a page, which stays until the next one is loaded; `shown` is the place that the page on the
 * screen belongs to.
 */
export interface Places {
  readonly next: Place;
  readonly shown: Place;
  /**
   * The place whose parameters hold for the shown page, which must not take the next page's for its own: `next` as long as that is an address of the same
   * page, such as its dialog or the file that it shows, else `shown`.
   */
  readonly current: Place;
}

export const PlacesContext = createContext<Places | undefined>(undefined);

function usePlaces(): Places {
  const places = useContext(PlacesContext);
  if (!places) throw new Error('no place is known here');
  return places;
}

/** The place that the address bar names, be its page shown yet or not. */
export const useNext = (): Place => usePlaces().next;

/** The place whose parameters hold for the shown page. */
export const usePlace = (): Place => usePlaces().current;

/** The query of the current address, as plain strings. */
export function useQueryParams(): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(new URLSearchParams(usePlace().search));
}

/** The address's hash, parsed like a query. Used for secrets, because browsers never send it. */
export function useHashParams(): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(new URLSearchParams(usePlace().hash.slice(1)));
}

/** The hash of the current address, without "#". */
export const useHash = (): string => usePlace().hash.slice(1);

/** Whether the current page was reached by leaving a dialog. */
export const useReturned = (): boolean => usePlace().state.returned === true;

/** Path and query of the current page, as a return address. */
export function useHere(): string {
  const { pathname, search } = usePlace();
  return pathname + search;
}
