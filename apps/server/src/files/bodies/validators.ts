import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Entry } from '@sheaf/connectors';

/** Validators of a client's copy (RFC 9110 section 8.8). */
export interface Validators {
  /** With its quotes; absent when the source has neither a tag nor a modification time. */
  readonly etag?: string;
  /** As an HTTP date. */
  readonly lastModified?: string;
}

type Facts = Partial<Pick<Entry, 'etag' | 'modified' | 'size'>>;

export function validatorsOf({ etag, modified, size }: Facts): Validators {
  const state = etag ?? (modified === undefined ? undefined : `${modified}/${size ?? ''}`);
  const date = modified === undefined ? undefined : new Date(modified * 1000);
  return {
    ...(state !== undefined && { etag: `"${hash('sha256', state, 'base64url').slice(0, 22)}"` }),
    ...(date && !Number.isNaN(date.getTime()) && { lastModified: date.toUTCString() }),
  };
}

/** Whether the client's copy is current (304): by tag, or without one by date. */
export function isUnchanged(headers: IncomingHttpHeaders, { etag, lastModified }: Validators): boolean {
  const tags = headers['if-none-match'];
  if (tags !== undefined)
    return tags.trim() === '*' || (etag !== undefined && tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag));
  const since = Date.parse(headers['if-modified-since'] ?? '');
  return lastModified !== undefined && Date.parse(lastModified) <= since;
}

/** Whether a range continues the client's copy: If-Range is absent, or names exactly this version of the file. */
export function isRangeOfSame(headers: IncomingHttpHeaders, { etag, lastModified }: Validators): boolean {
  const condition = headers['if-range'];
  return condition === undefined || condition === etag || condition === lastModified;
}
