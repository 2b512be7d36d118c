import { joinPath } from '@sheaf/connectors';
import type { MountStore } from './store.ts';

/** A link, and the folder of a storage that it shows as its root. */
export interface Mount {
  readonly linkId: string;
  readonly root: string;
}

/** A folder as a link addresses it. */
export interface LinkPath {
  readonly linkId: string;
  readonly path: string;
}

/** Milliseconds for which the links over a storage are cached: a bulk change asks for each item. */
const knownFor = 1000;
const mostKnown = 1000;

/** Finds the other addresses of a folder: a storage and the Spaces over it list it separately. */
export function createMounts(store: MountStore, now: () => number = () => performance.now()) {
  const known = new Map<string, { readonly at: number; readonly mounts: Promise<readonly Mount[]> }>();

  async function lookUp(linkId: string): Promise<readonly Mount[]> {
    const storage = await store.ofSpace(linkId);
    const storageId = storage?.linkId ?? linkId;
    return [{ linkId: storageId, root: '/' }, ...(await store.over(storageId))];
  }

  /** The storage behind the link, and every link over it. */
  function mountsOf(linkId: string): Promise<readonly Mount[]> {
    const before = known.get(linkId);
    if (before && now() - before.at < knownFor) return before.mounts;
    if (known.size >= mostKnown) known.clear();
    const mounts = lookUp(linkId);
    known.set(linkId, { at: now(), mounts });
    mounts.catch(() => known.delete(linkId));
    return mounts;
  }

  return {
    /** Other addresses of the folder. With `isGone` also those of Spaces whose root is in it: they lose all. */
    async others({ linkId, path }: LinkPath, isGone = false): Promise<LinkPath[]> {
      const mounts = await mountsOf(linkId);
      const root = mounts.find((mount) => mount.linkId === linkId)?.root ?? '/';
      const stored = path === '/' ? root : joinPath(root, path.slice(1));
      return mounts.flatMap((mount) => {
        const inside = mount.linkId === linkId ? undefined : pathIn(mount.root, stored, isGone);
        return inside === undefined ? [] : [{ linkId: mount.linkId, path: inside }];
      });
    },
  };
}

/** A storage's path as seen below one of its folders; undefined outside. */
function pathIn(root: string, path: string, isGone: boolean): string | undefined {
  if (path === root || (isGone && root.startsWith(path === '/' ? '/' : `${path}/`))) return '/';
  if (root === '/') return path;
  return path.startsWith(`${root}/`) ? path.slice(root.length) : undefined;
}
