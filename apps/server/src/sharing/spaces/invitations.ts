import { type InputOf, type ReplyOf, type Space, type acceptSpaceInvitation, appError, type showSpaceInvitation } from '@sheaf/contract';
import type { Accounts } from '#/identity/account/service.ts';
import { networkOf } from '#/platform/http/network.ts';
import type { Throttle } from '#/platform/throttle.ts';
import { hashToken } from '#/platform/tokens.ts';
import { roleOf } from './rows.ts';
import type { InvitedRow, SpaceStore } from './store.ts';

/** Limits lookups from one network address. */
const looksPerAddress = { tries: 50, seconds: 15 * 60 };

interface Deps {
  readonly store: SpaceStore;
  readonly accounts: Pick<Accounts, 'get' | 'findByEmail'>;
  readonly throttle: Throttle;
  readonly newId: () => string;
  /** Epoch seconds. */
  readonly now: () => number;
  readonly get: (userId: string, spaceOid: string) => Promise<Space>;
}

type Which = Pick<InputOf<typeof acceptSpaceInvitation>, 'token' | 'invitationId'>;

/**
 * Invitations as the invited person sees them. Only the account of the invited address may answer: with the mailed token or, once the address is
 * verified, from the list of Spaces.
 */
export function createInvitations({ store, accounts, throttle, newId, now, get }: Deps) {
  /** Invitations that the account may answer without a token. */
  async function waiting(userId: string): Promise<InvitedRow[]> {
    const { verifiedAt, emailKey } = await accounts.get(userId);
    return verifiedAt === null ? [] : store.invitationsTo(emailKey, now());
  }

  async function find({ token, invitationId }: Which, userId: string | undefined, address: string): Promise<InvitedRow> {
    if (token === undefined && invitationId === undefined) throw appError('MISSING_PARAMETER', {});
    if (token === undefined && userId === undefined) throw appError('INVALID_SESSION', {});
    await throttle.count(`space invitation from ${networkOf(address)}`, looksPerAddress);
    const found =
      token === undefined
        ? (await waiting(userId ?? '')).find(({ id }) => id === invitationId)
        : await store.findInvitation(hashToken(token), now());
    if (!found) throw appError('INVITATION_SPENT', {});
    return found;
  }

  return {
    waiting: async (userId: string) =>
      (await waiting(userId)).map((row) => ({ invitationId: row.id, name: row.name, ownerName: row.ownerName, role: roleOf(row) })),

    /** Rejects with INVITATION_SPENT. */
    async show(token: string, address: string): Promise<ReplyOf<typeof showSpaceInvitation>> {
      const invitation = await find({ token }, undefined, address);
      const { name, ownerName, email } = invitation;
      return { name, ownerName, email, role: roleOf(invitation), hasAccount: (await accounts.findByEmail(email)) !== undefined };
    },

    /** Rejects with INVITATION_SPENT, also for the second of two answers, and with INVITATION_OTHER_ADDRESS for an account with another address. */
    async accept(userId: string, which: Which, address: string): Promise<Space> {
      const invitation = await find(which, userId, address);
      const account = await accounts.get(userId);
      if (account.emailKey !== invitation.emailKey) throw appError('INVITATION_OTHER_ADDRESS', { email: invitation.email });
      const isJoined = await store.hold(invitation.spaceId, async (held) => {
        const taken = await held.takeInvitation(invitation);
        if (!taken) return false;
        if (await held.memberOf(userId)) return true;
        const { space } = held;
        const link = {
          id: newId(),
          accountId: userId,
          spaceId: space.id,
          name: space.name,
          account: invitation.ownerName,
          createdAt: now(),
        };
        await held.join(newId(), roleOf(taken), link);
        await held.record({ actorId: userId, action: 'space.join', at: now() });
        return true;
      });
      if (isJoined !== true) throw appError('INVITATION_SPENT', {});
      return get(userId, invitation.spaceId);
    },

    /** Rejects with INVITATION_SPENT. */
    async decline(userId: string | undefined, which: Which, address: string): Promise<void> {
      const invitation = await find(which, userId, address);
      const invited = await accounts.findByEmail(invitation.email);
      const isDeclined = await store.hold(invitation.spaceId, async (held) => {
        if (!(await held.takeInvitation(invitation))) return false;
        await held.record({ ...(invited && { actorId: invited.id }), action: 'space.decline', at: now() });
        return true;
      });
      if (isDeclined !== true) throw appError('INVITATION_SPENT', {});
    },
  };
}
