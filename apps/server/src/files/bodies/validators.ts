import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Entry } from '@sheaf/connectors';

/** By what a client tells whether its copy is still right (RFC 9110 section 8.8). */
export interface Validators {
  /** With its quotes; absent when the source tells neither a tag of its own nor the time of the last change. */
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

/** Whether the client's copy is the file as it is (304): by tag, and only without one by date. */
export function isUnchanged(headers: IncomingHttpHeaders, { etag, lastModified }: Validators): boolean {
  const tags = headers['if-none-match'];
  if (tags !== undefined)
    return tags.trim() === '*' || (etag !== undefined && tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag));
  const since = Date.parse(headers['if-modified-since'] ?? '');
  return lastModified !== undefined && Date.parse(lastModified) <= since;
}

/** Whether a range may be added to what the client has: If-Range is absent, or names exactly this state of the file. */
export function isRangeOfSame(headers: IncomingHttpHeaders, { etag, lastModified }: Validators): boolean {
  const condition = headers['if-range'];
  return condition === undefined || condition === etag || condition === lastModified;
}
