import { parentOf } from '@sheaf/connectors';
import {
  type InputOf,
  type ItemEvent,
  type ReplyOf,
  type SharedBy,
  type itemActivity,
  linkUriOf,
  parseLinkUri,
  type sharedIn,
} from '@sheaf/contract';
import { type Links, type OpenItem, openItem } from '#/files/items/open-item.ts';
import type { Audit } from '#/sharing/audit/service.ts';
import type { Spaces } from '#/sharing/spaces/service.ts';
import type { Weblinks } from '#/sharing/weblinks/service.ts';

interface Deps {
  readonly links: Links;
  /** The journal's entries about an item, newest first. */
  readonly history: (item: OpenItem, limit: number) => Promise<readonly ItemEvent[]>;
  readonly audit: Pick<Audit, 'about'>;
  readonly weblinks: Pick<Weblinks, 'shared'>;
  readonly spaces: Pick<Spaces, 'foldersOf'>;
}

export type Activity = ReturnType<typeof createActivity>;

/** What was done with an item, and which items others can see; from stored rows only, without asking a source. */
export function createActivity({ links, history, audit, weblinks, spaces }: Deps) {
  return {
    /** Rejects with INVALID_LINK_URI unless the user may read the item. */
    async of(userId: string, { linkUri, memberOid, limit }: InputOf<typeof itemActivity>): Promise<ReplyOf<typeof itemActivity>> {
      const item = await openItem(links, userId, linkUri, memberOid);
      const { userLinkId, path } = item;
      // The log names a link itself by its id.
      const subjects = [linkUriOf(userLinkId, path), ...(path === '/' ? [userLinkId] : [])];
      const [changes, logged] = await Promise.all([history(item, limit + 1), audit.about(userId, subjects, limit + 1)]);
      const told = logged.map(({ id, at, actorName, actorId, sentence }) => ({ id, at, actorName, isOwn: actorId === userId, sentence }));
      const events = [...changes, ...told].toSorted((one, other) => other.at - one.at);
      return { events: events.slice(0, limit), hasMore: events.length > limit };
    },

    /** Reads only the user's own shares and Spaces, so that somebody else's folder reveals nothing. */
    async sharedIn(userId: string, { linkUri }: InputOf<typeof sharedIn>): Promise<ReplyOf<typeof sharedIn>> {
      const address = parseLinkUri(linkUri);
      if (!address) return { items: [] };
      const { userLinkId, path: folder } = address;
      const [byLink, bySpace] = await Promise.all([weblinks.shared(userId, userLinkId), spaces.foldersOf(userId, userLinkId)]);
      const found = new Map<string, SharedBy[]>();
      const add = (paths: readonly string[], by: SharedBy): void => {
        for (const path of paths) {
          if (path !== '/' && parentOf(path) === folder) found.set(path, [...(found.get(path) ?? []), by]);
        }
      };
      add(byLink, 'link');
      add(bySpace, 'space');
      return { items: [...found].map(([path, by]) => ({ linkUri: linkUriOf(userLinkId, path), by: [...new Set(by)] })) };
    },
  };
}
