import { asSegment } from '../kit/index.ts';

/** Short names of actions → their names in the description. */
const actions = /\/(copy|createUploadSession|restore|restoreVersion)$/;

/**
 * Rewrites a client's path to a described one: `/me`, an item by its path below the root or another item, and actions without their namespace. The
 * item's path is passed on as its id: see {@link readAddress}.
 */
export function describedPath(path: string): string {
  const own = path
    .replace(/^\/me\/drive$/, '/users/me/drive')
    .replace(/^\/me\/drive(?=\/)/, '/drives/me')
    .replace(/^\/me(?=\/followedSites$|$)/, '/users/me');
  return own
    .replace(
      /^(\/drives\/[^/]+)\/(?:(root)|items\/([^/:]+)):\/([^]+?)(?::(\/[^]+)?)?$/,
      (_, drive: string, root?: string, id?: string, below = '', rest = '') => {
        return `${drive}/items/${asSegment(`below ${root ?? id} ${below}`)}${rest}`;
      },
    )
    .replace(/^(\/drives\/[^/]+)\/items\/root(?=\/|$)/, '$1/root')
    .replace(actions, '/microsoft.graph.$1')
    .replace(/\/delta(\(token='[^']*'\))$/, '/microsoft.graph.delta$1')
    .replace(/\/search(\(q='[^]*'\))$/, '/microsoft.graph.search$1');
}

/** An item by its id, or by names below another item. */
export type Address = { readonly id: string } | { readonly below: string; readonly names: readonly string[] };

export function readAddress(param: string): Address {
  const [, below, path] = /^below ([^ ]+) ([^]+)$/.exec(param) ?? [];
  if (below === undefined || path === undefined) return { id: param };
  return { below, names: path.split('/').map((name) => name.replaceAll('%2F', '/').replaceAll('%25', '%')) };
}
