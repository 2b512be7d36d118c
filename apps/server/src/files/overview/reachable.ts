import type { ReadableFolder } from '#/files/listings/rows/readable.ts';

/** A link that a user may read, and the folders of links whose stored listings tell of it: its own, and for a Space that of its storage. */
export interface Reachable {
  readonly userLinkId: string;
  readonly name: string;
  readonly memberOid?: string;
  readonly folders: readonly ReadableFolder[];
}
