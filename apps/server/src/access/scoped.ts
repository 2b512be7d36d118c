import {
  type Bin,
  type CallOptions,
  type Body,
  type Connector,
  ConnectorError,
  type DigestOptions,
  type Entry,
  type Found,
  type Hashes,
  type LocateOptions,
  type NumberedUploads,
  type ResumableUploads,
  type ServiceFile,
  type StorageLimits,
  type Versions,
  binOf,
  joinPath,
  nameOf,
  numberedUploadsOf,
  resumableUploadsOf,
  rulesBelow,
  versionsOf,
} from '@sheaf/connectors';
import { AppError, appError, isSegment } from '@sheaf/contract';

/** Steps of a path that are looked at together: most paths take one round trip, and a path that does not exist ends near its first missing step. */
const looksAtOnce = 8;

interface Scope {
  /** The folder that becomes the root. */
  readonly folder: string;
  readonly canWrite: boolean;
  /** Maps an error of the connector, for a call with that path below the folder. */
  readonly mapError: (error: unknown, path: string) => unknown;
}

/**
 * A connector limited to a folder. Nothing outside can be reached, not even through symbolic links at the source, which count as absent. Without
 * `canWrite` all changing methods are absent, as are those about the whole account (`usage`, `changes`). The folder itself may be a symbolic link:
 * its owner chose it.
 */
