import type { Dialer, FindDefinition } from '@sheaf/connectors';
import {
  type CompletedVerdict,
  type LinkDraft,
  type LinkGroup,
  type SavedLink,
  type Source,
  type Verdict,
  appError,
  findSource,
  linkUriOf,
} from '@sheaf/contract';
import { type Connections, storedInfo } from '#/connections/connections.ts';
import { secretPlace } from '#/connections/reseal.ts';
import type { Vault } from '#/connections/vault.ts';
import { completedVerdict, createChecking, refuseOrganization, verdictOn } from './checking.ts';
import { type Info, divided, isOtherServer, masked, sourceTypeOf } from './connection-info.ts';
import { type Family, sourceOf } from './families.ts';
import { freeName, givenName, nameKeyOf } from './names.ts';
import { type Prepared, createPreparing, found } from './preparing.ts';
import { browseUrlOfLink, grouped } from './rows.ts';
import type { LinkParts, LinkRow, LinkStore } from './store.ts';

interface Deps {
  readonly store: LinkStore;
  readonly connections: Connections;
  readonly vault: Vault;
  readonly dialer: Dialer;
  readonly findDefinition: FindDefinition;
  readonly newId: () => string;
  /** Epoch seconds. */
  readonly now: () => number;
}

interface LinkRef {
  readonly userLinkId: string;
  readonly orgOid?: string;
}

export type Links = ReturnType<typeof createLinks>;

