import { type Static, Type } from 'typebox';
import { call } from '../call.ts';

/** Most links that one stream follows. */
export const mostFollowed = 32;

/** Folders whose stored listings have changed. Carries addresses only: a client reads what it shows again. */
export const FolderEvents = Type.Object({
  /** Folders that have other entries than before. */
  changed: Type.Array(Type.String()),
  /** Folders that were deleted, renamed or moved, with everything below them. */
  gone: Type.Array(Type.String()),
  /** Links of which more has changed than is named here: each of their folders may have changed. */
  all: Type.Array(Type.String()),
});
export type FolderEvents = Static<typeof FolderEvents>;

/**
 * Server-sent events (WHATWG HTML, section 9.2): `folders` with {@link FolderEvents}, at most one every 50 ms for each link; `missed` without data, when
 * events may have been lost; `alive` every 15 seconds. Begins with the changes of the last seconds, so that a client that has just read a folder misses
 * none. Links that the caller may not open are left out, also from the moment at which the right ends. Ends with the session.
 */
export const folderEvents = call({
  method: 'GET',
  path: '/rest/content/events',
  input: Type.Object({ userLinkId: Type.Array(Type.String(), { maxItems: mostFollowed }) }),
  reply: Type.Unknown(),
  summary: 'Changes of folders in some links of the user, as server-sent events.',
});
