import { type Static, Type } from 'typebox';
import { call } from '../call.ts';

const text = Type.String();
const optional = Type.Optional;

/** An action on an item, or on one below it. */
export const ItemEvent = Type.Object({
  id: text,
  /** Epoch seconds. */
  at: Type.Integer(),
  /** Absent if the reader may not know the actor. */
  actorName: optional(text),
  isOwn: Type.Boolean(),
  /** A sentence without its subject. */
  sentence: text,
});
export type ItemEvent = Static<typeof ItemEvent>;

/** Maximum number of events in one answer. */
export const mostItemEvents = 100;

const ItemRef = { linkUri: text, memberOid: optional(text) };
export const itemActivity = call({
  method: 'GET',
  path: '/rest/content/activity',
  input: Type.Object({ ...ItemRef, limit: Type.Integer({ minimum: 1, maximum: mostItemEvents, default: 30 }) }),
  reply: Type.Object({ events: Type.Array(ItemEvent), hasMore: Type.Boolean() }),
  summary: 'What was done with an item and below it: from the journal of changes, and from the audit log as far as the user may read it.',
});

/** A public link to the item, or a Space that shares it. */
export const sharedBy = ['link', 'space'] as const;
export type SharedBy = (typeof sharedBy)[number];

export const sharedIn = call({
  method: 'GET',
  path: '/rest/weblink/shared_in',
  input: Type.Object({ linkUri: text }),
  reply: Type.Object({
    items: Type.Array(
      Type.Object({ linkUri: text, by: Type.Array(Type.Unsafe<SharedBy>({ type: 'string', enum: [...sharedBy] }), { minItems: 1 }) }),
    ),
  }),
  summary: "Items of a folder that the user's public links or Spaces show to others. Links that have expired do not count.",
});
