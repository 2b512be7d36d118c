import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { nameOf, parentOf } from '@sheaf/connectors';
import { AppError, linkUriOf } from '@sheaf/contract';
import { validatorsOf } from '#/files/bodies/validators.ts';
import type { Listings } from '#/files/listings/service.ts';
import type { Window } from '#/serving/programs/windows.ts';
import { type DavAnswer, DavError } from './answers.ts';
import { checkMatch } from './conditions.ts';
import type { ItemTarget } from './targets.ts';

interface Asked {
  readonly headers: IncomingHttpHeaders;
  readonly window: Window;
  /** Announced bytes; absent for a chunked body. */
  readonly size?: number;
  /** Begins to read the body. */
  readonly body: () => Readable;
  readonly signal: AbortSignal;
}

const numberOf = (header: string | string[] | undefined): number | undefined => {
  const [, digits] = /^\s*(\d{1,15})(?:\.\d+)?\s*$/.exec(typeof header === 'string' ? header : '') ?? [];
  return digits === undefined ? undefined : Number(digits);
};

/**
 * PUT: streams the body to the source. Finder sends chunks and tells the length in X-Expected-Entity-Length; rclone and others tell the file's time in
 * X-OC-Mtime, in epoch seconds.
 */
export async function put(target: ItemTarget, listings: Listings, { headers, window, size, body, signal }: Asked): Promise<DavAnswer> {
  const { item, isFolder } = target;
  // A part of a file cannot be replaced: RFC 9110, section 14.5.
  if (headers['content-range'] !== undefined) throw new DavError(400);
  if (isFolder) throw new DavError(405);
  const [folder, name] = [parentOf(item.path), nameOf(item.path)];
  const { entry, mustBeNew } = await checkMatch(headers, target, signal);
  const before = entry ?? (await listings.findEntry(item.userLinkId, folder, name));
  if (entry?.kind === 'folder') throw new DavError(405);
  const total = size ?? numberOf(headers['x-expected-entity-length']);
  const seconds = numberOf(headers['x-oc-mtime']);
  try {
    const stored = await window.content.storeFile(
      item.userId,
      {
        parentLinkUri: linkUriOf(item.userLinkId, folder),
        name,
        conflict: mustBeNew ? 'fail' : 'replace',
        ...(total !== undefined && { size: total }),
        ...(seconds !== undefined && { modified: seconds * 1000 }),
      },
      body(),
      signal,
    );
    const { etag } = validatorsOf(stored);
    return {
      status: before ? 204 : 201,
      headers: { ...(etag !== undefined && { etag }), ...(seconds !== undefined && { 'x-oc-mtime': 'accepted' }) },
    };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // Without a precondition, somebody has taken the name since it was seen free: the program may try again.
    if (error.messageCode === 'NAME_TAKEN') throw new DavError(mustBeNew ? 412 : 409);
    // The folder is missing: RFC 4918, section 9.7.1.
    if (error.messageCode === 'ITEM_NOT_FOUND') throw new DavError(409);
    throw error;
  }
}
