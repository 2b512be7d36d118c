import { type Static, Type } from 'typebox';
import { call } from '../call.ts';

/** Maximum number of links in one stream. */
export const mostFollowed = 32;

/** Folders whose stored listings have changed. Contains addresses only: the client reloads what it shows. */
export const FolderEvents = Type.Object({
  /** Folders whose entries have changed. */
  changed: Type.Array(Type.String()),
  /** Folders that were deleted, renamed or moved with their contents. */
  gone: Type.Array(Type.String()),
  /** Links with too many changes to name: any of their folders may have changed. */
  all: Type.Array(Type.String()),
});
export type FolderEvents = Static<typeof FolderEvents>;

/**
 * Server-sent events (WHATWG HTML, section 9.2): `folders` with {@link FolderEvents}, at most one every 50 ms for each link; `missed` without data, when
 * events may have been lost; `alive` every 15 seconds. Begins with the changes of the last seconds, so that a client that has just read a folder misses
 * none. Omits links that the caller may not open, and stops sending a link when the permission ends. Ends with the session.
 */
export const folderEvents = call({
  method: 'GET',
  path: '/rest/content/events',
  input: Type.Object({ userLinkId: Type.Array(Type.String(), { maxItems: mostFollowed }) }),
  reply: Type.Unknown(),
  summary: 'Changes of folders in some links of the user, as server-sent events.',
});
