import { createHash, randomUUID } from 'node:crypto';
import { ConnectorError } from '../../core/error.ts';
import type { Operation } from '../../core/operations.ts';
import type { NumberedUploads, ResumableUploads } from '../../core/upload.ts';
import { nameOf, parentOf } from '../../kit/names/path.ts';
import { collected } from './collected.ts';
import { type Folder, type Relocate, assertWritable, cleared, entryOf, fileAt, folderAt, put } from './tree.ts';

interface Options {
  readonly root: Folder;
  readonly begin: (operation: Operation, path: string, signal: AbortSignal) => Promise<void>;
  readonly partSize: number;
  readonly relocate: Relocate;
}

/** Parts by upload and offset, kept with the tree, so that a second connector over it can continue. */
const uploadsOf = new WeakMap<Folder, Map<string, Map<number, Buffer>>>();

export function memoryUploads({ root, begin, partSize, relocate }: Options): ResumableUploads & NumberedUploads {
  const uploads = uploadsOf.get(root) ?? new Map<string, Map<number, Buffer>>();
  uploadsOf.set(root, uploads);

  function partsOf(session: string): Map<number, Buffer> {
    const parts = uploads.get(session);
    if (!parts) throw new ConnectorError('notFound', 'no such upload');
    return parts;
  }

  return {
    async beginUpload(path, { signal, ifExists }) {
      await begin('beginUpload', path, signal);
      assertWritable(folderAt(root, parentOf(path)), nameOf(path), ifExists);
      const session = randomUUID();
      uploads.set(session, new Map());
      return { session, partSize, parallel: 4, kept: () => undefined };
    },
    async sendPart(path, body, { signal, session, offset, size }) {
      try {
        await begin('sendPart', path, signal);
        const parts = partsOf(session);
        const bytes = await collected(body, signal);
        if (bytes.length !== size) throw new ConnectorError('sizeDiffers', `${bytes.length} of ${size} bytes came`);
        parts.set(offset, bytes);
        return sha256(bytes);
      } finally {
        body.destroy();
      }
    },
    async uploadState(path, { signal, session }) {
      await begin('uploadState', path, signal);
      return { parts: [...partsOf(session)].map(([offset, bytes]) => ({ offset, size: bytes.length, receipt: sha256(bytes) })) };
    },
    async finishUpload(path, { signal, session, parts, size, ...ask }) {
      await begin('finishUpload', path, signal);
      const stored = partsOf(session);
      const bytes = Buffer.concat(parts.map(({ offset }) => stored.get(offset) ?? Buffer.alloc(0)));
      if (bytes.length !== size) throw new ConnectorError('sizeDiffers', `${bytes.length} of ${size} bytes are there`);
      await cleared(root, path, ask, relocate);
      put(root, path, bytes, ask);
      uploads.delete(session);
      return { entry: entryOf(nameOf(path), fileAt(root, path)) };
    },
    async beginNumbered(path, { signal, ifExists }) {
      await begin('beginNumbered', path, signal);
      assertWritable(folderAt(root, parentOf(path)), nameOf(path), ifExists);
      const session = randomUUID();
      uploads.set(session, new Map());
      return { session, smallest: 1, kept: () => undefined };
    },
    async sendNumbered(path, body, { signal, session, number, size }) {
      try {
        await begin('sendNumbered', path, signal);
        const parts = partsOf(session);
        const bytes = await collected(body, signal);
        if (bytes.length !== size) throw new ConnectorError('sizeDiffers', `${bytes.length} of ${size} bytes came`);
        parts.set(number, bytes);
        return sha256(bytes);
      } finally {
        body.destroy();
      }
    },
    async finishNumbered(path, { signal, session, parts, size, ...ask }) {
      await begin('finishNumbered', path, signal);
      const stored = partsOf(session);
      const bytes = Buffer.concat(parts.map(({ number }) => stored.get(number) ?? Buffer.alloc(0)));
      if (bytes.length !== size) throw new ConnectorError('sizeDiffers', `${bytes.length} of ${size} bytes are there`);
      put(root, path, bytes, ask);
      uploads.delete(session);
      return { entry: entryOf(nameOf(path), fileAt(root, path)) };
    },
    async abandonNumbered(path, { signal, session }) {
      await begin('abandonNumbered', path, signal);
      uploads.delete(session);
    },
    async abandonUpload(path, { signal, session }) {
      await begin('abandonUpload', path, signal);
      uploads.delete(session);
    },
  };
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
