import type { Dialer, FindDefinition } from '@sheaf/connectors';
import { type CompletedVerdict, type LinkDraft, type LinkGroup, type SavedLink, type Verdict, appError, findSource } from '@sheaf/contract';
import type { AppOf } from '#/connections/apps.ts';
import { type Connections, storedInfo } from '#/connections/connections.ts';
import { grantField } from '#/connections/grant.ts';
import type { Revoking } from '#/connections/revoking.ts';
import type { Vault } from '#/connections/vault.ts';
import { completedVerdict, createChecking, refuseOrganization, verdictOn } from './checking.ts';
import { isOtherServer, masked } from './connection-info.ts';
import { type Family, sourceOf } from './families.ts';
import { freeName, givenName, nameKeyOf } from './names.ts';
import { type Prepared, createPreparing, found } from './preparing.ts';
import { grouped } from './rows.ts';
import { type Saving, savedAs } from './saving.ts';
import type { LinkParts, LinkRow, LinkStore } from './store.ts';

interface Deps {
  readonly store: LinkStore;
  readonly saving: Saving;
  readonly connections: Connections;
  readonly revoking: Revoking;
  readonly vault: Vault;
  readonly dialer: Dialer;
  readonly findDefinition: FindDefinition;
  readonly appOf: AppOf;
  /** Epoch seconds. */
  readonly now: () => number;
}

interface LinkRef {
  readonly userLinkId: string;
  readonly orgOid?: string;
}

export type Links = ReturnType<typeof createLinks>;

/** A user's links: what they are, and the one way in which links of every family are checked and saved. Rejects with AppError. */
export function createLinks({ store, saving, connections, revoking, vault, dialer, findDefinition, appOf, now }: Deps) {
  const { prepare, hasInfo } = createPreparing({ store, vault, findDefinition });
  const checking = createChecking({ store, dialer, appOf, now });

  /** Runs the checks that come before a save; tells whether the connection has proven itself, now or in the check just before. */
  async function checkToSave(family: Family, userId: string, draft: LinkDraft, prepared: Prepared, signal: AbortSignal) {
    const proves = draft.validateConnection ?? family.provesOnSave;
    const isUpdate = draft.userLinkId !== undefined;
    if (!draft.continueAnyway && (proves || isUpdate)) await checking.refuseDuplicate(userId, prepared);
    return proves ? checking.prove(userId, prepared, signal) : checking.provenBefore(userId, prepared);
  }

  return {
    list: async (userId: string): Promise<LinkGroup[]> => grouped(await store.list(userId)),

    /** A free name for a new link of the source type, or of the provider. */
    async defaultName(userId: string, sourceType: string, provider = sourceType): Promise<string> {
      const source = findSource(provider);
      if (!source) throw appError('INVALID_SOURCE_TYPE', {});
      return freeName(source, await store.nameKeys(userId));
    },

    /** What is stored of a link's connection, secrets masked. A grant is nothing that a dialog could show. */
    async connectionInfo(userId: string, ref: LinkRef) {
      refuseOrganization(ref);
      const link = await found(store, userId, ref.userLinkId);
      const fields = (await store.secretsOf(link.id)).map(({ field }) => field).filter((field) => field !== grantField);
      const secrets = Object.fromEntries(fields.map((field) => [field, '']));
      const { name, provider, sourceType } = link;
      return { connectionInfo: masked(storedInfo(link), secrets), linkName: name, provider, sourceType };
    },

    /** Forgets the link with its secrets and listings, ends what is under way on it, and lets its provider take the grant back. */
    async unlink(userId: string, ref: LinkRef): Promise<void> {
      refuseOrganization(ref);
      const link = await found(store, userId, ref.userLinkId);
      const revoke = await revoking.prepare(link.id, link.provider);
      if (!(await store.remove(userId, link.id))) throw appError('INVALID_LINK_URI', {});
      await connections.cut(userId, link.id);
      revoke();
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
      const { columns, secrets } = saving.columnsOf(prepared, proof !== undefined);
      const row = saving.newRow(userId, columns);
      const parts = { secrets: saving.seal(row.id, secrets), ...(proof && { facts: proof.facts }) };
      const link = await saving.insert(row, prepared.source, name, parts);
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
      const { columns, secrets } = saving.columnsOf(prepared, proof !== undefined);
      const saved = await save(
        { ...columns, ...named },
        {
          secrets: saving.seal(link.id, secrets),
          forgetsFacts: isOtherServer(storedInfo(link), prepared.info),
          ...(proof && { facts: proof.facts }),
        },
      );
      checking.forgetWarning(userId, prepared);
      return saved;
    },
  };
}
