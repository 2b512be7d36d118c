import { type Definition, type Grant, isKind } from '@sheaf/connectors';
import { type SavedLink, type Source, appError } from '@sheaf/contract';
import { answerOf } from '#/connections/answers.ts';
import { type Connections, storedInfo } from '#/connections/connections.ts';
import { grantField, writeGrant } from '#/connections/grant.ts';
import type { Info } from './connection-info.ts';
import { nameKeyOf } from './names.ts';
import { found } from './preparing.ts';
import { type Connection, type Saving, savedAs } from './saving.ts';
import type { LinkParts, LinkRow, LinkStore } from './store.ts';

/** A grant, and the digest of whose it is. */
export interface OwnedGrant {
  readonly grant: Grant;
  readonly owner: string;
}

/** What a user has authorized, or a key that stands for it. */
export interface GrantedDraft {
  readonly source: Source;
  readonly definition: Definition;
  /** Connection info; secrets other than the grant included. */
  readonly info: Info;
  readonly owned?: OwnedGrant | undefined;
  /** A free one of the source's when absent. */
  readonly name?: string | undefined;
  /** What a proof of the connection has taught. */
  readonly facts?: ReadonlyMap<string, string>;
  /** True where the user wants a second link to the same account. */
  readonly allowsDuplicate?: boolean;
}

interface Deps {
  readonly store: LinkStore;
  readonly saving: Saving;
  readonly connections: Connections;
}

export type GrantedLinks = ReturnType<typeof createGrantedLinks>;

/** Links of sources that users authorize Sheaf at: a grant takes the place of a form's secrets. Rejects with AppError. */
export function createGrantedLinks({ store, saving, connections }: Deps) {
  /** Writes to the link's row and lets the next call open it anew. */
  async function change(link: LinkRow, changed: Partial<LinkRow>, parts: LinkParts): Promise<SavedLink> {
    const { name = link.name } = changed;
    if (!(await store.update(link.id, changed, parts))) throw appError('DUPLICATE_LINK_NAME', { name });
    await connections.replace(link.accountId, link.id);
    return savedAs({ ...link, name });
  }

  return {
    find: (userId: string, linkId: string): Promise<LinkRow> => found(store, userId, linkId),

    /** Rejects with DUPLICATE_LINK_NAME when another link of the user has that name. */
    async refuseTaken(link: LinkRow, name: string): Promise<void> {
      const isTaken = nameKeyOf(name) !== link.nameKey && (await store.nameKeys(link.accountId)).has(nameKeyOf(name));
      if (isTaken) throw appError('DUPLICATE_LINK_NAME', { name });
    },

    /** Whether the user has linked the account that the connection info names. */
    async isLinked(userId: string, { source, definition, info }: Pick<GrantedDraft, 'source' | 'definition' | 'info'>): Promise<boolean> {
      const { identity } = understood(source, definition, info);
      return (await store.findByIdentity(userId, identity)).some(({ provider }) => provider === source.provider);
    },

    /** Saves a new link that has proven itself; undefined when the user has linked the same account already. */
    async add(userId: string, draft: GrantedDraft): Promise<SavedLink | undefined> {
      const { source, definition, info, owned, name, facts, allowsDuplicate = false } = draft;
      const { columns, secrets } = saving.columnsOf(understood(source, definition, info), true);
      const row = saving.newRow(userId, columns);
      const parts = { ...sealed(saving, row.id, secrets, owned), ...(facts && { facts }) };
      const insert = allowsDuplicate ? saving.insert : saving.insertUnlessLinked;
      const link = await insert(row, source, name, parts);
      return link && savedAs(link);
    },

    /**
     * Gives the link another grant of the same account; name, facts and settings stay. Rejects with ACCOUNT_MISMATCH, and changes nothing, when
     * the account is another.
     */
    async regrant(link: LinkRow, draft: Pick<GrantedDraft, 'source' | 'definition' | 'info'>, owned: OwnedGrant, name = link.name) {
      const { source, definition } = draft;
      const stored = storedInfo(link);
      const before = understood(source, definition, stored);
      const after = understood(source, definition, { ...stored, ...draft.info });
      if (after.identity !== before.identity) throw appError('ACCOUNT_MISMATCH', {});
      const { columns, secrets } = saving.columnsOf(after, true);
      return change(link, { ...columns, name, nameKey: nameKeyOf(name) }, sealed(saving, link.id, secrets, owned));
    },

    rename: (link: LinkRow, name: string): Promise<SavedLink> => change(link, { name, nameKey: nameKeyOf(name) }, {}),
  };
}

function sealed(saving: Saving, linkId: string, secrets: Info, owned: OwnedGrant | undefined): LinkParts {
  if (!owned) return { secrets: saving.seal(linkId, secrets) };
  const { grant, owner } = owned;
  return { secrets: saving.seal(linkId, { ...secrets, [grantField]: writeGrant(grant) }), grantOwner: owner };
}

/** Reads connection info; rejects with the row for what is wrong with it. */
function understood(source: Source, definition: Definition, info: Info): Connection {
  try {
    const config = definition.parse(info, source.provider);
    return { source, definition, info, config, identity: definition.identity(config) };
  } catch (error) {
    if (isKind(error, 'badConfig')) throw answerOf(error, { provider: source.title, info });
    throw error;
  }
}
