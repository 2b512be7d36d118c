import { type CallOptions, type Connector, binOf, numberedUploadsOf } from '@sheaf/connectors';
import { type AppError, appError } from '@sheaf/contract';
import { scoped } from '#/access/scoped.ts';

/** Where a path lies: in an allowed folder, above one, or elsewhere. */
export type Reach = 'inside' | 'above' | 'outside';

const isIn = (path: string, folder: string): boolean => folder === '/' || path === folder || path.startsWith(`${folder}/`);

export function reachOf(path: string, folders: readonly string[]): Reach {
  if (folders.some((folder) => isIn(path, folder))) return 'inside';
  return folders.some((folder) => isIn(folder, path)) ? 'above' : 'outside';
}

/** Names of the items in `path` that lead to an allowed folder below it. */
export function namesAbove(path: string, folders: readonly string[]): string[] {
  const start = path === '/' ? '/' : `${path}/`;
  const names = folders.filter((folder) => folder !== path && folder.startsWith(start)).map((folder) => folder.slice(start.length));
  return [...new Set(names.map((rest) => rest.split('/')[0] ?? ''))].filter((name) => name !== '');
}

/**
 * The connector of a link, limited to some of its folders, with the paths of the link. Nothing else can be reached, as with {@link scoped}, not even
 * through symbolic links. Moves and copies stay within one of the folders. Without `canWrite` all changing methods are absent.
 */
export function limitedTo(inner: Connector, folders: readonly string[], canWrite: boolean): Connector {
  const mapError = (error: unknown): unknown => error;
  const parts = folders.map((folder) => ({ folder, connector: scoped(inner, { folder, canWrite, mapError }) }));
  const [first] = parts;
  const any = first?.connector ?? scoped(inner, { folder: '/', canWrite: false, mapError });

  const bin = binOf(any);
  const numbered = numberedUploadsOf(any);

  function at(path: string): { readonly connector: Connector; readonly path: string; readonly within: (other: string) => string } {
    const part = parts.find(({ folder }) => isIn(path, folder));
    if (!part) throw missing(path);
    const below = (other: string): string => {
      if (!isIn(other, part.folder)) throw appError('SOURCE_CANNOT', { provider: 'Sheaf' });
      return part.folder === '/' ? other : other.slice(part.folder.length) || '/';
    };
    return { connector: part.connector, path: below(path), within: below };
  }
  /** An operation that the connectors of all parts have, as they wrap one connector. */
  function has<Operation>(operation: Operation | undefined): Operation {
    if (operation === undefined) throw appError('SOURCE_CANNOT', { provider: 'Sheaf' });
    return operation;
  }

  return {
    async *list(path, ask) {
      const found = at(path);
      // Checks that the folder is inside; its symbolic links are kept in the listing, which is stored for all who use the link.
      await found.connector.stat(found.path, ask);
      yield* inner.list(path, ask);
    },
    async stat(path, ask) {
      const found = at(path);
      const entry = await found.connector.stat(found.path, ask);
      return found.path === '/' ? { ...entry, name: path.slice(path.lastIndexOf('/') + 1) } : entry;
    },
    async read(path, ask) {
      const found = at(path);
      return found.connector.read(found.path, ask);
    },
    ...(any.hashes && { hashes: any.hashes }),
    ...(any.limits && { limits: any.limits }),
    ...(any.write && {
      async write(path, body, ask) {
        try {
          const found = at(path);
          return await has(found.connector.write)(found.path, body, ask);
        } catch (error) {
          body.destroy();
          throw error;
        }
      },
    }),
    ...(any.createFolder && {
      async createFolder(path, ask: CallOptions) {
        const found = at(path);
        return has(found.connector.createFolder)(found.path, ask);
      },
    }),
    ...(any.rename && {
      async rename(path, newName, ask) {
        const found = at(path);
        return has(found.connector.rename)(found.path, newName, ask);
      },
    }),
    ...(any.move && {
      async move(from, to, ask) {
        const found = at(from);
        return has(found.connector.move)(found.path, found.within(to), ask);
      },
    }),
    ...(any.copy && {
      async copy(from, to, ask) {
        const found = at(from);
        return has(found.connector.copy)(found.path, found.within(to), ask);
      },
    }),
    ...(any.remove && {
      async remove(path, ask) {
        const found = at(path);
        return has(found.connector.remove)(found.path, ask);
      },
    }),
    ...(numbered && {
      async beginNumbered(path, ask) {
        const found = at(path);
        return has(found.connector.beginNumbered)(found.path, ask);
      },
      async sendNumbered(path, body, ask) {
        try {
          const found = at(path);
          return await has(found.connector.sendNumbered)(found.path, body, ask);
        } catch (error) {
          body.destroy();
          throw error;
        }
      },
      async finishNumbered(path, ask) {
        const found = at(path);
        return has(found.connector.finishNumbered)(found.path, ask);
      },
      async abandonNumbered(path, ask) {
        const found = at(path);
        return has(found.connector.abandonNumbered)(found.path, ask);
      },
    }),
    ...(bin && {
      ...bin,
      async discard(path, ask) {
        const found = at(path);
        return has(found.connector.discard)(found.path, ask);
      },
      async restore(binId, path, ask) {
        const found = at(path ?? '/');
        return has(found.connector.restore)(binId, found.path, ask);
      },
    }),
    // The connection belongs to the link.
    close: async () => undefined,
  };
}

const missing = (path: string): AppError => appError('ITEM_NOT_FOUND', { name: path.slice(path.lastIndexOf('/') + 1) });
