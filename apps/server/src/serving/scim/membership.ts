import type { GivenOrgRole } from '@sheaf/contract';
import type { OrgDirectory } from '#/sharing/orgs/directory.ts';
import { ScimError } from './protocol/errors.ts';
import type { ScimStore, UserRow } from './store.ts';

/** A directory that has signed in with its token. */
export interface Speaker {
  readonly orgId: string;
  /** The token's name, which the log of the organisation shows. */
  readonly name: string;
}

interface Deps {
  readonly store: ScimStore;
  readonly directory: Pick<OrgDirectory, 'follow' | 'inviteFor' | 'withdrawFor'>;
}

export type ScimMembership = ReturnType<typeof createScimMembership>;

/**
 * Brings the organisation's members to what the directory says. A person who has never joined it is invited; one who has joined once is brought back and
 * removed without being asked.
 */
export function createScimMembership({ store, directory }: Deps) {
  /** The role of somebody in the directory; undefined for one who is not active. */
  async function roleOf({ id, active }: Pick<UserRow, 'id' | 'active'>): Promise<GivenOrgRole | undefined> {
    if (active !== 1) return undefined;
    return (await store.groupsOf([id])).some(({ role }) => role === 'admin') ? 'admin' : 'member';
  }

  async function apply({ orgId, name }: Speaker, user: UserRow, role: GivenOrgRole | undefined): Promise<void> {
    const source = { id: 'scim', title: name, isAuthority: true };
    const account = await store.accountOf(orgId, user.emailKey, user.accountId);
    if (account?.role === 'owner' && role === undefined)
      throw new ScimError('mutability', 'The owner of the organisation cannot be removed. Somebody else has to become the owner first.');
    if (account && (account.role !== null || user.accountId !== null)) {
      if (user.accountId === null) await store.bind(user.id, account.id);
      if ((await directory.follow({ orgId, account, role }, source)) === 'full') throw full();
      return;
    }
    if (role === undefined) await directory.withdrawFor(orgId, user.emailKey, source);
    else if ((await directory.inviteFor({ orgId, email: user.emailKey, role }, source)) === 'full') throw full();
  }

  /**
   * Applies a role, and then what the directory has said meanwhile: several requests change a person and their groups at the same time, on any instance. Who
   * applies last looks once more, and so has seen everything.
   */
  async function settle(speaker: Speaker, user: UserRow, role: GivenOrgRole | undefined): Promise<void> {
    for (let [now, applied] = [user, role]; ;) {
      await apply(speaker, now, applied);
      const found = await store.findUser(speaker.orgId, user.id);
      const wanted = found && (await roleOf(found));
      if (wanted === applied) return;
      [now, applied] = [found ?? now, wanted];
    }
  }

  /** The same; a person for whom there is no place, or who is the owner, stays as they are. */
  async function settleIfPossible(...given: Parameters<typeof settle>): Promise<void> {
    try {
      await settle(...given);
    } catch (error) {
      if (!(error instanceof ScimError)) throw error;
    }
  }

  return {
    /** Throws ScimError: mutability for the owner, 403 without a free place. */
    sync: async (speaker: Speaker, user: UserRow): Promise<void> => settle(speaker, user, await roleOf(user)),
    /** Removes the membership, or invitation, of a person who leaves the directory. */
    remove: (speaker: Speaker, user: UserRow): Promise<void> => apply(speaker, user, undefined),
    /** Connects an account with a person of the directory and makes it a member, where there is a place. */
    async join({ orgId, name }: Speaker, user: UserRow, account: Parameters<OrgDirectory['follow']>[0]['account']): Promise<void> {
      const role = await roleOf(user);
      const outcome = await directory.follow({ orgId, account, role }, { id: 'scim', title: name, isAuthority: true });
      if (outcome === 'full' || outcome === 'absent') return;
      await store.bind(user.id, account.id);
      // The directory may have removed the person meanwhile, or changed their groups.
      const found = await store.findUser(orgId, user.id);
      const wanted = found && (await roleOf(found));
      if (wanted !== role) await settleIfPossible({ orgId, name }, { ...user, accountId: account.id }, wanted);
    },
    /** After a change of groups. */
    async syncAll(speaker: Speaker, userIds: readonly string[]): Promise<void> {
      for (const id of userIds) {
        const user = await store.findUser(speaker.orgId, id);
        if (user?.active !== 1) continue;
        await settleIfPossible(speaker, user, await roleOf(user));
      }
    },
  };
}

const full = (): ScimError => new ScimError(403, 'The plan of the organisation has no free place. The owner can buy more.');
