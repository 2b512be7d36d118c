import type { Static, TSchema } from 'typebox';
import type { CallOptions, WriteOptions } from '../../core/connector.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import type { HashName, Hashes } from '../../core/hashes.ts';
import type {
  BeginUploadOptions,
  FinishedUpload,
  NumberedPart,
  NumberedUpload,
  NumberedUploads,
  PartOptions,
  ResumableUploads,
  SentPart,
  Upload,
  UploadOptions,
  UploadState,
} from '../../core/upload.ts';
import { nameOf } from '../names/path.ts';
import { parseJson } from '../rest/json.ts';
import { type Place, fileEntry } from './object-paths.ts';
import type { PutOptions, StoredObject } from './object-store.ts';
import { unknownUpload, usualPartSize } from './partial-upload.ts';

const MiB = 1024 * 1024;

/** Options of an object's upload in parts. */
export interface BeginObjectOptions extends PutOptions {
  readonly size: number;
}

export interface FinishObjectOptions extends BeginObjectOptions, UploadOptions {
  readonly parts: readonly SentPart[];
  readonly hashes: Hashes;
}

/**
 * A store's uploads that another process can continue: see {@link ResumableUploads}. `begin` is called only for objects of at least one
 * byte.
 */
export interface ObjectUploads {
  begin(key: string, ask: BeginObjectOptions): Promise<Upload>;
  sendPart: ResumableUploads['sendPart'];
  state(key: string, ask: UploadOptions): Promise<UploadState>;
  finish(key: string, ask: FinishObjectOptions): Promise<FinishedObject>;
  abandon(key: string, ask: UploadOptions): Promise<void>;
  /**
   * Whether the object under the key was created by this upload; without this method, an upload that the store does not know counts as
   * finished.
   */
  isFinished?(key: string, ask: UploadOptions): Promise<boolean>;
}

/** A store's uploads in numbered parts: see {@link NumberedUploads}. */
export interface NumberedObjectUploads {
  begin(key: string, ask: PutOptions): Promise<NumberedUpload>;
  sendPart: NumberedUploads['sendNumbered'];
  finish(key: string, ask: FinishNumberedObject): Promise<FinishedObject>;
  abandon(key: string, ask: UploadOptions): Promise<void>;
}

export interface FinishNumberedObject extends BeginObjectOptions, UploadOptions {
  readonly parts: readonly (NumberedPart & { readonly receipt: string })[];
}

export interface FinishedObject {
  readonly object: StoredObject;
  readonly proof?: NonNullable<FinishedUpload['proof']>;
}

interface Folders {
  readonly placeOf: (path: string) => Place;
  /** Returns the place for a file; rejects when it is taken, or cannot be a file. */
  readonly writable: (path: string, ask: CallOptions & Pick<WriteOptions, 'ifExists'>) => Promise<Place>;
  readonly putAsk: (ask: Omit<BeginUploadOptions, 'size'>) => PutOptions;
  /** Called with every new object; returns it as listings show it. */
  readonly written: (object: StoredObject) => StoredObject;
}

/** Uploads of files in parts, for stores with {@link ObjectUploads}. */
export function resumableUploads(uploads: ObjectUploads, { placeOf, writable, putAsk, written }: Folders): ResumableUploads {
  const keyOf = (path: string): string => placeOf(path).key;

  /**
   * The name is taken by another writer, or by this upload: an earlier call may have finished it and its response was lost. In that case
   * the session is unknown.
   */
  async function unlessFinished(error: unknown, key: string, ask: UploadOptions): Promise<never> {
    if (!isKind(error, 'alreadyExists')) throw error;
    if (!uploads.isFinished) await uploads.state(key, ask);
    else if (await uploads.isFinished(key, ask)) throw unknownUpload(error);
    throw error;
  }

  return {
    async beginUpload(path, ask) {
      if (ask.size === 0) throw new ConnectorError('unsupported', 'an empty file has no parts');
      const { key } = await writable(path, ask);
      return uploads.begin(key, { ...putAsk(ask), size: ask.size });
    },
    async sendPart(path, body, ask) {
      try {
        return await uploads.sendPart(keyOf(path), body, ask);
      } finally {
        body.destroy();
      }
    },
    uploadState: async (path, ask) => uploads.state(keyOf(path), ask),
    async finishUpload(path, { session, parts, hashes, ...ask }) {
      const key = keyOf(path);
      const { signal, size } = ask;
      await writable(path, ask).catch((error: unknown) => unlessFinished(error, key, { signal, session }));
      const { object, proof } = await uploads.finish(key, { ...putAsk(ask), size, session, parts, hashes });
      mustHold(object, size, hashes);
      return { entry: fileEntry(written(object), nameOf(path)), ...(proof && { proof }) };
    },
    abandonUpload: async (path, ask) => uploads.abandon(keyOf(path), ask),
  };
}

