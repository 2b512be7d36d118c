import { nameOf } from '@sheaf/connectors';
import {
  AppError,
  type InputOf,
  type ReplyOf,
  type Space,
  type SpaceRole,
  appError,
  type createSpace,
  isBlank,
  type listSpaces,
  parseLinkUri,
  type updateSpace,
} from '@sheaf/contract';
import type { Access } from '#/access/access.ts';
import type { Accounts } from '#/identity/account/service.ts';
import type { OpenLink } from '#/links/connections/connections.ts';
import { givenName, nameKeyOf, numberedFree } from '#/links/links/names.ts';
import type { Background } from '#/platform/background.ts';
import type { Mailer } from '#/platform/mail/mailer.ts';
import type { Throttle } from '#/platform/throttle.ts';
import { createEndings } from './endings.ts';
import { createInvitations } from './invitations.ts';
import { checkRight, createMembers } from './members.ts';
import { shownSpace, troubleOf } from './rows.ts';
import type { SpaceRow, SpaceStore } from './store.ts';

export interface SpaceDeps {
  readonly store: SpaceStore;
  readonly access: Pick<Access, 'open' | 'forget' | 'isSpace'>;
  /** Whether Premium or its trial is running. */
  readonly hasPremium: (accountId: string) => Promise<boolean>;
  readonly accounts: Pick<Accounts, 'get' | 'findByEmail' | 'requireProven'>;
  readonly throttle: Throttle;
  readonly mailer: Pick<Mailer, 'send'>;
  readonly background: Background;
  readonly newId: () => string;
  /** Epoch seconds. */
  readonly now: () => number;
  readonly publicUrl: string;
}

/** A user's role in a Space, and why it cannot be reached, if so. */
interface Standing {
  readonly role: SpaceRole;
  readonly trouble: AppError | undefined;
}

type Input<C> = Omit<InputOf<C>, 'rTag'>;

export type Spaces = ReturnType<typeof createSpaces>;

