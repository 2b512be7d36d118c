import { type Route, type RouteName, matchRoute } from '@sheaf/contract';
import { type ParsedLocation, useLocation, useRouteContext } from '@tanstack/react-router';

/**
 * The location that the shown page belongs to. The router's own location changes as soon as somebody leaves, while the page stays until the next one is
 * loaded: it must not take the next page's parameters for its own meanwhile. What changes on the page itself, such as its dialog or the file that it shows, holds
 * at once.
 */
function useShown(): ParsedLocation {
  const next = useLocation();
  const shown = useRouteContext({ strict: false, select: ({ shownAt }: { readonly shownAt?: ParsedLocation }) => shownAt });
  return shown === undefined || routeAt(shown) === routeAt(next) ? next : shown;
}

const matchAt = ({ publicHref }: ParsedLocation) => matchRoute(new URL(publicHref, location.origin).pathname);
const routeAt = (at: ParsedLocation): RouteName | undefined => matchAt(at)?.route.name;

/** The query of the current address, as plain strings. */
export function useQueryParams(): Readonly<Record<string, string | undefined>> {
  return useShown().search as Readonly<Record<string, string | undefined>>;
}

/** The address's hash, parsed like a query. Used for secrets, because browsers never send it. */
export function useHashParams(): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(new URLSearchParams(useShown().hash));
}

/** The route of the current address with its parameters; `splat` is still percent-encoded. */
export function useRoute():
  | { readonly route: Route & { readonly name: RouteName }; readonly params: Readonly<Record<string, string>>; readonly splat: string }
  | undefined {
  return matchAt(useShown());
}

/** Path and query of the current page, as a return address. */
export function useHere(): string {
  const href = useShown().publicHref;
  return href.split('#')[0] ?? href;
}