export function scoped(inner: Connector, { folder, canWrite, mapError }: Scope): Connector {
  const outer = (path: string): string => (folder === '/' ? path : path === '/' ? folder : folder + path);
  const isBelow = (path: string): boolean => folder === '/' || path.startsWith(`${folder}/`);
  const within = (path: string): string => (folder === '/' ? path : path.slice(folder.length));

  /** Rejects when a symbolic link is on the path; `last` says whether the item itself is checked too, and whether it may be missing. */
  async function checkWay(path: string, { signal }: CallOptions, last: 'included' | 'ifThere' | 'excluded'): Promise<void> {
    const names = path === '/' ? [] : path.slice(1).split('/');
    if (!names.every(isSegment)) throw missing(path);
    const { lstat } = inner;
    const depth = last === 'excluded' ? names.length - 1 : names.length;
    if (!lstat || depth <= 0) return;
    let step = folder;
    for (let from = 0; from < depth; from += looksAtOnce) {
      const looks = names.slice(from, Math.min(depth, from + looksAtOnce)).map((name, index) => {
        step = joinPath(step, name);
        const look = lstat(step, { signal });
        return last === 'ifThere' && from + index === depth - 1 ? look.catch(orNothing) : look;
      });
      const entries = await Promise.all(looks);
      if (entries.some((entry) => entry?.isLink)) throw missing(path);
    }
  }

  /** Runs a call on an existing item. */
  async function on<T>(path: string, ask: CallOptions, call: (at: string) => Promise<T>): Promise<T> {
    try {
      await checkWay(path, ask, 'included');
      return await call(outer(path));
    } catch (error) {
      throw mapError(error, path);
    }
  }
  /** Runs a call on an item that may be missing, or may be a symbolic link that is not followed. */
  async function at<T>(
    path: string,
    ask: CallOptions,
    call: (at: string) => Promise<T>,
    last: 'ifThere' | 'excluded' = 'excluded',
  ): Promise<T> {
    try {
      await checkWay(path, ask, last);
      return await call(outer(path));
    } catch (error) {
      throw mapError(error, path);
    }
  }
  /** Members may not rename, move or delete the folder itself. */
  const changing = <T>(path: string, ask: CallOptions, call: (at: string) => Promise<T>): Promise<T> =>
    on(path, ask, async (item) => {
      if (path === '/') throw missing(path);
      return call(item);
    });

  /** Maps errors while reading the body the same way as errors of the call. */
  const withMappedErrors = (path: string, body: Body): Body => ({
    ...(body.size !== undefined && { size: body.size }),
    entry: body.entry,
    drain: (take) =>
      body.drain(take).catch((error: unknown) => {
        throw mapError(error, path);
      }),
    cancel: () => body.cancel(),
  });

  /** Checks the target path of a new item. */
  async function free(path: string, ask: CallOptions): Promise<string> {
    await checkWay(path, ask, 'excluded');
    return outer(path);
  }

  const { lstat, write, createFolder, rename, move, copy, remove, thumbnail, search, serviceFile, copyFrom, digest } = inner;
  const reading: Connector = {
    async *list(path, ask) {
      try {
        await checkWay(path, ask, 'included');
        for await (const batch of inner.list(outer(path), ask)) {
          const own = batch.some(({ isLink }) => isLink) ? batch.filter(({ isLink }) => !isLink) : batch;
          if (own.length > 0) yield own;
        }
      } catch (error) {
        throw mapError(error, path);
      }
    },
    async stat(path, ask): Promise<Entry> {
      const entry = await on(path, ask, (item) => inner.stat(item, ask));
      return path === '/' ? { ...entry, name: '' } : entry;
    },
    read: (path, ask): Promise<Body> => on(path, ask, async (item) => withMappedErrors(path, await inner.read(item, ask))),
    ...(lstat && {
      lstat: async (path: string, ask: CallOptions) => {
        const entry = await at(path, ask, (item) => lstat(item, ask));
        return path === '/' ? { ...entry, name: '' } : entry;
      },
    }),
    ...(digest && {
      digest: (path: string, ask: DigestOptions): Promise<Hashes | undefined> => on(path, ask, (item) => digest(item, ask)),
    }),
    ...(thumbnail && {
      thumbnail: (path: string, ask: CallOptions & { readonly size: number }): Promise<Body> =>
        on(path, ask, async (item) => withMappedErrors(path, await thumbnail(item, ask))),
    }),
    ...(search && {
      async *search(path: string, ask: CallOptions & { readonly query: string }): AsyncIterable<readonly Found[]> {
        try {
          await checkWay(path, ask, 'included');
          for await (const found of search(outer(path), ask)) {
            const own = found.filter((one) => isBelow(one.path) && !one.entry.isLink);
            if (own.length > 0) yield own.map((one) => ({ ...one, path: within(one.path) }));
          }
        } catch (error) {
          throw mapError(error, path);
        }
      },
    }),
    ...(inner.service !== undefined && { service: inner.service }),
    ...(inner.account !== undefined && { account: inner.account }),
    ...(serviceFile && {
      serviceFile: (path: string, ask: LocateOptions): Promise<ServiceFile> => on(path, ask, (item) => serviceFile(item, ask)),
    }),
    ...(inner.hashes && { hashes: inner.hashes }),
    ...(inner.rewrites && { rewrites: inner.rewrites.bind(inner) }),
    ...(inner.limits && { limits: below(inner.limits, folder) }),
    // The connection belongs to the owner's link: it is not closed with the Space.
    close: async () => undefined,
  };
  if (!canWrite) return reading;

  /** As for `write`: sources write through a symbolic link, so that each step checks the way anew. */
  const narrowedUploads = (uploads: ResumableUploads): ResumableUploads => ({
    beginUpload: (path, ask) => at(path, ask, (item) => uploads.beginUpload(item, ask), 'ifThere'),
    async sendPart(path, body, ask) {
      try {
        return await at(path, ask, (item) => uploads.sendPart(item, body, ask), 'ifThere');
      } catch (error) {
        body.destroy();
        throw error;
      }
    },
    uploadState: (path, ask) => at(path, ask, (item) => uploads.uploadState(item, ask), 'ifThere'),
    finishUpload: (path, ask) => at(path, ask, (item) => uploads.finishUpload(item, ask), 'ifThere'),
    abandonUpload: (path, ask) => at(path, ask, (item) => uploads.abandonUpload(item, ask), 'ifThere'),
  });
  const narrowedNumbered = (uploads: NumberedUploads): NumberedUploads => ({
    beginNumbered: (path, ask) => at(path, ask, (item) => uploads.beginNumbered(item, ask), 'ifThere'),
    async sendNumbered(path, body, ask) {
      try {
        return await at(path, ask, (item) => uploads.sendNumbered(item, body, ask), 'ifThere');
      } catch (error) {
        body.destroy();
        throw error;
      }
    },
    finishNumbered: (path, ask) => at(path, ask, (item) => uploads.finishNumbered(item, ask), 'ifThere'),
    abandonNumbered: (path, ask) => at(path, ask, (item) => uploads.abandonNumbered(item, ask), 'ifThere'),
  });
  /**
   * Deletes into the bin of the link, above the folder. What is in it is addressed by ids that only the journal knows: each of its rows tells the folder that
   * the item was deleted from. The list of a source's own bin is the whole account's, so it is left out.
   */
  const narrowedBin = ({ bin, keeps, discard, binned, restore, purge }: Bin): Bin => {
    const own = async <T>(path: string, call: () => Promise<T>): Promise<T> => {
      try {
        return await call();
      } catch (error) {
        throw mapError(error, path);
      }
    };
    return {
      bin,
      ...(keeps && { keeps: (ask: CallOptions) => own('/', () => keeps(ask)) }),
      discard: (path, ask) => changing(path, ask, (item) => discard(item, ask)),
      binned: (binId, ask) => own('/', () => binned(binId, ask)),
      // Without a path a source's own bin might put the item back outside of the folder.
      restore: (binId, path = '/', ask) => own(path, async () => restore(binId, await free(path, ask), ask)),
      ...(purge && { purge: (binId: string, ask: CallOptions) => own('/', () => purge(binId, ask)) }),
    };
  };
  /** Earlier contents may be from before the folder was shared, so they are neither listed nor read. */
  const narrowedVersions = ({ versionOf, restoreVersion }: Versions): Versions => ({
    versionOf: (path, ask) => on(path, ask, (item) => versionOf(item, ask)),
    restoreVersion: (path, versionId, ask) => changing(path, ask, (item) => restoreVersion(item, versionId, ask)),
  });
  const uploads = resumableUploadsOf(inner);
  const numbered = numberedUploadsOf(inner);
  const versions = versionsOf(inner);
  const ownBin = binOf(inner);
  return {
    ...reading,
    ...(write && {
      async write(path, body, ask) {
        try {
          // Sources write through a symbolic link to its target.
          return await at(path, ask, (item) => write(item, body, ask), 'ifThere');
        } catch (error) {
          // The connector may not have taken the body.
          body.destroy();
          throw error;
        }
      },
    }),
    ...(createFolder && { createFolder: (path, ask) => at(path, ask, (item) => createFolder(item, ask)) }),
    ...(rename && {
      rename: (path, newName, ask) =>
        changing(path, ask, async (item) => {
          if (!isSegment(newName)) throw missing(newName);
          return rename(item, newName, ask);
        }),
    }),
    ...(move && { move: (from, to, ask) => changing(from, ask, async (source) => move(source, await free(to, ask), ask)) }),
    ...(copy && { copy: (from, to, ask) => changing(from, ask, async (source) => copy(source, await free(to, ask), ask)) }),
    ...(remove && { remove: (path, ask) => changing(path, ask, (item) => remove(item, ask)) }),
    ...(copyFrom && { copyFrom: (file: ServiceFile, to: string, ask: CallOptions) => at(to, ask, (item) => copyFrom(file, item, ask)) }),
    ...(uploads && narrowedUploads(uploads)),
    ...(numbered && narrowedNumbered(numbered)),
    ...(ownBin && narrowedBin(ownBin)),
    ...(versions && narrowedVersions(versions)),
  };
}

/** Paths of members begin at the folder: what it takes of the longest path is not theirs. */
const below = ({ names, ...limits }: StorageLimits, folder: string): StorageLimits => ({
  ...limits,
  ...(names && { names: rulesBelow(names, folder) }),
});

/** Treats "not found" as absent; rethrows other errors. */
function orNothing(error: unknown): undefined {
  const isMissing =
    (error instanceof AppError && error.messageCode === 'ITEM_NOT_FOUND') || (error instanceof ConnectorError && error.kind === 'notFound');
  if (!isMissing) throw error;
}

/** The error for an item that does not exist or may not be seen. */
const missing = (path: string): AppError => appError('ITEM_NOT_FOUND', { name: nameOf(path) });
