import { type RouteName, isReadablePath, matchRoute, safePath } from '@sheaf/contract';
import type { ComponentType } from 'react';
import { late } from '#/lib/late.tsx';
import { type Place, pageHistory } from '#/lib/navigation/history.ts';
import type { Places } from '#/lib/navigation/location.ts';
import { screens } from '../screens/screens.ts';
import { detour } from './guard.ts';

/**
 * What is shown: nothing before the first place has let the user in, then the frame around nothing, and around a remark that it is loading when that takes
 * long; a route's screen, or why there is none.
 */
export type Content =
  | { readonly kind: 'screen'; readonly name: RouteName; readonly Component: ComponentType }
  | { readonly kind: 'nothing' | 'frame' | 'loading' | 'missing' }
  | { readonly kind: 'failed'; readonly error: unknown };

export interface Navigation extends Places {
  readonly content: Content;
}

/** Milliseconds for which a page, or an empty frame, stays while the next page is loading. */
const pageStays = 200;

type Screen = ReturnType<typeof late<object>>;
const known = new Map<RouteName, Screen>();
function screenOf(name: RouteName): Screen {
  const screen = known.get(name) ?? late(screens[name]);
  known.set(name, screen);
  return screen;
}

const here = (): Place => pageHistory().location;
const routeAt = ({ pathname }: Place): RouteName | undefined => matchRoute(pathname)?.route.name;
let current: Navigation | undefined;
const listeners = new Set<() => void>();
function set(change: Partial<Navigation>): void {
  const { next, shown, content } = { ...currentNavigation(), ...change };
  current = { next, shown, content, current: routeAt(shown) === routeAt(next) ? next : shown };
  for (const listener of listeners) listener();
}

/** The current place and its screen. Returns the same object until something changes. */
export function currentNavigation(): Navigation {
  current ??= { next: here(), shown: here(), current: here(), content: { kind: 'nothing' } };
  return current;
}

/** Calls `listener` after each change; returns a function that unsubscribes it. */
export function onNavigation(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Keeps a hash that names a screen through sign-in; any other may be secret, and must not become a part of a query. */
const screenIn = (hash: string): string => (/^#[a-z]+Screen$/i.test(hash) ? hash : '');

/** Shows the screen of the current address, and of each one that the history comes to. */
export function startNavigation(): void {
  pageHistory().subscribe(() => void follow());
  void follow();
}

/** The first match in the contract's map wins: a path outside the map does not exist. */
async function follow(): Promise<void> {
  const place = here();
  const isLatest = (): boolean => here() === place;
  set({ next: place });
  const found = isReadablePath(place.pathname) ? matchRoute(place.pathname) : undefined;
  if (!found) {
    set({ shown: place, content: { kind: 'missing' } });
    return;
  }
  try {
    const address = await detour(found.route, safePath(place.pathname + place.search + screenIn(place.hash), '/'));
    if (!isLatest()) return;
    if (address !== undefined) {
      pageHistory().replace(address, undefined, { ignoreBlocker: true });
      return;
    }
  } catch (error) {
    if (isLatest()) set({ shown: place, content: { kind: 'failed', error } });
    return;
  }
  const { name } = found.route;
  const Component = screenOf(name);
  const content: Content = { kind: 'screen', name, Component };
  if (!Component.isLoaded()) {
    if (currentNavigation().content.kind === 'nothing') set({ shown: place, content: { kind: 'frame' } });
    const timer = setTimeout(() => {
      if (isLatest()) set({ shown: place, content: { kind: 'loading' } });
    }, pageStays);
    await Component.preload();
    clearTimeout(timer);
  }
  if (isLatest()) set({ shown: place, content });
}
