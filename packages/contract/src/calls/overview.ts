import { type Static, Type } from 'typebox';
import { call } from '../call.ts';

const text = Type.String();
const optional = Type.Optional;

/** Storage quota and usage of a link's account, as its source last reported. */
export const LinkRoom = Type.Object({
  userLinkId: text,
  /** Bytes. */
  used: Type.Integer(),
  /** Bytes; absent if the source reports no limit. */
  total: optional(Type.Integer()),
  /** Epoch seconds of the source's answer. */
  at: Type.Integer(),
});
export type LinkRoom = Static<typeof LinkRoom>;

export const linkRooms = call({
  method: 'GET',
  path: '/rest/usage/rooms',
  input: Type.Object({}),
  reply: Type.Object({
    rooms: Type.Array(LinkRoom),
    /** Whether sources are being asked: repeat the call for their answers. */
    isAsking: Type.Boolean(),
  }),
  summary: 'Room used and available at the sources of all links, where these tell it.',
});

/** New items found when a known folder was listed again. */
export const Arrival = Type.Object({
  /** The item if there is only one, otherwise the folder. */
  linkUri: text,
  isFolder: Type.Boolean(),
  /** Name of the item, or of one of several. */
  name: text,
  /** Number of items. */
  count: Type.Integer({ minimum: 1 }),
  /** Names of their parent folders, beginning with the link's. */
  folder: Type.Array(text),
  /** The organisation membership that gives access, if any. */
  memberOid: optional(text),
  /** Epoch seconds. */
  at: Type.Integer(),
});
export type Arrival = Static<typeof Arrival>;

export const listArrivals = call({
  method: 'GET',
  path: '/rest/usage/arrivals',
  input: Type.Object({ limit: Type.Integer({ minimum: 1, maximum: 50, default: 5 }) }),
  reply: Type.Object({ arrivals: Type.Array(Arrival) }),
  summary: 'What has appeared in known folders without Sheaf, in the last days, the newest first.',
});
