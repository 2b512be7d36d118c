import { type Ask, type Body, type Connector, type Entry, type Found, joinPath, nameOf } from '@sheaf/connectors';
import { appError } from '@sheaf/contract';

interface Narrowing {
  /** The folder that becomes the root. */
  readonly folder: string;
  readonly canWrite: boolean;
  /** What is thrown in the place of an error of the connector. */
  readonly told: (error: unknown) => unknown;
}

/**
 * A folder of a connector as a connector of its own: nothing outside can be reached, not through links at the source either, and without
 * `canWrite` whatever changes something is absent. What tells of the whole account (`usage`, `changes`) is absent too.
 */
export function narrowed(inner: Connector, { folder, canWrite, told }: Narrowing): Connector {
  const outer = (path: string): string => (folder === '/' ? path : path === '/' ? folder : folder + path);
  const within = (path: string): string => (folder === '/' ? path : path.slice(folder.length) || '/');
  const asTold = (error: unknown): never => {
    throw told(error);
  };

  /** Rejects as for an item that is not there when a link of the source stands anywhere on the way below the folder. */
  async function checked(path: string, { signal }: Ask): Promise<string> {
    const { lstat } = inner;
    if (lstat && path !== '/') {
      const names = path.slice(1).split('/');
      const steps = names.map((_, index) => names.slice(0, index + 1).reduce(joinPath, folder));
      const entries = await Promise.all(steps.map((step) => lstat(step, { signal })));
      if (entries.some(({ isLink }) => isLink)) throw appError('ITEM_NOT_FOUND', { name: nameOf(path) });
    }
    return outer(path);
  }
  /** The same for an item that is only about to be there. */
  const checkedPlace = async (path: string, ask: Ask): Promise<string> => {
    const cut = path.lastIndexOf('/');
    await checked(cut <= 0 ? '/' : path.slice(0, cut), ask);
    return outer(path);
  };

  const { lstat, write, createFolder, rename, move, copy, remove, thumbnail, search } = inner;
  const reading: Connector = {
    async *list(path, ask) {
      try {
        yield* inner.list(await checked(path, ask), ask);
      } catch (error) {
        asTold(error);
      }
    },
    async stat(path, ask): Promise<Entry> {
      const entry = await checked(path, ask)
        .then((at) => inner.stat(at, ask))
        .catch(asTold);
      return path === '/' ? { ...entry, name: '' } : entry;
    },
    read: (path, ask): Promise<Body> =>
      checked(path, ask)
        .then((at) => inner.read(at, ask))
        .catch(asTold),
    ...(lstat && { lstat: (path: string, ask: Ask) => lstat(outer(path), ask).catch(asTold) }),
    ...(thumbnail && {
      thumbnail: (path: string, ask: Ask & { readonly size: number }): Promise<Body> =>
        checked(path, ask)
          .then((at) => thumbnail(at, ask))
          .catch(asTold),
    }),
    ...(search && {
      async *search(path: string, ask: Ask & { readonly query: string }): AsyncIterable<readonly Found[]> {
        try {
          for await (const found of search(await checked(path, ask), ask)) yield found.map((one) => ({ ...one, path: within(one.path) }));
        } catch (error) {
          asTold(error);
        }
      },
    }),
    // The connection is its owner's link's: it is not closed with the space.
    close: async () => undefined,
  };
  if (!canWrite) return reading;
  return {
    ...reading,
    ...(write && {
      write: (path, body, ask) =>
        checkedPlace(path, ask).then(
          (at) => write(at, body, ask).catch(asTold),
          (error: unknown) => {
            body.destroy();
            return asTold(error);
          },
        ),
    }),
    ...(createFolder && {
      createFolder: (path, ask) =>
        checkedPlace(path, ask)
          .then((at) => createFolder(at, ask))
          .catch(asTold),
    }),
    ...(rename && {
      rename: (path, newName, ask) =>
        checked(path, ask)
          .then((at) => rename(at, newName, ask))
          .catch(asTold),
    }),
    ...(move && {
      move: (from, to, ask) =>
        Promise.all([checked(from, ask), checkedPlace(to, ask)])
          .then(([source, target]) => move(source, target, ask))
          .catch(asTold),
    }),
    ...(copy && {
      copy: (from, to, ask) =>
        Promise.all([checked(from, ask), checkedPlace(to, ask)])
          .then(([source, target]) => copy(source, target, ask))
          .catch(asTold),
    }),
    ...(remove && {
      remove: (path, ask) =>
        checked(path, ask)
          .then((at) => remove(at, ask))
          .catch(asTold),
    }),
  };
}
