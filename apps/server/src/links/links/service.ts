import type { Dialer, FindDefinition } from '@sheaf/connectors';
import {
  type AppError,
  type CompletedVerdict,
  type LinkDraft,
  type LinkGroup,
  type SavedLink,
  type SpaceRole,
  type Verdict,
  appError,
  findSource,
} from '@sheaf/contract';
import { writtenAttention } from '#/links/connections/attention.ts';
import { type Connections, storedInfo } from '#/links/connections/connections.ts';
import { spacesProvider } from '#/links/connections/spaces-provider.ts';
import type { AppOf } from '#/links/grants/apps.ts';
import { grantField } from '#/links/grants/grant.ts';
import type { Revoking } from '#/links/grants/revoking.ts';
import type { Vault } from '#/secrets/vault.ts';
import { type Proven, completedVerdict, createChecking, verdictOn } from './checking.ts';
import { isOtherServer, masked } from './connection-info.ts';
import { type Family, sourceOf } from './families.ts';
import { freeName, givenName, nameKeyOf } from './names.ts';
import type { OrgMembership, Owner, Owners } from './owner.ts';
import { type Prepared, createPreparing, found } from './preparing.ts';
import { type GroupedLink, grouped, groupedByOrganisation } from './rows.ts';
import { type Saving, savedAs } from './saving.ts';
import type { LinkParts, LinkRow, LinkStore } from './store.ts';

interface Deps {
  readonly store: LinkStore;
  readonly saving: Saving;
  readonly owners: Owners;
  /** The user's memberships in organisations. */
  readonly memberships: (userId: string) => Promise<readonly OrgMembership[]>;
  readonly connections: Connections;
  readonly revoking: Revoking;
  /** Effects on Spaces: unlinking a link to one leaves it, unlinking storage informs the members; and why links to them cannot be used. */
  readonly spaces: SpacesOfLinks;
  /** Deletes, in the background, the cached thumbnails of a link. */
  readonly forgetPictures: (linkId: string) => void;
  /** Has the link's service tell of no more changes; call it while the link exists. */
  readonly endHints: (linkId: string) => Promise<void>;
  readonly vault: Vault;
  readonly dialer: Dialer;
  readonly findDefinition: FindDefinition;
  readonly appOf: AppOf;
  /** Epoch seconds. */
  readonly now: () => number;
}

/** The role of Spaces when links are listed and removed; implemented in `sharing`. */
interface SpacesOfLinks {
  /** The user's role in the Space of each link, by the link's id, and the Space's problem. */
  standings(userId: string): Promise<ReadonlyMap<string, { readonly role: SpaceRole; readonly trouble: AppError | undefined }>>;
  leaveByLink(userId: string, userLinkId: string): Promise<void>;
  storageUnlinked(linkId: string): Promise<void>;
}

interface LinkRef {
  readonly userLinkId: string;
  readonly orgOid?: string;
}

interface NameWish {
  readonly sourceType: string;
  readonly provider?: string;
  readonly orgOid?: string;
}

export type Links = ReturnType<typeof createLinks>;

