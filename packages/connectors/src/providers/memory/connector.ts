import type { Readable } from 'node:stream';
import type { Body, ByteRange, Connector, Entry, Usage, WriteOptions } from '../../core/connector.ts';
import { ConnectorError } from '../../core/error.ts';
import type { Operation } from '../../core/operations.ts';
import type { StorageLimits } from '../../core/storage-limits.ts';
import { joinPath, nameOf, parentOf } from '../../kit/names/path.ts';
import { collected } from './collected.ts';
import {
  type File,
  type Folder,
  type Relocate,
  cleared,
  cloned,
  emptyFolder,
  entryOf,
  fileAt,
  folderAt,
  nodeAt,
  place,
  put,
  take,
} from './tree.ts';
import { memoryUploads } from './uploads.ts';

/**
 * Called before each operation takes effect, and before each further batch of a listing and chunk of a body (`part` above 0); an error it
 * throws fails the call.
 */
export type Gate = (operation: Operation, path: string, part: number) => Promise<void> | void;

interface Options {
  readonly root: Folder;
  readonly gate: Gate;
  readonly batchSize: number;
  readonly chunkSize: number;
  /** Size of a resumable part in bytes. */
  readonly partSize: number;
  readonly limits: StorageLimits;
  readonly usage: (() => Usage) | undefined;
  readonly closed: () => void;
}

/** A complete connector over an in-memory tree, for tests that do not concern a particular provider. */
export function openMemory({ root, gate, batchSize, chunkSize, partSize, limits, usage, closed }: Options): Connector {
  const begin = async (operation: Operation, path: string, signal: AbortSignal, part = 0) => {
    refuseAborted(signal);
    await gate(operation, path, part);
    refuseAborted(signal);
  };
  const entryAt = (path: string): Entry => entryOf(nameOf(path), nodeAt(root, path));
  const relocate = (from: string, to: string): Entry => {
    if (to === from || to.startsWith(`${from}/`)) throw new ConnectorError('alreadyExists', 'the target is the item itself');
    const node = nodeAt(root, from);
    place(root, to, node);
    take(root, from);
    return entryAt(to);
  };

  return {
    async *list(folder, { signal }) {
      await begin('list', folder, signal);
      const entries = [...folderAt(root, folder).children].map(([name, node]) => entryOf(name, node));
      for (let at = 0; at < entries.length; at += batchSize) {
        if (at > 0) await begin('list', folder, signal, at / batchSize);
        yield entries.slice(at, at + batchSize);
      }
    },
    async stat(path, { signal }) {
      await begin('stat', path, signal);
      return entryAt(path);
    },
    async read(path, { signal, range }) {
      await begin('read', path, signal);
      return bodyOf(fileAt(root, path), range, chunkSize, (part) => begin('read', path, signal, part));
    },
    setsAside: true,
    async write(path, body, ask) {
      try {
        await begin('write', path, ask.signal);
        return await store(root, path, body, ask, relocate);
      } finally {
        body.destroy();
      }
    },
    async createFolder(path, { signal }) {
      await begin('createFolder', path, signal);
      place(root, path, emptyFolder());
      return entryAt(path);
    },
    async rename(path, newName, { signal }) {
      await begin('rename', path, signal);
      return relocate(path, joinPath(parentOf(path), newName));
    },
    async move(from, to, { signal }) {
      await begin('move', from, signal);
      return relocate(from, to);
    },
    async copy(from, to, { signal }) {
      await begin('copy', from, signal);
      place(root, to, cloned(nodeAt(root, from)));
      return entryAt(to);
    },
    async remove(path, { signal }) {
      await begin('remove', path, signal);
      take(root, path);
    },
    ...memoryUploads({ root, begin, partSize, relocate }),
    hashes: ['sha256'],
    limits,
    ...(usage && {
      async usage({ signal }) {
        await begin('usage', '/', signal);
        return usage();
      },
    }),
    async close() {
      closed();
    },
  };
}

function refuseAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new ConnectorError('aborted', 'given up');
}

function bodyOf(file: File, range: ByteRange | undefined, chunkSize: number, begin: (part: number) => Promise<void>): Body {
  if (range && range.start > 0 && range.start >= file.bytes.length) throw new ConnectorError('badRange', 'begins past the end');
  const bytes = file.bytes.subarray(range?.start ?? 0, range?.end);
  let cancelled = false;
  return {
    size: bytes.length,
    entry: { size: file.bytes.length, modified: file.modified, etag: file.etag },
    async drain(take) {
      for (let at = 0; at < bytes.length; at += chunkSize) {
        if (at > 0) await begin(at / chunkSize);
        if (cancelled) throw new ConnectorError('aborted', 'cancelled');
        await take(bytes.subarray(at, at + chunkSize));
      }
    },
    cancel() {
      cancelled = true;
    },
  };
}

async function store(root: Folder, path: string, body: Readable, ask: WriteOptions, relocate: Relocate): Promise<Entry> {
  const bytes = await collected(body, ask.signal);
  if (ask.size !== undefined && bytes.length !== ask.size)
    throw new ConnectorError('sizeDiffers', `${bytes.length} of ${ask.size} bytes came`);
  await cleared(root, path, ask, relocate);
  return put(root, path, bytes, ask);
}
