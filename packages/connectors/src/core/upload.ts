import type { Readable } from 'node:stream';
import type { CallOptions, Entry, WriteOptions } from './connector.ts';
import type { HashName, Hashes } from './hashes.ts';

/** Options of `beginUpload`. */
export interface BeginUploadOptions extends CallOptions, Pick<WriteOptions, 'ifExists' | 'modified' | 'mimeType'> {
  /** Size of the file in bytes. */
  readonly size: number;
}

/** An upload that has begun at the source and that another process can continue. */
export interface Upload {
  /**
   * State needed to continue the upload, as JSON. May contain the address of the provider's session, which is a secret: store it sealed.
   */
  readonly session: string;
  /** Size in bytes of each part except the last. */
  readonly partSize: number;
  /**
   * Maximum number of parts that may be sent at the same time. 1: parts are sent in order, and one may begin at the offset that
   * `uploadState` reports.
   */
  readonly parallel: number;
  /** Time in epoch seconds until which the source keeps the parts; absent when it has no limit. */
  readonly expires?: number;
  /** Hashes of the whole file that `finishUpload` requires. */
  readonly needs?: readonly HashName[];
  /** Call this once the session is stored durably: until then, the upload's leftover note lets the cleanup remove its parts. */
  kept(): void;
}

/** Options of the calls that continue an upload. */
export interface UploadOptions extends CallOptions {
  readonly session: string;
}

/** A part that the source has confirmed. */
export interface SentPart {
  /** Offset in the file of the part's first byte. */
  readonly offset: number;
  /** Bytes. */
  readonly size: number;
  /** The source's confirmation, such as an etag; opaque, not a secret. */
  readonly receipt: string;
}

/** What the source has received: for uploads in order the bytes before `offset`, otherwise the listed parts. */
export type UploadState = { readonly offset: number } | { readonly parts: readonly SentPart[] };

/** Options of `sendPart`. */
export interface PartOptions extends UploadOptions {
  readonly offset: number;
  /** Bytes of the part. */
  readonly size: number;
  /** Whether the server may hash what it has stored meanwhile, for `FinishedUpload.proof`. */
  readonly digest?: boolean;
}

/** Options of `finishUpload`. */
export interface FinishUploadOptions extends UploadOptions, BeginUploadOptions, Pick<WriteOptions, 'keep' | 'setAside'> {
  /** Every part, ordered by offset; empty for uploads in order. */
  readonly parts: readonly SentPart[];
  /** Hashes computed from the sent bytes: at least those in `Upload.needs`. */
  readonly hashes: Hashes;
}

/** A stored file, and how its bytes were verified where the source reports no hash of the whole file. */
export interface FinishedUpload {
  readonly entry: Entry;
  /**
   * A hash that the source has made of what it stored: computed from the sent bytes, and as reported. One that only this source defines,
   * such as the etag of a multipart object, or one that it was asked for by `PartOptions.digest`.
   */
  readonly proof?: { readonly algorithm: string; readonly computed: string; readonly stored: string };
}

/**
 * The methods of {@link Connector} for uploads that survive the end of the process: a connector has all or none. The file appears only when
 * `finishUpload` succeeds; until then an existing file is unchanged. An unknown or expired session rejects with `notFound`.
 */
export interface ResumableUploads {
  /** Begins an upload; rejects as `write` does. */
  beginUpload(file: string, ask: BeginUploadOptions): Promise<Upload>;
  /** Stores a part of exactly `size` bytes and returns its receipt. The body is consumed or destroyed in any case. */
  sendPart(file: string, body: Readable, ask: PartOptions): Promise<string>;
  /** Asks the source which parts or bytes it has received. */
  uploadState(file: string, ask: UploadOptions): Promise<UploadState>;
  /**
   * Assembles the file; rejects with `alreadyExists` when the name is taken and `ifExists` is `fail`, and with `damaged` when hashes
   * differ.
   */
  finishUpload(file: string, ask: FinishUploadOptions): Promise<FinishedUpload>;
  /** Removes the parts; does nothing when none exist any more. */
  abandonUpload(file: string, ask: UploadOptions): Promise<void>;
}

/** Options of `beginNumbered`. */
export type BeginNumberedOptions = Omit<BeginUploadOptions, 'size'>;

/** An upload in numbered parts that has begun at the source and that another process can continue. */
export interface NumberedUpload extends Pick<Upload, 'session' | 'expires' | 'kept'> {
  /** Minimum size in bytes of every part except the last. */
  readonly smallest: number;
}

/** A numbered part; numbers range from 1 to 10,000. */
export interface NumberedPart {
  readonly number: number;
  /** Size in bytes, at least one. */
  readonly size: number;
}

export interface FinishNumberedOptions extends UploadOptions, BeginUploadOptions {
  /** The parts of the file, in ascending order of their numbers, each with the receipt that `sendNumbered` returned. */
  readonly parts: readonly (NumberedPart & { readonly receipt: string })[];
}

/**
 * The methods of {@link Connector} for uploads whose size and parts are not known in advance: a connector has all or none. Parts may be
 * sent at the same time and in any order; a part that is sent again replaces the earlier one once it has arrived completely. The file
 * appears when `finishNumbered` succeeds; until then an existing file is unchanged. An unknown or expired session rejects with `notFound`.
 */
export interface NumberedUploads {
  /** Begins an upload; rejects as `write` does. */
  beginNumbered(file: string, ask: BeginNumberedOptions): Promise<NumberedUpload>;
  /** Stores a part of exactly `size` bytes and returns its receipt. The body is consumed or destroyed in any case. */
  sendNumbered(file: string, body: Readable, ask: UploadOptions & NumberedPart): Promise<string>;
  /** Assembles the file from the given parts; rejects with `alreadyExists` when the name is taken and `ifExists` is `fail`. */
  finishNumbered(file: string, ask: FinishNumberedOptions): Promise<FinishedUpload>;
  /** Removes the parts; does nothing when none exist any more. */
  abandonNumbered(file: string, ask: UploadOptions): Promise<void>;
}