/** Links of users and organisations, and the common way in which links of every family are checked and saved. Rejects with AppError. */
export function createLinks(deps: Deps) {
  const {
    store,
    saving,
    owners,
    memberships,
    connections,
    revoking,
    spaces,
    forgetPictures,
    endHints,
    vault,
    dialer,
    findDefinition,
    appOf,
    now,
  } = deps;
  const { prepare, hasInfo } = createPreparing({ store, vault, findDefinition });
  const checking = createChecking({ store, dialer, appOf, now });

  /** Runs the checks before a save. Uses a new check, or the one just before; without either the connection is unchecked. */
  async function checkToSave(
    family: Family,
    { ownerId, actorId }: Owner,
    draft: LinkDraft,
    prepared: Prepared,
    signal: AbortSignal,
  ): Promise<Partial<Proven> & Pick<Proven, 'prepared'>> {
    const isUpdate = draft.userLinkId !== undefined;
    const proof = checking.provenBefore(ownerId, prepared);
    const provesOnSave = family.provesOnSave === 'unlessProven' ? !proof && !draft.continueAnyway : family.provesOnSave;
    const proves = draft.validateConnection ?? provesOnSave;
    const proven = proves ? await checking.prove(ownerId, prepared, signal) : { prepared, ...(proof && { proof }) };
    if (!draft.continueAnyway && (proves || isUpdate)) await checking.refuseDuplicate(ownerId, proven.prepared);
    // A server may take long to answer, even as long as the user wants: the right to save may have ended.
    await owners.findToChange(actorId, draft.orgOid);
    refuseGone(signal);
    return proven;
  }

  /** Checks a draft, then reports a duplicate: problems with the credentials come first. */
  async function check(family: Family, userId: string, draft: LinkDraft, signal: AbortSignal): Promise<Proven | Verdict> {
    const owner = await owners.findToChange(userId, draft.orgOid);
    const prepared = await prepare(family, owner, draft);
    const proven = await checking.prove(owner.ownerId, prepared, signal).catch((error: unknown) => verdictOn(error, family));
    if ('proof' in proven && !draft.continueAnyway) await checking.refuseDuplicate(owner.ownerId, proven.prepared);
    return proven;
  }

  /** The links; those to Spaces with the user's role and the Space's problem, because they are reached through another user's link. */
  async function withStandings(userId: string, links: LinkRow[]): Promise<GroupedLink[]> {
    if (!links.some(({ provider }) => provider === spacesProvider)) return links;
    const standings = await spaces.standings(userId);
    return links.map((link) => {
      const standing = standings.get(link.id);
      if (!standing) return link;
      const { role: spaceRole, trouble } = standing;
      return { ...link, spaceRole, ...(trouble !== undefined && { state: 'attention', attention: writtenAttention(trouble) }) };
    });
  }

  async function withClaims(userId: string, links: GroupedLink[]): Promise<GroupedLink[]> {
    const unclaimed = await store.unclaimed(userId);
    return unclaimed.size === 0 ? links : links.map((link) => (unclaimed.has(link.id) ? { ...link, isUnclaimed: true } : link));
  }

  /** The links of organisations, with the problem of an organisation whose plan has ended: its links cannot be used. */
  async function withTroubles(orgs: readonly OrgMembership[], links: LinkRow[]): Promise<LinkRow[]> {
    const owning = orgs.filter(({ orgId }) => links.some(({ accountId }) => accountId === orgId));
    const troubles = new Map(await Promise.all(owning.map(async (org) => [org.orgId, await owners.troubleOf(org)] as const)));
    return links.map((link) => {
      const trouble = troubles.get(link.accountId);
      return trouble === undefined ? link : { ...link, state: 'attention', attention: writtenAttention(trouble) };
    });
  }

  return {
    /** The user's own links, and those of their organisations under a separate heading. */
    async list(userId: string): Promise<LinkGroup[]> {
      const orgs = await memberships(userId);
      const links = await store.listOf([userId, ...orgs.map(({ orgId }) => orgId)]);
      const isOwn = ({ accountId }: LinkRow): boolean => accountId === userId;
      return [
        ...grouped(await withClaims(userId, await withStandings(userId, links.filter(isOwn)))),
        ...groupedByOrganisation(
          await withTroubles(
            orgs,
            links.filter((link) => !isOwn(link)),
          ),
          orgs,
        ),
      ];
    },

    /** The organisation's links, grouped like one's own. */
    async listOfOrg(userId: string, orgOid: string): Promise<LinkGroup[]> {
      const { ownerId, membershipId = '' } = await owners.find(userId, orgOid);
      const orgs = (await memberships(userId)).filter(({ orgId }) => orgId === ownerId);
      return grouped(await withTroubles(orgs, await store.list(ownerId)), { orgId: ownerId, membershipId, name: '' });
    },

    /** A free name for a new link of the source type or provider. */
    async defaultName(userId: string, { sourceType, provider = sourceType, orgOid }: NameWish): Promise<string> {
      const { ownerId } = await owners.find(userId, orgOid);
      const source = findSource(provider);
      if (!source) throw appError('INVALID_SOURCE_TYPE', {});
      return freeName(source, await store.nameKeys(ownerId));
    },

    /** A link's stored connection info, with masked secrets. A grant is not included. */
    async connectionInfo(userId: string, ref: LinkRef) {
      const { ownerId } = await owners.find(userId, ref.orgOid);
      const link = await found(store, ownerId, ref.userLinkId);
      const fields = (await store.secretsOf(link.id)).map(({ field }) => field).filter((field) => field !== grantField);
      const secrets = Object.fromEntries(fields.map((field) => [field, '']));
      const { name, provider, sourceType } = link;
      return { connectionInfo: masked(storedInfo(link), secrets), linkName: name, provider, sourceType };
    },

    /** Deletes the link with its secrets, listings and thumbnails, aborts its running calls, and revokes its grant. */
    async unlink(userId: string, ref: LinkRef): Promise<void> {
      const owner = await owners.find(userId, ref.orgOid);
      const link = await found(store, owner.ownerId, ref.userLinkId);
      if (link.provider === spacesProvider) return spaces.leaveByLink(userId, link.id);
      await endHints(link.id);
      const revoke = await revoking.prepare(link.id, link.provider);
      if (!(await store.remove(owner.ownerId, link.id, saving.act(owner, 'link.remove')))) throw appError('INVALID_LINK_URI', {});
      await connections.cut(owner.ownerId, link.id);
      forgetPictures(link.id);
      revoke();
      await spaces.storageUnlinked(link.id);
    },

    /** Confirms that a link created before the address was verified is the user's own. Throws INVALID_LINK_URI. */
    keep: async (userId: string, userLinkId: string): Promise<void> => store.claim((await found(store, userId, userLinkId)).id),

    /**
     * Call it before an account is deleted with all its links; the returned function, called afterwards, aborts their running calls and revokes their
     * grants.
     */
    async prepareUnlinkingAll(ownerId: string): Promise<() => Promise<void>> {
      const links = await store.list(ownerId);
      await Promise.all(links.map(({ id }) => endHints(id)));
      const revokes = await Promise.all(links.map(({ id, provider }) => revoking.prepare(id, provider)));
      return async () => {
        await Promise.all(links.map(({ id }) => connections.cut(ownerId, id)));
        for (const { id } of links) forgetPictures(id);
        for (const revoke of revokes) revoke();
        for (const { id } of links) await spaces.storageUnlinked(id);
      };
    },

    /** Whether the connection works; problems that the user may overrule are answers, others are errors. */
    async validate(family: Family, userId: string, draft: LinkDraft, signal: AbortSignal): Promise<Verdict> {
      const checked = await check(family, userId, draft, signal);
      return 'proof' in checked ? { isValid: true } : checked;
    },

    /** Like `validate`; also returns the connection info to save. */
    async verify(family: Family, userId: string, draft: LinkDraft, signal: AbortSignal): Promise<CompletedVerdict> {
      const checked = await check(family, userId, draft, signal);
      return 'proof' in checked ? completedVerdict(checked) : checked;
    },

    /** Saves a new link. */
    async add(family: Family, userId: string, draft: LinkDraft, signal: AbortSignal): Promise<SavedLink> {
      const owner = await owners.findToChange(userId, draft.orgOid);
      const name = givenName(draft);
      const { userLinkId: _none, ...fresh } = draft;
      const { prepared, proof } = await checkToSave(family, owner, fresh, await prepare(family, owner, fresh), signal);
      const { columns, secrets } = saving.columnsOf(prepared, proof !== undefined);
      const row = saving.newRow(owner.ownerId, columns);
      const parts = { secrets: saving.seal(row.id, secrets), ...(proof && { facts: proof.facts }) };
      const link = await saving.insert(row, prepared.source, name, parts, saving.act(owner, 'link.add'));
      // A caller that has disconnected must not get a link unnoticed.
      if (signal.aborted) await store.remove(owner.ownerId, link.id, saving.act(owner, 'link.remove'));
      refuseGone(signal);
      return savedAs(link, owner);
    },

    /** Changes a link: its name, its connection, or both. */
    async update(family: Family, userId: string, draft: LinkDraft, signal: AbortSignal): Promise<SavedLink> {
      const owner = await owners.findToChange(userId, draft.orgOid);
      const link = await found(store, owner.ownerId, draft.userLinkId ?? '');
      sourceOf(family, link.provider);
      const name = givenName(draft) ?? link.name;
      const named = { name, nameKey: nameKeyOf(name) };
      const save = async (change: Partial<LinkRow>, parts: LinkParts): Promise<SavedLink> => {
        await saving.update(link, change, parts, saving.act(owner, 'link.update'));
        await connections.replace(owner.ownerId, link.id);
        return savedAs({ ...link, name }, owner);
      };
      if (!hasInfo(family, draft)) return save(named, {});

      const { prepared, proof } = await checkToSave(family, owner, draft, await prepare(family, owner, draft), signal);
      const { columns, secrets } = saving.columnsOf(prepared, proof !== undefined);
      return save(
        { ...columns, ...named },
        {
          secrets: saving.seal(link.id, secrets),
          forgetsFacts: isOtherServer(family, storedInfo(link), prepared.info),
          ...(proof && { facts: proof.facts }),
        },
      );
    },
  };
}

/** Ends a call whose caller has disconnected: nobody sees the error. */
function refuseGone(signal: AbortSignal): void {
  if (signal.aborted) throw appError('MALFORMED_REQUEST', {});
}
