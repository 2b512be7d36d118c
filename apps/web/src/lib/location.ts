import { type Route, type RouteName, matchRoute } from '@sheaf/contract';
import { useLocation } from '@tanstack/react-router';

/** The query of the current address, as plain strings. */
export function useQueryParams(): Readonly<Record<string, string | undefined>> {
  return useLocation({ select: (location) => location.search as Readonly<Record<string, string | undefined>> });
}

/** The address's hash, parsed like a query. Used for secrets, because browsers never send it. */
export function useHashParams(): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(new URLSearchParams(useLocation({ select: ({ hash }) => hash })));
}

/** The route of the current address with its parameters; `splat` is still percent-encoded. */
export function useRoute():
  | { readonly route: Route & { readonly name: RouteName }; readonly params: Readonly<Record<string, string>>; readonly splat: string }
  | undefined {
  const href = useLocation({ select: ({ publicHref }) => publicHref });
  return matchRoute(new URL(href, location.origin).pathname);
}

/** Path and query of the current page, as a return address. */
export function useHere(): string {
  return useLocation({ select: ({ publicHref }) => publicHref.split('#')[0] ?? publicHref });
}
