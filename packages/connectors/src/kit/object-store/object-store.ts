import type { Readable } from 'node:stream';
import type { Body, CallOptions, ReadOptions } from '../../core/connector.ts';
import type { HashName, Hashes } from '../../core/hashes.ts';
import type { NumberedObjectUploads, ObjectUploads } from './object-uploads.ts';
import type { ObjectVersions } from './object-versions.ts';

/** An object's metadata in its store. */
export interface StoredObject {
  readonly key: string;
  readonly size: number;
  /** Epoch seconds of the last write. */
  readonly modified?: number;
  /** The file's own modification time in epoch seconds, stored by its writer. */
  readonly fileTime?: number;
  readonly etag?: string;
  /** The id of this content among the versions of its key, in stores with versions. */
  readonly version?: string;
  readonly mimeType?: string;
  /** Hashes of the whole content, as reported by the store. */
  readonly hashes?: Hashes;
}

/** A page of a listing. Within a page every prefix comes after all objects. */
export interface ListedKeys {
  readonly objects: readonly StoredObject[];
  /** Prefixes of keys up to and including the next `/`. */
  readonly prefixes: readonly string[];
  readonly endOfPage: boolean;
}

export interface ListOptions extends CallOptions {
  /** True: every key under the prefix. False: one level; deeper keys are returned as prefixes. */
  readonly deep: boolean;
  /** Maximum number of keys to return; all by default. */
  readonly limit?: number;
  /**
   * Yields each page only when its connection is free again, for callers that send requests in between; otherwise yields keys as they
   * arrive.
   */
  readonly wholePages?: true;
}

export interface PutOptions extends CallOptions {
  /** Declared size of the body in bytes, if known. */
  readonly size?: number;
  /** Rejects with `alreadyExists` when the key is taken, where the store can check this. */
  readonly ifAbsent?: boolean;
  /** Only with `ifAbsent`: returns another key for a body in memory, which can be sent again; undefined when there is none. */
  readonly otherKey?: () => Promise<string | undefined>;
  readonly fileTime?: number;
  readonly mimeType?: string;
}

/** A flat store of objects, such as an S3 bucket or an Azure container. Rejects with ConnectorError only. */
export interface ObjectStore {
  /** Yields the keys with that prefix, in byte order. */
  list(prefix: string, ask: ListOptions): AsyncIterable<ListedKeys>;
  /** Returns the object, or undefined. */
  head(key: string, ask: CallOptions): Promise<StoredObject | undefined>;
  /** Returns the object and its bytes; rejects with `notFound` and `badRange`. The body must be drained or cancelled. */
  get(key: string, ask: ReadOptions): Promise<{ readonly object: StoredObject; body(entry?: Body['entry']): Body }>;
  /** Stores the body atomically. */
  put(key: string, body: Readable, ask: PutOptions): Promise<StoredObject>;
  /** Copies an object with its metadata inside the store. */
  copy(from: StoredObject, to: string, ask: CallOptions): Promise<void>;
  /** Deletes objects; missing ones count as deleted. Returns keys that are directories of the store and still exist. */
  remove(keys: readonly string[], ask: CallOptions): Promise<readonly string[] | void>;
  /** Deletes a directory, whose key has no trailing slash, if it is empty; only in stores with directories. */
  removeDirectory?(key: string, ask: CallOptions): Promise<void>;
  close(): void;
  /** Uploads that another process continues. */
  readonly uploads?: ObjectUploads;
  readonly numbered?: NumberedObjectUploads;
  /** Server-side copies of objects of other links of the same service. */
  readonly others?: {
    /** The service and, where locations depend on it, the account: see `ServiceCopies`. */
    readonly service: string;
    /** The account, where a copy by another account needs another location. */
    readonly account?: string;
    /** `forAccount` is the `account` of the link that will copy the object. */
    locationOf(object: StoredObject, forAccount: string | undefined): string;
    /** Copies an object by its location; `object` is its metadata as seen by its own link. */
    copy(location: string, object: StoredObject, to: string, ask: CallOptions): Promise<void>;
  };
  /** Versions of replaced and deleted objects. */
  readonly versions?: ObjectVersions;
  /** Hashes that the store's objects may have. */
  readonly hashes?: readonly HashName[];
  /** Whether listings contain `fileTime`. */
  readonly listsFileTimes: boolean;
}
