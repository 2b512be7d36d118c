import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { UndoId, appError, limits, tus } from '@sheaf/contract';
import { Check } from 'typebox/value';

/** What the metadata of a new upload says. */
export interface UploadMetadata {
  readonly parentLinkUri: string;
  readonly name: string;
  readonly conflict: 'fail' | 'replace' | 'rename';
  /** Epoch milliseconds. */
  readonly modified?: number;
  /** For files that are undone together. */
  readonly undoId?: string;
}

const malformed = (): Error => appError('MALFORMED_REQUEST', {});

/** One header as text; undefined when it is absent. */
export const headerOf = (headers: IncomingHttpHeaders, name: string): string | undefined => {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
};

/** A header with a number of bytes; throws MALFORMED_REQUEST without one. */
export function bytesOf(headers: IncomingHttpHeaders, name: string): number {
  const text = headerOf(headers, name) ?? '';
  const bytes = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(bytes)) throw malformed();
  return bytes;
}

/**
 * Reads `Upload-Metadata`: pairs of a key and base64, separated by commas (tus 1.0, creation). With `folder`, uploads go there, and a taken name gets a
 * number, whatever the header says. Throws MALFORMED_REQUEST.
 */
export function metadataOf(header: string, folder?: string): UploadMetadata {
  if (header.length > limits.uploadMetadata) throw malformed();
  const pairs = new Map<string, string>();
  for (const pair of header.split(',')) {
    const [key = '', value = '', ...more] = pair.trim().split(' ');
    if (key === '' || more.length > 0 || pairs.has(key)) throw malformed();
    pairs.set(key, decoded(value));
  }
  const parentLinkUri = folder ?? pairs.get('parentLinkUri') ?? '';
  const name = pairs.get('name') ?? pairs.get('filename') ?? '';
  const conflict = folder === undefined ? (pairs.get('conflict') ?? 'fail') : 'rename';
  if (parentLinkUri === '' || name === '') throw appError('MISSING_PARAMETER', {});
  if (conflict !== 'fail' && conflict !== 'replace' && conflict !== 'rename') throw malformed();
  const modified = pairs.get('modified');
  if (modified !== undefined && !/^-?\d{1,15}$/.test(modified)) throw malformed();
  const undoId = pairs.get('undoId');
  if (undoId !== undefined && !Check(UndoId, undoId)) throw malformed();
  return {
    parentLinkUri,
    name,
    conflict,
    ...(modified !== undefined && { modified: Number(modified) }),
    ...(undoId !== undefined && { undoId }),
  };
}

/** Base64 of UTF-8. Throws MALFORMED_REQUEST for anything else. */
function decoded(text: string): string {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64').replace(/=+$/, '') !== text.replace(/=+$/, '')) throw malformed();
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw malformed();
  }
}

/** The checksum that the client tells of a request's bytes. */
export interface Checksum {
  matches(bytes: Uint8Array): boolean;
}

/** Reads `Upload-Checksum`: an algorithm and base64 (tus 1.0, checksum). Throws MALFORMED_REQUEST for an algorithm that is not offered. */
export function checksumOf(header: string): Checksum {
  const [algorithm = '', value = ''] = header.split(' ');
  if (!(tus.checksums as readonly string[]).includes(algorithm)) throw malformed();
  return { matches: (bytes) => createHash(algorithm).update(bytes).digest('base64') === value };
}
