import type { MenuItem } from '@sheaf/contract';

const home = '/account/mysheaf';

/** Target of a menu item: its address, or its route with its query. */
export function addressOf({ url, route, query }: Pick<MenuItem, 'url' | 'route' | 'query'>): string {
  if (url !== undefined) return url;
  const search = new URLSearchParams(query).toString();
  return (route ?? '/') + (search === '' ? '' : `?${search}`);
}

/**
 * Whether the menu item stands for the page at `here` (path and query). The home item also stands for everything under /browse and /gallery; a
 * category of the home page has its own item; the transfers' item also stands for each transfer.
 */
export function isCurrent(item: Pick<MenuItem, 'url' | 'route' | 'query'>, here: string): boolean {
  const [path = '/', search = ''] = here.split('?', 2);
  const wanted = Object.entries(item.query ?? {});
  const asked = new URLSearchParams(search);
  if (item.route === home && wanted.length === 0) {
    return path.startsWith('/browse') || path.startsWith('/gallery') || (path === home && (asked.get('catid') ?? 'links') === 'links');
  }
  if (item.route === '/transfers' && path.startsWith('/transfers/')) return true;
  return item.route === path && wanted.every(([name, value]) => asked.get(name) === value);
}
