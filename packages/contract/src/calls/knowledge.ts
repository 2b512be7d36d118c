import { type Static, Type } from 'typebox';
import { call } from '../call.ts';

const text = Type.String();
const optional = Type.Optional;

/** State of a link's indexing: off, reading, complete; or waiting while a user works there, after a refusal, or for its owner. */
export const knowledgeStates = ['off', 'reading', 'known', 'paused', 'refused', 'attention'] as const;
export type KnowledgeState = (typeof knowledgeStates)[number];

export const LinkKnowledge = Type.Object({
  /** Whether Sheaf also lists folders that no user has opened, so that the search finds their items. */
  isKept: Type.Boolean(),
  /** Whether the user may change that. */
  mayChange: Type.Boolean(),
  /** Whether the operator allows it. */
  isAllowed: Type.Boolean(),
  state: Type.Unsafe<KnowledgeState>({ type: 'string', enum: [...knowledgeStates] }),
  /** After a refusal: epoch milliseconds of the next attempt. */
  triesAgainAt: optional(Type.Integer()),
  /** Folders whose content is known, and about how many there are, as far as the known ones tell. */
  foldersKnown: Type.Integer(),
  foldersTotal: Type.Integer(),
  /** Number of known folders that no user has opened; only for users who may change it. */
  foldersUnopened: Type.Integer(),
  /** Epoch milliseconds at which the folder looked at longest ago was listed; absent when none was. */
  oldestLook: optional(Type.Integer()),
});
export type LinkKnowledge = Static<typeof LinkKnowledge>;

export const getLinkKnowledge = call({
  method: 'GET',
  path: '/rest/ws/link/get_knowledge',
  input: Type.Object({ userLinkId: text }),
  reply: LinkKnowledge,
  summary: 'How much of a link the search knows, and whether Sheaf reads the rest by itself.',
});

export const keepSearchable = call({
  method: 'POST',
  path: '/rest/ws/link/keep_searchable',
  input: Type.Object({
    userLinkId: text,
    isKept: Type.Boolean(),
    /** With `isKept` false: also deletes the stored listings of folders that no user has opened. */
    forget: Type.Boolean({ default: false }),
    rTag: optional(text),
  }),
  reply: LinkKnowledge,
  rTag: 'required',
  summary: 'Switches on or off that Sheaf looks into the folders of a link by itself.',
});