/** Spaces: folders that several people use. Creates, renames and ends them; access to their content is checked by `reach`. Rejects with AppError. */
export function createSpaces(deps: SpaceDeps) {
  const { store, access, hasPremium, accounts, newId, now } = deps;

  async function find(userId: string, spaceOid: string): Promise<SpaceRow> {
    const row = await store.find(userId, spaceOid);
    if (!row) throw appError('SPACE_NOT_FOUND', {});
    return row;
  }
  const shown = async (row: SpaceRow): Promise<Space> => shownSpace(row, await hasPremium(row.ownerId));
  /** The account's Spaces, as it sees them. */
  async function shownTo(userId: string): Promise<Space[]> {
    const rows = await store.list(userId);
    const owners = new Set(rows.map(({ ownerId }) => ownerId));
    const paid = new Map(await Promise.all([...owners].map(async (id) => [id, await hasPremium(id)] as const)));
    return rows.map((row) => shownSpace(row, paid.get(row.ownerId) ?? false));
  }
  const get = async (userId: string, spaceOid: string): Promise<Space> => shown(await find(userId, spaceOid));

  const members = createMembers({ ...deps, find, forget: access.forget });
  const invitations = createInvitations({ ...deps, get });
  const endings = createEndings({ ...deps, find });

  /** The folder for a Space: it exists, the user may write to it, and it is in no other Space. Rejects with INVALID_SPACE_FOLDER. */
  async function storageAt(userId: string, linkUri: string, signal: AbortSignal) {
    const address = parseLinkUri(linkUri);
    if (!address) throw appError('INVALID_SPACE_FOLDER', {});
    const { userLinkId, path } = address;
    const link = await checked(access.open(userId, userLinkId));
    const canWrite = link.connector.write !== undefined && link.connector.createFolder !== undefined;
    if (!canWrite || (await access.isSpace(userId, userLinkId))) throw appError('INVALID_SPACE_FOLDER', {});
    if (path !== '/' && (await checked(link.connector.stat(path, { signal }))).kind !== 'folder')
      throw appError('INVALID_SPACE_FOLDER', {});
    return { link, storage: { storageLinkId: userLinkId, storagePath: path, provider: link.provider } };
  }

  /** The requested name of a new Space, or a free one derived from its folder. Throws INVALID_NAME. */
  async function nameFor(
    userId: string,
    { spaceName, description }: Input<typeof createSpace>,
    link: OpenLink,
    path: string,
  ): Promise<string> {
    if (spaceName !== undefined && isBlank(spaceName)) throw appError('MISSING_PARAMETER', {});
    const given = givenName({ linkName: spaceName ?? description ?? '' });
    if (given !== undefined) return given;
    const own = (await store.list(userId)).filter(({ ownerId }) => ownerId === userId);
    return numberedFree(path === '/' ? link.name : nameOf(path), new Set(own.map(({ nameKey }) => nameKey)));
  }

  return {
    get,
    members,
    invitations,
    ...endings,

    /** Folders of one link that are Spaces of the user. */
    foldersOf: (userId: string, storageLinkId: string): Promise<string[]> => store.foldersOf(userId, storageLinkId),

    async list(userId: string): Promise<ReplyOf<typeof listSpaces>> {
      return {
        spaces: await shownTo(userId),
        invitations: await invitations.waiting(userId),
        maySpaces: await hasPremium(userId),
      };
    },

    /** The account's role in its Spaces, and why some cannot be reached, keyed by the account's link to each. */
    async standings(userId: string): Promise<ReadonlyMap<string, Standing>> {
      const spaces = await shownTo(userId);
      return new Map(spaces.map((space) => [space.userLinkId, { role: space.role, trouble: troubleOf(space) }]));
    },

    /**
     * Rejects with NO_SPACES_SUBSCRIPTION, INVALID_SPACE_FOLDER, INVALID_NAME, DUPLICATE_SPACE_NAME, and with the source's error when it cannot be
     * asked.
     */
    async create(userId: string, input: Input<typeof createSpace>, signal: AbortSignal): Promise<ReplyOf<typeof createSpace>> {
      if (!(await hasPremium(userId))) throw appError('NO_SPACES_SUBSCRIPTION', {});
      const { link, storage } = await storageAt(userId, input.storageLinkUri, signal);
      const name = await nameFor(userId, input, link, storage.storagePath);
      const space = {
        ...storage,
        id: newId(),
        ownerId: userId,
        name,
        nameKey: nameKeyOf(name),
        description: (input.description ?? '').trim(),
        createdAt: now(),
      };
      const { name: account } = await accounts.get(userId);
      const ownLink = { id: newId(), accountId: userId, spaceId: space.id, name, account, createdAt: now() };
      const isNew = await store.insert(space, newId(), ownLink, (held) =>
        held.record({ actorId: userId, action: 'space.create', at: now() }),
      );
      if (!isNew) throw appError('DUPLICATE_SPACE_NAME', { name });
      const { invited, refused } = await members.invite(userId, space.id, input.emails ?? '', input.role ?? 'editor');
      return { space: await get(userId, space.id), invited, refused };
    },

    /** Rejects with SPACE_NOT_FOUND, ROLE_FORBIDS, INVALID_NAME, DUPLICATE_SPACE_NAME, INVALID_SPACE_FOLDER. */
    async update(userId: string, input: Input<typeof updateSpace>, signal: AbortSignal): Promise<Space> {
      const { spaceOid, spaceName, description, storageLinkUri } = input;
      const row = await find(userId, spaceOid);
      checkRight(row, 'rename', row.name);
      if (storageLinkUri !== undefined) checkRight(row, 'end', row.name);
      if (spaceName !== undefined && spaceName.trim() === '') throw appError('MISSING_PARAMETER', {});
      const newName = givenName({ linkName: spaceName ?? '' });
      const target = storageLinkUri === undefined ? undefined : await storageAt(userId, storageLinkUri, signal);
      const affected = await store.hold(spaceOid, async (held) => {
        const self = await held.memberOf(userId);
        if (!self) throw appError('SPACE_NOT_FOUND', {});
        checkRight(self, 'rename', held.space.name);
        if (newName !== undefined && newName !== held.space.name) {
          if (!(await held.rename(newName))) throw appError('DUPLICATE_SPACE_NAME', { name: newName });
          await held.record({ actorId: userId, action: 'space.rename', details: { newName }, at: now() });
        }
        if (description !== undefined) await held.describe(description.trim());
        if (target) {
          await held.moveTo(target.storage);
          await held.record({ actorId: userId, action: 'space.move', at: now() });
        }
        return held.members();
      });
      for (const { accountId, linkId } of affected ?? []) access.forget(accountId, target && linkId);
      return get(userId, spaceOid);
    },

    /** Renames the user's own link to a Space. Rejects with INVALID_LINK_URI, INVALID_NAME, DUPLICATE_LINK_NAME. */
    async renameLink(userId: string, userLinkId: string, spaceName: string | undefined): Promise<Space> {
      const row = await store.findByLink(userId, userLinkId);
      if (!row) throw appError('INVALID_LINK_URI', {});
      if (spaceName?.trim() === '') throw appError('MISSING_PARAMETER', {});
      const name = givenName({ linkName: spaceName ?? '' }) ?? row.linkName;
      if (name !== row.linkName && !(await store.renameLink(userLinkId, name))) throw appError('DUPLICATE_LINK_NAME', { name });
      access.forget(userId);
      return get(userId, row.id);
    },
  };
}

/** Awaits a request about a folder and maps every kind of absence to one error. */
async function checked<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    const isNone = error instanceof AppError && ['INVALID_LINK_URI', 'ITEM_NOT_FOUND', 'NOT_A_FOLDER'].includes(error.messageCode);
    throw isNone ? appError('INVALID_SPACE_FOLDER', {}, error) : error;
  }
}