/** A user's links: what they are, and the one way in which links of every family are checked and saved. Rejects with AppError. */
export function createLinks({ store, connections, vault, dialer, findDefinition, newId, now }: Deps) {
  const { prepare, hasInfo } = createPreparing({ store, vault, findDefinition });
  const checking = createChecking({ store, dialer, now });

  const seal = (linkId: string, secrets: Info): Info =>
    Object.fromEntries(Object.entries(secrets).map(([field, secret]) => [field, vault.seal(secretPlace(linkId, field), secret)]));

  /** Runs the checks that come before a save; tells whether the connection has proven itself, now or in the check just before. */
  async function checkToSave(family: Family, userId: string, draft: LinkDraft, prepared: Prepared, signal: AbortSignal) {
    const proves = draft.validateConnection ?? family.provesOnSave;
    const isUpdate = draft.userLinkId !== undefined;
    if (!draft.continueAnyway && (proves || isUpdate)) await checking.refuseDuplicate(userId, prepared);
    return proves ? checking.prove(userId, prepared, signal) : checking.provenBefore(userId, prepared);
  }

  const savedAs = (link: Pick<LinkRow, 'id' | 'name' | 'provider'>): SavedLink => ({
    userLinkId: link.id,
    linkName: link.name,
    linkUri: linkUriOf(link.id, '/'),
    browseUrl: browseUrlOfLink(link),
  });

  async function insertNamed(row: LinkRow, source: Source, name: string | undefined, parts: LinkParts): Promise<LinkRow> {
    for (;;) {
      const chosen = name ?? freeName(source, await store.nameKeys(row.accountId));
      const named = { ...row, name: chosen, nameKey: nameKeyOf(chosen) };
      if (await store.insert(named, parts)) return named;
      if (name !== undefined) throw appError('DUPLICATE_LINK_NAME', { name });
    }
  }

  /** The columns that follow from connection info. */
  function columnsOf({ source, definition, config, identity, info }: Prepared, isProven: boolean) {
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
  }

  return {
    list: async (userId: string): Promise<LinkGroup[]> => grouped(await store.list(userId)),

    /** A free name for a new link of the source type, or of the provider. */
    async defaultName(userId: string, sourceType: string, provider = sourceType): Promise<string> {
      const source = findSource(provider);
      if (!source) throw appError('INVALID_SOURCE_TYPE', {});
      return freeName(source, await store.nameKeys(userId));
    },

    /** What is stored of a link's connection, secrets masked. */
    async connectionInfo(userId: string, ref: LinkRef) {
      refuseOrganization(ref);
      const link = await found(store, userId, ref.userLinkId);
      const secrets = Object.fromEntries((await store.secretsOf(link.id)).map(({ field }) => [field, '']));
      const { name, provider, sourceType } = link;
      return { connectionInfo: masked(storedInfo(link), secrets), linkName: name, provider, sourceType };
    },

    /** Forgets the link with its secrets and listings, and ends what is under way on it. */
    async unlink(userId: string, ref: LinkRef): Promise<void> {
      refuseOrganization(ref);
      if (!(await store.remove(userId, ref.userLinkId))) throw appError('INVALID_LINK_URI', {});
      await connections.cut(userId, ref.userLinkId);
    },

    /** Whether the connection works; what the user may overrule is an answer, what they must correct an error. */
    async validate(family: Family, userId: string, draft: LinkDraft, signal: AbortSignal): Promise<Verdict> {
      refuseOrganization(draft);
      const prepared = await prepare(family, userId, draft);
      await checking.refuseDuplicate(userId, prepared);
      try {
        await checking.prove(userId, prepared, signal);
        return { isValid: true };
      } catch (error) {
        return verdictOn(error, family);
      }
    },

    /** As `validate`; also answers the connection info to save. */
    async verify(family: Family, userId: string, draft: LinkDraft, signal: AbortSignal): Promise<CompletedVerdict> {
      refuseOrganization(draft);
      const prepared = await prepare(family, userId, draft);
      await checking.refuseDuplicate(userId, prepared);
      try {
        return completedVerdict(await checking.prove(userId, prepared, signal), prepared);
      } catch (error) {
        return verdictOn(error, family);
      }
    },

    /** Saves a new link. */
    async add(family: Family, userId: string, draft: LinkDraft, signal: AbortSignal): Promise<SavedLink> {
      refuseOrganization(draft);
      const name = givenName(draft);
      const { userLinkId: _none, ...fresh } = draft;
      const prepared = await prepare(family, userId, fresh);
      const proof = await checkToSave(family, userId, fresh, prepared, signal);
      const { columns, secrets } = columnsOf(prepared, proof !== undefined);
      const id = newId();
      const row = { ...columns, id, accountId: userId, name: '', nameKey: '', createdAt: now(), revision: 1 };
      const parts = { secrets: seal(id, secrets), ...(proof && { facts: proof.facts }) };
      const link = await insertNamed(row, prepared.source, name, parts);
      checking.forgetWarning(userId, prepared);
      return savedAs(link);
    },

    /** Changes a link: its name, its connection, or both. */
    async update(family: Family, userId: string, draft: LinkDraft, signal: AbortSignal): Promise<SavedLink> {
      refuseOrganization(draft);
      const link = await found(store, userId, draft.userLinkId ?? '');
      sourceOf(family, link.provider);
      const name = givenName(draft) ?? link.name;
      const named = { name, nameKey: nameKeyOf(name) };
      const save = async (change: Partial<LinkRow>, parts: LinkParts): Promise<SavedLink> => {
        if (!(await store.update(link.id, change, parts))) throw appError('DUPLICATE_LINK_NAME', { name });
        await connections.replace(userId, link.id);
        return savedAs({ ...link, name });
      };
      if (!hasInfo(family, draft)) return save(named, {});

      const prepared = await prepare(family, userId, draft);
      const proof = await checkToSave(family, userId, draft, prepared, signal);
      const { columns, secrets } = columnsOf(prepared, proof !== undefined);
      const saved = await save(
        { ...columns, ...named },
        {
          secrets: seal(link.id, secrets),
          forgetsFacts: isOtherServer(storedInfo(link), prepared.info),
          ...(proof && { facts: proof.facts }),
        },
      );
      checking.forgetWarning(userId, prepared);
      return saved;
    },
  };
}
