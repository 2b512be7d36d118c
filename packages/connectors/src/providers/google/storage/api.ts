import { type Static, Type } from 'typebox';
import { ConnectorError } from '../../../core/error.ts';
import type { Hashes } from '../../../core/hashes.ts';
import type { StoredObject } from '../../../kit/object-store/object-store.ts';

const text = Type.Optional(Type.String());

/** The requested fields of an object: https://cloud.google.com/storage/docs/json_api/v1/objects */
export const CloudObject = Type.Object({
  name: Type.String({ minLength: 1 }),
  size: Type.String({ pattern: '^[0-9]+$' }),
  generation: Type.String({ pattern: '^[0-9]+$' }),
  timeCreated: text,
  /** When it stopped being the present generation of its name. */
  timeDeleted: text,
  contentType: text,
  md5Hash: text,
  crc32c: text,
  metadata: Type.Optional(Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string' } })),
});
export type CloudObject = Static<typeof CloudObject>;
export const objectFields = 'name,size,generation,timeCreated,contentType,md5Hash,crc32c,metadata';

export const ObjectList = Type.Object({
  items: Type.Optional(Type.Array(CloudObject)),
  prefixes: Type.Optional(Type.Array(Type.String())),
  nextPageToken: text,
});
export const listFields = `nextPageToken,prefixes,items(${objectFields})`;

/** Objects of all generations: https://cloud.google.com/storage/docs/object-versioning */
export const versionFields = `nextPageToken,items(${objectFields},timeDeleted)`;

export const BucketVersioning = Type.Object({ versioning: Type.Optional(Type.Object({ enabled: Type.Optional(Type.Boolean()) })) });

export const Rewrite = Type.Object({ done: Type.Boolean(), rewriteToken: text });

/** Stores a file's modification time in seconds; gsutil uses this name and rclone reads it. */
const timeName = 'goog-reserved-file-mtime';
/** The name that rclone uses; its value is a date. */
const otherTimeName = 'mtime';

export const timeMetadata = (fileTime: number | undefined): { readonly metadata?: Readonly<Record<string, string>> } =>
  fileTime === undefined ? {} : { metadata: { [timeName]: String(Math.floor(fileTime)) } };

/** Converts to a stored object. The generation serves as the etag: unique per write and never reused. */
export function toObject({ name, size, generation, timeCreated, contentType, md5Hash, crc32c, metadata = {} }: CloudObject): StoredObject {
  const modified = secondsOf(timeCreated);
  const fileTime = metadata[timeName] === undefined ? secondsOf(metadata[otherTimeName]) : Number(metadata[timeName]);
  return {
    key: name,
    size: Number(size),
    etag: generation,
    ...(modified !== undefined && { modified }),
    ...(fileTime !== undefined && Number.isFinite(fileTime) && { fileTime }),
    ...(contentType !== undefined && { mimeType: contentType }),
    ...hashesOf(md5Hash, crc32c),
  };
}

/** Hashes that the service computes itself: CRC-32C always, MD5 except for composed objects. */
function hashesOf(md5: string | undefined, crc32c: string | undefined): { readonly hashes?: Hashes } {
  if (md5 === undefined && crc32c === undefined) return {};
  return { hashes: { ...(crc32c !== undefined && { crc32c: toHex(crc32c) }), ...(md5 !== undefined && { md5: toHex(md5) }) } };
}

const toHex = (base64: string): string => Buffer.from(base64, 'base64').toString('hex');

/** Returns the header with which the service rejects bytes that have another hash. */
export function hashHeader({ crc32c, md5 }: Hashes): Record<string, string> {
  const told = Object.entries({ crc32c, md5 }).filter(([, hash]) => hash !== undefined);
  const text = told.map(([name, hash]) => `${name}=${Buffer.from(hash ?? '', 'hex').toString('base64')}`).join(',');
  return text === '' ? {} : { 'x-goog-hash': text };
}

function secondsOf(date: string | undefined): number | undefined {
  const time = Date.parse(date ?? '');
  return Number.isNaN(time) ? undefined : Math.floor(time / 1000);
}

/** Reads an object's properties from download headers. `size` is the size of the whole object, also for a range request. */
export function objectOfHeaders(key: string, headers: Readonly<Record<string, string>>): StoredObject {
  const whole =
    /\/(\d+)$/.exec(headers['content-range'] ?? '')?.[1] ?? headers['x-goog-stored-content-length'] ?? headers['content-length'];
  const { md5, crc32c } = hashesIn(headers);
  return toObject({
    name: key,
    size: whole ?? '0',
    generation: headers['x-goog-generation'] ?? '',
    ...(headers['last-modified'] !== undefined && { timeCreated: headers['last-modified'] }),
    ...(headers['content-type'] !== undefined && { contentType: headers['content-type'] }),
    ...(md5 !== undefined && { md5Hash: md5 }),
    ...(crc32c !== undefined && { crc32c }),
  });
}

/** Parses the hashes of the whole object in the response headers: `crc32c=…,md5=…`, base64, in one header or in two. */
export function hashesIn(headers: Readonly<Record<string, string>>): { readonly md5?: string; readonly crc32c?: string } {
  const found = [...(headers['x-goog-hash'] ?? '').matchAll(/\b(md5|crc32c)=([A-Za-z0-9+/]+=*)/g)];
  return Object.fromEntries(found.map(([, name = '', value = '']) => [name, value]));
}

/** https://cloud.google.com/storage/docs/objects#naming */
export function isName(key: string): boolean {
  const isForbidden = key === '' || key === '.' || key === '..' || key.startsWith('.well-known/acme-challenge/') || /[\r\n]/.test(key);
  return !isForbidden && Buffer.byteLength(key) <= 1024;
}

/** Throws `badName` for an invalid object name. */
export function mustBeName(key: string): void {
  if (!isName(key)) throw new ConnectorError('badName', 'no object can have this name');
}
