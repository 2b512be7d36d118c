import {
  type InputOf,
  type Place,
  type ReplyOf,
  appError,
  linkUriOf,
  type listPlaces,
  mostPins,
  mostRecents,
  type orderPlaces,
  parseLinkUri,
  type pinPlace,
} from '@sheaf/contract';
import type { Clock } from '#/platform/clock.ts';
import type { PlaceRow, PlaceStore } from './store.ts';

interface Reachable {
  readonly userLinkId: string;
  readonly name: string;
  readonly memberOid?: string;
}

interface Deps {
  readonly store: PlaceStore;
  /** Links that the user may read now. */
  readonly reachable: (userId: string) => Promise<readonly Reachable[]>;
  readonly now: Clock;
}

type One = Pick<InputOf<typeof pinPlace>, 'linkUri' | 'isFolder'>;

export type Places = ReturnType<typeof createPlaces>;

/** What a user keeps at hand: pins, recently used items, and the order of links. Nothing here asks a source. */
export function createPlaces({ store, reachable, now }: Deps) {
  /** The address in a link that the user may read. Rejects with INVALID_LINK_URI otherwise. */
  async function addressIn(userId: string, linkUri: string) {
    const address = parseLinkUri(linkUri);
    const isTheirs = address && (await reachable(userId)).some(({ userLinkId }) => userLinkId === address.userLinkId);
    if (!isTheirs) throw appError('INVALID_LINK_URI', {});
    return { linkId: address.userLinkId, path: address.path };
  }
  const newPlace = async (userId: string, { linkUri, isFolder }: One) => ({
    ...(await addressIn(userId, linkUri)),
    accountId: userId,
    isFolder,
    at: now(),
  });

  return {
    async list(userId: string): Promise<ReplyOf<typeof listPlaces>> {
      const [rows, order, links] = await Promise.all([store.places(userId), store.linkOrder(userId), reachable(userId)]);
      const byId = new Map(links.map((link) => [link.userLinkId, link]));
      const shown = (kind: PlaceRow['kind']): Place[] =>
        rows.flatMap((row) => {
          const link = byId.get(row.linkId);
          return row.kind === kind && link ? [placeOf(row, link)] : [];
        });
      return { pins: shown('pin'), recents: shown('recent').toReversed(), linkOrder: order.filter((id) => byId.has(id)) };
    },

    /** Rejects with TOO_MANY_PINS when no further one is kept. */
    async pin(userId: string, one: One): Promise<void> {
      if (!(await store.pin(await newPlace(userId, one), mostPins))) throw appError('TOO_MANY_PINS', { most: String(mostPins) });
    },

    async unpin(userId: string, linkUri: string): Promise<void> {
      const address = parseLinkUri(linkUri);
      if (address) await store.unpin(userId, address.userLinkId, address.path);
    },

    async note(userId: string, one: One): Promise<void> {
      await store.note(await newPlace(userId, one), mostRecents);
    },

    /** Unknown pins and links are ignored. */
    async order(userId: string, { pins, links }: Omit<InputOf<typeof orderPlaces>, 'rTag'>): Promise<void> {
      if (pins) {
        const addresses = pins.flatMap((linkUri) => parseLinkUri(linkUri) ?? []);
        await store.orderPins(
          userId,
          addresses.map(({ userLinkId, path }) => ({ linkId: userLinkId, path })),
        );
      }
      if (links) {
        const known = new Set((await reachable(userId)).map(({ userLinkId }) => userLinkId));
        await store.orderLinks(
          userId,
          [...new Set(links)].filter((id) => known.has(id)),
        );
      }
    },
  };
}

function placeOf({ linkId, path, isFolder, at }: PlaceRow, { name: linkName, memberOid }: Reachable): Place {
  const names = [linkName, ...path.split('/').filter((name) => name !== '')];
  return {
    linkUri: linkUriOf(linkId, path),
    isFolder: isFolder === 1,
    name: names.at(-1) ?? linkName,
    folder: names.slice(0, -1),
    ...(memberOid !== undefined && { memberOid }),
    at: Number(at),
  };
}
