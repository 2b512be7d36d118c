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

export function validatorsOf(facts: Facts): Validators {
  const [etag, lastModified] = [etagOf(facts), lastModifiedOf(facts)];
  return { ...(etag !== undefined && { etag }), ...(lastModified !== undefined && { lastModified }) };
}

export function etagOf({ etag, modified, size }: Facts): string | undefined {
  if (etag !== undefined) return `"${hash('sha256', etag, 'base64url').slice(0, 22)}"`;
  return modified === undefined ? undefined : `"${modified}-${size ?? ''}"`;
}

export function lastModifiedOf({ modified }: Facts): string | undefined {
  const date = modified === undefined ? undefined : new Date(modified * 1000);
  return date && !Number.isNaN(date.getTime()) ? date.toUTCString() : undefined;
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
