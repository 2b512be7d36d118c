import type { Readable } from 'node:stream';
import type { CallOptions, Entry, WriteOptions } from './connector.ts';
import type { HashName, Hashes } from './hashes.ts';

/** Options of `beginUpload`. */
export interface BeginUploadOptions extends CallOptions, Pick<WriteOptions, 'ifExists' | 'modified' | 'mimeType'> {
  /** Bytes of the file. */
  readonly size: number;
}

/** An upload that has begun at the source and can be continued by another process. */
export interface Upload {
  /** What continues the upload: a JSON text, possibly with the address of the provider's session, which is a secret. Store it sealed. */
  readonly session: string;
  /** Bytes of each part except the last. */
  readonly partSize: number;
  /** Most parts that may be sent at the same time. 1: parts are sent in order, and one may begin at the offset that `uploadState` reports. */
  readonly parallel: number;
  /** Epoch seconds until which the source keeps the parts; absent when it does not limit this. */
  readonly expires?: number;
  /** Hashes of the whole file that `finishUpload` requires. */
  readonly needs?: readonly HashName[];
  /** To be called once the session is stored durably: the upload's leftover note would otherwise let its parts be removed. */
  kept(): void;
}

/** Options of the calls that continue an upload. */
export interface UploadOptions extends CallOptions {
  readonly session: string;
}

/** A part that the source has confirmed. */
export interface SentPart {
  /** First byte of the file that the part holds. */
  readonly offset: number;
  /** Bytes. */
  readonly size: number;
  /** What the source confirmed it with, such as an etag; opaque, no secret. */
  readonly receipt: string;
}

/** What the source has of an upload: for uploads in order the bytes before `offset`, otherwise the listed parts. */
export type UploadState = { readonly offset: number } | { readonly parts: readonly SentPart[] };

/** Options of `sendPart`. */
export interface PartOptions extends UploadOptions {
  readonly offset: number;
  /** Bytes of the part. */
  readonly size: number;
}

/** Options of `finishUpload`. */
export interface FinishUploadOptions extends UploadOptions, BeginUploadOptions, Pick<WriteOptions, 'keep' | 'setAside'> {
  /** Every part, in the order of offsets; empty for uploads in order. */
  readonly parts: readonly SentPart[];
  /** Computed from the sent bytes: at least what `Upload.needs` names. */
  readonly hashes: Hashes;
}

/** A stored file, and how its bytes were compared where the source reports no hash of the whole file. */
export interface FinishedUpload {
  readonly entry: Entry;
  /** A hash that only this source defines, such as the etag of an object in parts: computed from the confirmed parts, and as reported. */
  readonly proof?: { readonly algorithm: string; readonly computed: string; readonly stored: string };
}

/**
 * The methods of {@link Connector} for uploads that survive the end of the process: all exist, or none. The file appears when `finishUpload` succeeds,
 * not before; until then an existing file is unchanged. An unknown or expired session rejects with `notFound`.
 */
export interface ResumableUploads {
  /** Begins an upload; rejects as `write` does. */
  beginUpload(file: string, ask: BeginUploadOptions): Promise<Upload>;
  /** Stores a part of exactly `size` bytes and returns its receipt. The body is consumed or destroyed in any case. */
  sendPart(file: string, body: Readable, ask: PartOptions): Promise<string>;
  /** Asks the source what it has. */
  uploadState(file: string, ask: UploadOptions): Promise<UploadState>;
  /** Makes the file of its parts; rejects with `alreadyExists` when the name was taken and `ifExists` is `fail`, with `damaged` for differing hashes. */
  finishUpload(file: string, ask: FinishUploadOptions): Promise<FinishedUpload>;
  /** Removes the parts; does nothing when they are gone. */
  abandonUpload(file: string, ask: UploadOptions): Promise<void>;
}

/** Options of `beginNumbered`. */
export type BeginNumberedOptions = Omit<BeginUploadOptions, 'size'>;

/** An upload in numbered parts that has begun at the source and can be continued by another process. */
export interface NumberedUpload extends Pick<Upload, 'session' | 'expires' | 'kept'> {
  /** Least bytes of a part that is not the last one. */
  readonly smallest: number;
}

/** A numbered part; numbers are 1 to 10,000. */
export interface NumberedPart {
  readonly number: number;
  /** Bytes, at least one. */
  readonly size: number;
}

export interface FinishNumberedOptions extends UploadOptions, BeginUploadOptions {
  /** The parts that make the file, in ascending order of their numbers, each with what `sendNumbered` returned. */
  readonly parts: readonly (NumberedPart & { readonly receipt: string })[];
}

/**
 * The methods of {@link Connector} for uploads whose size and parts nobody announces: all exist, or none. Parts may be sent at the same time and in any
 * order; one that is sent again takes the place of the earlier one once it has arrived whole. The file appears when `finishNumbered` succeeds; until then an
 * existing file is unchanged. An unknown or expired session rejects with `notFound`.
 */
export interface NumberedUploads {
  /** Begins an upload; rejects as `write` does. */
  beginNumbered(file: string, ask: BeginNumberedOptions): Promise<NumberedUpload>;
  /** Stores a part of exactly `size` bytes and returns its receipt. The body is consumed or destroyed in any case. */
  sendNumbered(file: string, body: Readable, ask: UploadOptions & NumberedPart): Promise<string>;
  /** Makes the file of the named parts; rejects with `alreadyExists` when the name was taken and `ifExists` is `fail`. */
  finishNumbered(file: string, ask: FinishNumberedOptions): Promise<FinishedUpload>;
  /** Removes the parts; does nothing when they are gone. */
  abandonNumbered(file: string, ask: UploadOptions): Promise<void>;
}
