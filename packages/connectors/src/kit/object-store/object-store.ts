import type { Readable } from 'node:stream';
import type { Ask, Body, ByteRange } from '../../core/connector.ts';

/** An object as its store tells it. */
export interface StoredObject {
  readonly key: string;
  readonly size: number;
  /** Epoch seconds of the last write. */
  readonly modified?: number;
  /** Epoch seconds that whoever wrote it keeps with the object as the file's own time. */
  readonly fileTime?: number;
  readonly etag?: string;
  readonly mimeType?: string;
}

/** A piece of a listing. Within a page every prefix comes after all objects. */
export interface ListedKeys {
  readonly objects: readonly StoredObject[];
  /** What keys begin with up to the next `/`, that included. */
  readonly prefixes: readonly string[];
  readonly endOfPage: boolean;
}

export interface ListAsk extends Ask {
  /** True: every key under the prefix; false: one level, the rest as prefixes. */
  readonly deep: boolean;
  /** The most keys wanted; absent: all. */
  readonly limit?: number;
  /** Gives each page once its connection is free again, for callers that ask for more in between; otherwise keys come as they arrive. */
  readonly wholePages?: true;
}

export interface PutAsk extends Ask {
  /** Bytes that will come, when known; never another number. */
  readonly size?: number;
  /** Rejects with `alreadyExists` when the key is taken, where the store can tell. */
  readonly ifAbsent?: boolean;
  /** Only with `ifAbsent`: another key for a body that can be sent again because it is in memory; undefined when there is none. */
  readonly otherKey?: () => Promise<string | undefined>;
  readonly fileTime?: number;
  readonly mimeType?: string;
}

/** A flat store of objects, such as an S3 bucket or an Azure container. Rejects with ConnectorError only. */
export interface ObjectStore {
  /** Keys that begin with `prefix`, in the order of their bytes. */
  list(prefix: string, ask: ListAsk): AsyncIterable<ListedKeys>;
  /** The object, or undefined. */
  head(key: string, ask: Ask): Promise<StoredObject | undefined>;
  /** The object and its bytes; rejects with `notFound` and `badRange`. The body must be taken and drained or cancelled. */
  get(
    key: string,
    ask: Ask & { readonly range?: ByteRange },
  ): Promise<{ readonly object: StoredObject; body(entry?: Body['entry']): Body }>;
  /** Stores the whole body or nothing. */
  put(key: string, body: Readable, ask: PutAsk): Promise<StoredObject>;
  /** Copies an object with its metadata inside the store. */
  copy(from: StoredObject, to: string, ask: Ask): Promise<void>;
  /** Deletes objects; missing ones count as deleted. Gives the keys that turn out to be directories of the store, which are still there. */
  remove(keys: readonly string[], ask: Ask): Promise<readonly string[] | void>;
  /** Deletes a directory, which has no slash at its end, if it is one and empty; of stores that have directories of their own. */
  removeDirectory?(key: string, ask: Ask): Promise<void>;
  close(): void;
  /** Listings tell `fileTime`. */
  readonly listsFileTimes: boolean;
}
