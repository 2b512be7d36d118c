import type { Definition } from '@sheaf/connectors';
import { type SavedLink, type Source, appError, linkUriOf } from '@sheaf/contract';
import type { LimitOf } from '#/platform/limit-of.ts';
import { secretPlace } from '#/secrets/reseal.ts';
import type { Vault } from '#/secrets/vault.ts';
import { type Info, divided, sourceTypeOf } from './connection-info.ts';
import { freeName, nameKeyOf } from './names.ts';
import type { Owner } from './owner.ts';
import { browseUrlOfLink } from './rows.ts';
import type { LinkAct, LinkParts, LinkRow, LinkStore } from './store.ts';

interface Deps {
  readonly store: LinkStore;
  readonly vault: Vault;
  /** How many links an account may have. */
  readonly limitOf: LimitOf;
  readonly newId: () => string;
  /** Epoch seconds. */
  readonly now: () => number;
}

/** A connection to be stored. */
export interface Connection {
  readonly source: Source;
  readonly definition: Definition;
  /** Secrets included. */
  readonly info: Info;
  readonly config: unknown;
  readonly identity: string;
}

export type Saving = ReturnType<typeof createSaving>;

/** Stores connections, whatever dialog or authorization they came from. */
export function createSaving({ store, vault, limitOf, newId, now }: Deps) {
  /**
   * Inserts under the given name, or under the source's first free one; throws DUPLICATE_LINK_NAME when the given name is taken, and TOO_MANY_LINKS.
   */
  async function insertNamed<Outcome>(
    row: LinkRow,
    source: Source,
    name: string | undefined,
    insert: (named: LinkRow, most: number | undefined) => Promise<Outcome | 'nameTaken' | 'full'>,
  ): Promise<Outcome> {
    const most = await limitOf(row.accountId, 'links');
    for (;;) {
      const chosen = name ?? freeName(source, await store.nameKeys(row.accountId));
      const outcome = await insert({ ...row, name: chosen, nameKey: nameKeyOf(chosen) }, most);
      if (outcome === 'full') throw appError('TOO_MANY_LINKS', { most: String(most) });
      if (outcome !== 'nameTaken') return outcome;
      if (name !== undefined) throw appError('DUPLICATE_LINK_NAME', { name });
    }
  }

  return {
    /** An audit event about a link. */
    act: ({ actorId }: Owner, action: LinkAct['action']): LinkAct => ({ actorId, action, at: now() }),

    seal: (linkId: string, secrets: Info): Info =>
      Object.fromEntries(Object.entries(secrets).map(([field, secret]) => [field, vault.seal(secretPlace(linkId, field), secret)])),

    /** The columns derived from connection info, and its secrets, which are stored separately. */
    columnsOf({ source, definition, config, identity, info }: Connection, isProven: boolean) {
      const { open, secrets } = divided(info, definition.secrets);
      return {
        columns: {
          provider: source.provider,
          sourceType: sourceTypeOf(source, info),
          account: definition.account(config),
          identity,
          info: JSON.stringify(open),
          state: isProven ? 'ok' : 'unknown',
          checkedAt: isProven ? now() : null,
          attention: null,
        },
        secrets,
      };
    },

    /** A new row with its own id, without a name. */
    newRow: (accountId: string, columns: Omit<LinkRow, 'id' | 'accountId' | 'name' | 'nameKey' | 'createdAt' | 'revision'>): LinkRow => ({
      ...columns,
      id: newId(),
      accountId,
      name: '',
      nameKey: '',
      createdAt: now(),
      revision: 1,
    }),

    /** Throws DUPLICATE_LINK_NAME, and INVALID_LINK_URI when the link was removed meanwhile. */
    async update(link: LinkRow, change: Partial<LinkRow>, parts: LinkParts, act: LinkAct): Promise<void> {
      const outcome = await store.update(link, change, parts, act);
      if (outcome === 'nameTaken') throw appError('DUPLICATE_LINK_NAME', { name: change.name ?? link.name });
      if (outcome === 'gone') throw appError('INVALID_LINK_URI', {});
    },

    insert: (row: LinkRow, source: Source, name: string | undefined, parts: LinkParts, act: LinkAct): Promise<LinkRow> =>
      insertNamed(row, source, name, async (named, most) => {
        const outcome = await store.insert(named, parts, act, most);
        return outcome === 'inserted' ? named : outcome;
      }),

    /** Like `insert`; undefined when the account has a link with that identity already. */
    insertUnlessLinked: (
      row: LinkRow,
      source: Source,
      name: string | undefined,
      parts: LinkParts,
      act: LinkAct,
    ): Promise<LinkRow | undefined> =>
      insertNamed(row, source, name, async (named, most) => {
        const outcome = await store.insertUnlessLinked(named, parts, act, most);
        if (outcome === 'linked') return undefined;
        return outcome === 'inserted' ? named : outcome;
      }),
  };
}

/** The answer of a call that saves a link. */
export const savedAs = (link: Pick<LinkRow, 'id' | 'name' | 'provider'>, { membershipId }: Pick<Owner, 'membershipId'>): SavedLink => ({
  userLinkId: link.id,
  linkName: link.name,
  linkUri: linkUriOf(link.id, '/'),
  browseUrl: browseUrlOfLink(link, membershipId),
});
