import { isSegment } from '@sheaf/contract';
import type { Entry } from '../../core/connector.ts';
import { ConnectorError } from '../../core/error.ts';
import type { Operation } from '../../core/operations.ts';
import type { Segment } from '../../core/segment.ts';
import { decodeName, encodeName } from '../../kit/names/name-bytes.ts';
import { segmentsOf } from '../../kit/names/path.ts';

/** The supported protocol version: docs/gateway/protocol.md. */
const protocol = 1;
export const prefix = '/sheaf/v1';

/** Connector methods, and hashes, that a server may lack. */
export type Ability = Operation | 'readMany' | 'hash';

/** Calls of uploads in parts: a server has all of them or none. */
export const uploadOperations = ['beginUpload', 'sendPart', 'uploadState', 'finishUpload', 'abandonUpload'] as const;

/** Connector operations for each protocol capability: `rename` is a move. */
const operationsOf: Readonly<Record<string, readonly Ability[]>> = {
  readMany: ['readMany'],
  write: ['write'],
  createFolder: ['createFolder'],
  move: ['rename', 'move'],
  copy: ['copy'],
  remove: ['remove'],
  ...Object.fromEntries([...uploadOperations, 'hash' as const].map((name) => [name, [name]])),
};

const unexpected = (message: string, cause?: unknown) => new ConnectorError('unexpected', message, { cause });

/** Encodes a path parameter: every segment percent-encoded byte by byte. Throws `badName` for an invalid name. */
export function wirePath(path: string): string {
  const segments = segmentsOf(path);
  return segments.length === 0 ? '/' : segments.map((segment) => `/${encodeBytes(segment)}`).join('');
}

function encodeBytes(name: Segment): string {
  const bytes = encodeName(name);
  // Only names that are not valid UTF-8 differ from their text.
  if (bytes.toString('utf8') === name) return encodeURIComponent(name);
  return Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

/** Returns the write capabilities in the response to `info`; throws `unexpected` for any other server. */
export function readCapabilities(text: string): readonly Ability[] {
  const info = parseObject(text);
  if (info['protocol'] !== protocol || !Array.isArray(info['capabilities'])) throw unexpected('the server speaks another protocol');
  return info['capabilities'].flatMap((capability: unknown) => (typeof capability === 'string' ? (operationsOf[capability] ?? []) : []));
}

export const readEntry = (text: string): Entry => toEntry(parseObject(text));

/** Parses one entry; throws `unexpected` when it is invalid. */
export function toEntry(wire: Readonly<Record<string, unknown>>): Entry {
  const { kind, size, modified, etag, mimeType, link, hashes } = wire;
  const sha256 = isObject(hashes) ? hashes['sha256'] : undefined;
  const name = nameOf(wire);
  if (name === undefined || (kind !== 'file' && kind !== 'folder')) throw unexpected('an entry without a name or a kind');
  return {
    name,
    kind,
    ...(kind === 'file' && typeof size === 'number' && Number.isSafeInteger(size) && size >= 0 && { size }),
    ...(typeof modified === 'number' && Number.isFinite(modified) && { modified: Math.floor(modified) }),
    ...(kind === 'file' && typeof etag === 'string' && etag !== '' && { etag }),
    ...(kind === 'file' && typeof mimeType === 'string' && { mimeType }),
    ...(link === true && { isLink: true as const }),
    ...(typeof sha256 === 'string' && /^[0-9a-f]{64}$/.test(sha256) && { hashes: { sha256 } }),
  };
}

function nameOf({ name, encodedName }: Readonly<Record<string, unknown>>): string | undefined {
  const text =
    typeof encodedName === 'string' ? decodeName(bytesOf(encodedName)) : typeof name === 'string' ? decodeMarked(name) : undefined;
  return text === undefined || (text !== '' && !isSegment(text)) ? undefined : text;
}

/** A name that resembles the encoding of invalid UTF-8 must not be decoded as such. */
const decodeMarked = (name: string): string => (/[\u{10fe80}-\u{10feff}]/u.test(name) ? decodeName(Buffer.from(name, 'utf8')) : name);

const bytesOf = (encoded: string): Buffer =>
  Buffer.from(
    encoded.replace(/%([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))),
    'latin1',
  );

/** Parses the response to the beginning of an upload. */
export function readUpload(text: string): { readonly upload: string; readonly expires: number } {
  const { upload, expires } = parseObject(text);
  if (typeof upload !== 'string' || !/^[\w-]{1,200}$/.test(upload) || typeof expires !== 'number' || !Number.isFinite(expires))
    throw unexpected('an upload without an id or an end');
  return { upload, expires };
}

/** Parses the number of bytes that the server has of an upload. */
export function readOffset(text: string): number {
  const { offset } = parseObject(text);
  if (typeof offset !== 'number' || !Number.isSafeInteger(offset) || offset < 0) throw unexpected('an upload without an offset');
  return offset;
}

export function parseObject(text: string): Readonly<Record<string, unknown>> {
  const value = parse(text);
  if (!isObject(value)) throw unexpected('the answer is no JSON object');
  return value;
}

/** Parses complete lines of a listing, each ended by a line feed. One JSON parse for all is much faster than one per line. */
export function parseLines(lines: string): readonly Readonly<Record<string, unknown>>[] {
  const values = parse(`[${lines.trimEnd().replaceAll('\n', ',')}]`);
  if (!Array.isArray(values) || !values.every(isObject)) throw unexpected('a line of the listing is no JSON object');
  return values;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unexpected('the answer is no JSON', cause);
  }
}
