import { type LinkRoom, linkRooms } from '@sheaf/contract';
import { queryOptions } from '@tanstack/react-query';
import { formatSize } from '#/lib/format.ts';
import { send } from '#/lib/http/send.ts';

/** Milliseconds between two polls while sources are being asked. */
const askAgainAfter = 1500;

/** Room at the sources of all links, by userLinkId; polled while sources are being asked. */
export const rooms = queryOptions({
  queryKey: ['link rooms'],
  queryFn: ({ signal }) => send(linkRooms, {}, signal),
  staleTime: 60_000,
  refetchInterval: ({ state }) => (state.data?.isAsking === true ? askAgainAfter : false),
  select: ({ rooms: all }): ReadonlyMap<string, LinkRoom> => new Map(all.map((room) => [room.userLinkId, room])),
});

/** Share of the room from which on it is shown as scarce. */
const scarce = 0.9;

/** How full an account is: 0 to 1, and whether it is nearly full; undefined without a limit. */
export function fullnessOf({
  used,
  total,
}: Pick<LinkRoom, 'used' | 'total'>): { readonly part: number; readonly isScarce: boolean } | undefined {
  if (total === undefined || total <= 0) return undefined;
  const part = Math.min(1, used / total);
  return { part, isScarce: part >= scarce };
}

/** "1.2 GB of 5 GB", or without a limit "1.2 GB used". */
export const roomWords = ({ used, total }: Pick<LinkRoom, 'used' | 'total'>): string =>
  total === undefined ? `${formatSize(used)} used` : `${formatSize(used)} of ${formatSize(total)}`;
