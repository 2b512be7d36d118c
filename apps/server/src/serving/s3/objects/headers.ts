import type { IncomingHttpHeaders } from 'node:http';
import { nameOf } from '@sheaf/connectors';
import { contentDisposition } from '#/files/bodies/content-disposition.ts';
import { mediaTypeOf } from '#/files/items/media-type.ts';
import { S3Error } from '../errors.ts';
import { headerOf } from '../request.ts';
import { type Facts, type Meta, type ObjectFacts, longestMeta } from './memory.ts';

const ownStart = 'x-amz-meta-';
/** A stored HTML page must not run scripts in Sheaf's origin. */
const policy = "sandbox; default-src 'none'; frame-ancestors 'none'";
/** Latest time that a file can have, in epoch seconds: the year 9999. */
const latest = 253_402_300_799;

/** What a client wants to be kept with an object. Throws InvalidArgument when it is too long. */
export function metaOf(headers: IncomingHttpHeaders): Meta {
  const own: Record<string, string> = {};
  let length = 0;
  for (const name of Object.keys(headers)) {
    if (!name.startsWith(ownStart)) continue;
    const value = headerOf(headers, name) ?? '';
    own[name.slice(ownStart.length)] = value;
    length += name.length + value.length;
  }
  const contentType = headerOf(headers, 'content-type')?.slice(0, 200);
  if (length > longestMeta) throw new S3Error('InvalidArgument', 'The metadata is longer than 2 KB.');
  return { own, ...(contentType !== undefined && { contentType }) };
}

/** The time that rclone, s3fs and others keep with an object, in epoch seconds with a fraction. */
export function modifiedIn({ own }: Meta): number | undefined {
  const told = own['mtime'];
  if (told === undefined || !/^\d{1,12}(?:\.\d+)?$/.test(told)) return undefined;
  const seconds = Math.trunc(Number(told));
  return seconds <= latest ? seconds : undefined;
}

/** The headers that describe an object. The time is the one that the client stored, or else the file's. */
export function objectHeaders(
  path: string,
  entry: Facts & { readonly mimeType?: string },
  { etag, meta }: ObjectFacts,
): Record<string, string> {
  const name = nameOf(path);
  const date = entry.modified === undefined ? undefined : new Date(entry.modified * 1000);
  const own = { ...(meta.own['mtime'] === undefined && entry.modified !== undefined && { mtime: String(entry.modified) }), ...meta.own };
  return {
    etag: `"${etag}"`,
    'accept-ranges': 'bytes',
    ...(date && !Number.isNaN(date.getTime()) && { 'last-modified': date.toUTCString() }),
    'content-type': mediaTypeOf(name, meta.contentType ?? entry.mimeType),
    'content-disposition': contentDisposition('attachment', name),
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    ...Object.fromEntries(Object.entries(own).map(([key, value]) => [`${ownStart}${key}`, value])),
  };
}
