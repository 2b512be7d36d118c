import { type Route, type RouteName, matchRoute } from '@sheaf/contract';
import { usePlace } from './location.ts';

/** The route of the current address with its parameters; `splat` is still percent-encoded. */
export function useRoute():
  | { readonly route: Route & { readonly name: RouteName }; readonly params: Readonly<Record<string, string>>; readonly splat: string }
  | undefined {
  return matchRoute(usePlace().pathname);
}
