import { type Definition, type Grant, isKind } from '@sheaf/connectors';
import { type SavedLink, type Source, appError } from '@sheaf/contract';
import { answerOf } from '#/links/connections/answers.ts';
import { type Connections, storedInfo } from '#/links/connections/connections.ts';
import { grantField, writeGrant } from '#/links/grants/grant.ts';
import type { Info } from './connection-info.ts';
import { nameKeyOf } from './names.ts';
import type { Owner, Owners } from './owner.ts';
import { found } from './preparing.ts';
import { type Connection, type Saving, savedAs } from './saving.ts';
import type { LinkAct, LinkParts, LinkRow, LinkStore } from './store.ts';

/** A grant, and the digest of its owner. */
export interface OwnedGrant {
  readonly grant: Grant;
  readonly owner: string;
}

/** The user's authorization, or a key in its place. */
export interface GrantedDraft {
  readonly source: Source;
  readonly definition: Definition;
  /** Connection info; including secrets other than the grant. */
  readonly info: Info;
  readonly owned?: OwnedGrant | undefined;
  /** Default: a free name of the source. */
  readonly name?: string | undefined;
  /** Facts from a check of the connection. */
  readonly facts?: ReadonlyMap<string, string>;
  /** Whether the user wants a second link to the same account. */
  readonly allowsDuplicate?: boolean;
}

interface Deps {
  readonly store: LinkStore;
  readonly saving: Saving;
  readonly owners: Owners;
  readonly connections: Connections;
}

export type GrantedLinks = ReturnType<typeof createGrantedLinks>;

/** Links made by authorization: a grant replaces a form's secrets. Rejects with AppError. */
export function createGrantedLinks({ store, saving, owners, connections }: Deps) {
  /** Updates the link's row and makes the next call open it anew. */
  async function change(owner: Owner, action: LinkAct['action'], link: LinkRow, changed: Partial<LinkRow>, parts: LinkParts) {
    await saving.update(link, changed, parts, saving.act(owner, action));
    await connections.replace(link.accountId, link.id);
    return savedAs({ ...link, name: changed.name ?? link.name }, owner);
  }

  return {
    /** The owner to act for: the user, or with an orgOid the organisation. Rejects with INVALID_LINK_URI, ROLE_FORBIDS, ORG_EXPIRED. */
    ownerOf: owners.findToChange,

    /** The owner's link; rejects with INVALID_LINK_URI. */
    find: ({ ownerId }: Owner, linkId: string): Promise<LinkRow> => found(store, ownerId, linkId),

    /** The owner of the link to fix: the user, or an organisation of theirs. Rejects with INVALID_LINK_URI. */
    async ownerOfLink(userId: string, linkId: string): Promise<Owner> {
      const ownerId = await store.ownerOf(linkId);
      if (ownerId === undefined) throw appError('INVALID_LINK_URI', {});
      return owners.findToChange(userId, ownerId === userId ? undefined : ownerId);
    },

    /** Rejects with DUPLICATE_LINK_NAME when another link of the account, or for a new one any link, has that name. */
    async refuseTaken(link: Pick<LinkRow, 'accountId'> & Partial<LinkRow>, name: string): Promise<void> {
      const isTaken = nameKeyOf(name) !== link.nameKey && (await store.nameKeys(link.accountId)).has(nameKeyOf(name));
      if (isTaken) throw appError('DUPLICATE_LINK_NAME', { name });
    },

    /** Whether the user has linked the account of the connection info. */
    async isLinked(
      { ownerId }: Owner,
      { source, definition, info }: Pick<GrantedDraft, 'source' | 'definition' | 'info'>,
    ): Promise<boolean> {
      const { identity } = understood(source, definition, info);
      return (await store.findByIdentity(ownerId, identity)).some(({ provider }) => provider === source.provider);
    },

    /** Saves a new link after a successful check; undefined when the user has linked the same account already. */
    async add(owner: Owner, draft: GrantedDraft): Promise<SavedLink | undefined> {
      const { source, definition, info, owned, name, facts, allowsDuplicate = false } = draft;
      const { columns, secrets } = saving.columnsOf(understood(source, definition, info), true);
      const row = saving.newRow(owner.ownerId, columns);
      const parts = { ...sealed(saving, row.id, secrets, owned), ...(facts && { facts }) };
      const insert = allowsDuplicate ? saving.insert : saving.insertUnlessLinked;
      const link = await insert(row, source, name, parts, saving.act(owner, 'link.add'));
      return link && savedAs(link, owner);
    },

    /**
     * Replaces the link's grant by another of the same account; name, facts and settings stay. Rejects with ACCOUNT_MISMATCH, without a change, for
     * another account.
     */
    async regrant(
      owner: Owner,
      link: LinkRow,
      draft: Pick<GrantedDraft, 'source' | 'definition' | 'info'>,
      owned: OwnedGrant,
      name = link.name,
    ): Promise<SavedLink> {
      const { source, definition } = draft;
      const stored = storedInfo(link);
      const before = understood(source, definition, stored);
      const after = understood(source, definition, { ...stored, ...draft.info });
      if (after.identity !== before.identity) throw appError('ACCOUNT_MISMATCH', {});
      const { columns, secrets } = saving.columnsOf(after, true);
      return change(owner, 'link.authorize', link, { ...columns, name, nameKey: nameKeyOf(name) }, sealed(saving, link.id, secrets, owned));
    },

    rename: (owner: Owner, link: LinkRow, name: string): Promise<SavedLink> =>
      change(owner, 'link.update', link, { name, nameKey: nameKeyOf(name) }, {}),
  };
}

function sealed(saving: Saving, linkId: string, secrets: Info, owned: OwnedGrant | undefined): LinkParts {
  if (!owned) return { secrets: saving.seal(linkId, secrets) };
  const { grant, owner } = owned;
  return { secrets: saving.seal(linkId, { ...secrets, [grantField]: writeGrant(grant) }), grantOwner: owner };
}

/** Parses connection info; rejects with the matching error. */
function understood(source: Source, definition: Definition, info: Info): Connection {
  try {
    const config = definition.parse(info, source.provider);
    return { source, definition, info, config, identity: definition.identity(config) };
  } catch (error) {
    if (isKind(error, 'badConfig')) throw answerOf(error, { provider: source.title, info });
    throw error;
  }
}
