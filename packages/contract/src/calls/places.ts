import { type Static, Type } from 'typebox';
import { call } from '../call.ts';

const text = Type.String();
const optional = Type.Optional;
const rTag = optional(text);

/** Maximum number of pins, and of recently used items kept, per account. */
export const [mostPins, mostRecents] = [50, 30];

/** A pinned or recently used folder or file. */
export const Place = Type.Object({
  linkUri: text,
  isFolder: Type.Boolean(),
  name: text,
  /** Names of its parent folders, beginning with the link's. */
  folder: Type.Array(text),
  /** The organisation membership under which it is opened, if any. */
  memberOid: optional(text),
  /** Epoch seconds at which it was pinned or last used. */
  at: Type.Integer(),
});
export type Place = Static<typeof Place>;

/** Omits places whose link the user can no longer read. Does not check whether items still exist. */
export const listPlaces = call({
  method: 'GET',
  path: '/rest/places/list',
  input: Type.Object({}),
  reply: Type.Object({
    /** In the user's order. */
    pins: Type.Array(Place),
    /** Last used first. */
    recents: Type.Array(Place),
    /** Links in the user's order; other links follow. */
    linkOrder: Type.Array(text),
  }),
  summary: 'What the user pinned and used lately, and the order of links in the menu.',
});
const Address = Type.String({ maxLength: 8192 });
const One = { linkUri: Address, isFolder: Type.Boolean(), rTag };
export const pinPlace = call({
  method: 'POST',
  path: '/rest/places/pin',
  input: Type.Object(One),
  reply: Type.Object({}),
  rTag: 'required',
  summary: 'Pins an item; it becomes the last pin.',
});
export const unpinPlace = call({
  method: 'POST',
  path: '/rest/places/unpin',
  input: Type.Object({ linkUri: Address, rTag }),
  reply: Type.Object({}),
  rTag: 'required',
  summary: 'Takes a pin away.',
});
export const notePlace = call({
  method: 'POST',
  path: '/rest/places/note',
  input: Type.Object(One),
  reply: Type.Object({}),
  rTag: 'required',
  summary: 'Notes that the user has opened an item.',
});
export const orderPlaces = call({
  method: 'POST',
  path: '/rest/places/order',
  input: Type.Object({
    /** The linkUris of the pins in their new order; absent: unchanged. */
    pins: optional(Type.Array(Address, { maxItems: mostPins })),
    /** The ids of the links in their new order; absent: unchanged. */
    links: optional(Type.Array(Type.String({ maxLength: 200 }), { maxItems: 1000 })),
    rTag,
  }),
  reply: Type.Object({}),
  rTag: 'required',
  summary: 'Orders pins or links.',
});
