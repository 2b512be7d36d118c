import { type RouteName, matchRoute, routes, safePath } from '@sheaf/contract';
import { type ParsedLocation, type RouteComponent, createRootRoute, createRoute, createRouter, notFound } from '@tanstack/react-router';
import { late } from '#/lib/late.tsx';
import { guard } from './guard.ts';
import { Root } from './Root.tsx';
import { ErrorScreen } from './screens/ErrorScreen.tsx';
import { LoadingScreen } from './screens/LoadingScreen.tsx';
import { NotFoundScreen } from './screens/NotFoundScreen.tsx';
import { screens } from './screens/screens.ts';

const root = createRootRoute({
  component: Root,
  notFoundComponent: NotFoundScreen,
  async beforeLoad({ location }) {
    await admit(location);
    return { shownAt: location };
  },
});

/** The first match in the contract's map wins, whatever the router's order: a path outside the map does not exist. */
async function admit(location: ParsedLocation): Promise<void> {
  const { pathname, search, hash } = new URL(location.publicHref, window.location.origin);
  const found = matchRoute(pathname);
  if (!found) throw notFound();
  await guard(found.route, safePath(pathname + search + screenIn(hash), '/'));
}

/** A hash that names a screen is kept through sign-in; any other may hold a secret, which must not enter a query. */
const screenIn = (hash: string): string => (/^#[a-z]+Screen$/i.test(hash) ? hash : '');

const components = new Map<RouteName, RouteComponent>();
function componentOf(name: RouteName): RouteComponent {
  const known = components.get(name);
  if (known) return known;
  const component = late(screens[name]);
  components.set(name, component);
  return component;
}

const patterns = new Set<string>(routes.map(({ pattern }) => pattern));

/**
 * Converts the contract's pattern to the router's syntax. A trailing slash separates a page's address from those below it, as for "/browse" and
 * "/browse/*".
 */
const routerPath = (pattern: string): string =>
  (patterns.has(`${pattern}/*`) ? `${pattern}/` : pattern)
    .replace(/\/\*$/, '/$')
    .replace(/:(\w+)\?/, '{-$$$1}')
    .replace(/:(\w+)/, '$$$1');

const tree = root.addChildren(
  routes.map(({ name, pattern }) => createRoute({ getParentRoute: () => root, path: routerPath(pattern), component: componentOf(name) })),
);

/** Renders the screen of the current address. */
export const router = createRouter({
  routeTree: tree,
  // Keeps query values as plain strings; does not guess numbers or JSON.
  parseSearch: (query) => Object.fromEntries(new URLSearchParams(query)),
  stringifySearch: (search) => {
    const query = new URLSearchParams(search as Record<string, string>).toString();
    return query === '' ? '' : `?${query}`;
  },
  defaultPendingComponent: LoadingScreen,
  defaultErrorComponent: ErrorScreen,
  defaultNotFoundComponent: NotFoundScreen,
  defaultPendingMs: 200,
  defaultPendingMinMs: 0,
  scrollRestoration: true,
  caseSensitive: true,
});