/** Uploads of files in numbered parts, for stores with {@link NumberedObjectUploads}. */
export function numberedUploads(uploads: NumberedObjectUploads, { placeOf, writable, putAsk, written }: Folders): NumberedUploads {
  const keyOf = (path: string): string => placeOf(path).key;
  return {
    async beginNumbered(path, ask) {
      const { key } = await writable(path, ask);
      return uploads.begin(key, putAsk(ask));
    },
    async sendNumbered(path, body, ask) {
      try {
        return await uploads.sendPart(keyOf(path), body, ask);
      } finally {
        body.destroy();
      }
    },
    async finishNumbered(path, { session, parts, ...ask }) {
      const { key } = await writable(path, ask);
      const { object, proof } = await uploads.finish(key, { ...putAsk(ask), size: ask.size, session, parts });
      mustHold(object, ask.size, {});
      return { entry: fileEntry(written(object), nameOf(path)), ...(proof && { proof }) };
    },
    abandonNumbered: async (path, ask) => uploads.abandon(keyOf(path), ask),
  };
}

/** Rejects with `damaged` when the size or a hash of the stored object differs from the bytes that were sent. */
function mustHold(object: StoredObject, size: number, hashes: Hashes): void {
  if (object.size !== size) throw new ConnectorError('damaged', `the store has ${object.size} of ${size} bytes`);
  for (const [name, stored] of Object.entries(object.hashes ?? {})) {
    const sent = hashes[name as HashName];
    if (sent !== undefined && sent !== stored) throw new ConnectorError('damaged', `the stored bytes have another ${name} than those sent`);
  }
}

/** The division of an object into parts, stored in every session. */
export interface PartPlan {
  readonly partSize: number;
  /** Size of the object in bytes. */
  readonly size: number;
}

/** Returns the size of each part in bytes, in whole MiB: the usual size unless that would need more than `mostParts`. */
export const partSizeFor = (size: number, mostParts: number, usual = usualPartSize): number =>
  Math.max(usual, Math.ceil(size / mostParts / MiB) * MiB);

/** Decodes a session; throws `notFound` for anything else. */
export function sessionAs<S extends TSchema>(schema: S, session: string): Static<S> {
  try {
    return parseJson(schema, session);
  } catch (error) {
    throw isKind(error, 'unexpected') ? unknownUpload(error) : error;
  }
}

/** Returns the size of the part with that index in bytes; 0 when there is none. */
export const sizeOfPart = ({ partSize, size }: PartPlan, index: number): number => Math.max(0, Math.min(partSize, size - index * partSize));

/** Returns the index of a part; rejects with `sizeDiffers` when the plan has no such part. */
export function indexOfPart(plan: PartPlan, { offset, size }: Pick<PartOptions, 'offset' | 'size'>): number {
  const index = offset / plan.partSize;
  if (Number.isInteger(index) && size > 0 && sizeOfPart(plan, index) === size) return index;
  throw new ConnectorError('sizeDiffers', `${size} bytes from ${offset} on are no part of this upload`);
}

/**
 * Returns the receipts in the order of the parts. Rejects with `sizeDiffers` when one is missing, because stores assemble an object from
 * whichever parts they are given. `known` asks the store for the upload, so that an unknown one is reported as such.
 */
export async function receiptsOf(plan: PartPlan, parts: readonly SentPart[], known: () => Promise<unknown>): Promise<string[]> {
  const count = Math.ceil(plan.size / plan.partSize);
  const isWhole =
    parts.length === count &&
    parts.every(({ offset, size }, index) => offset === index * plan.partSize && size === sizeOfPart(plan, index));
  if (isWhole) return parts.map(({ receipt }) => receipt);
  await known();
  throw new ConnectorError('sizeDiffers', `${parts.length} of ${count} parts are there`);
}
