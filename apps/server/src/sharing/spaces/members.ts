import { type GivenSpaceRole, type SpaceMember, type SpaceRight, appError, mayInSpace } from '@sheaf/contract';
import type { Access } from '#/access/access.ts';
import { type Refusal, readAddresses, refusalOf } from '#/identity/account/addresses.ts';
import type { Accounts } from '#/identity/account/service.ts';
import type { Background } from '#/platform/background.ts';
import type { Mailer } from '#/platform/mail/mailer.ts';
import type { Throttle } from '#/platform/throttle.ts';
import { hashToken, newToken } from '#/platform/tokens.ts';
import type { HeldSpace, Member } from './held.ts';
import { invitationMail, removedMail } from './mails.ts';
import { roleOf, shownInvitation, shownMember } from './rows.ts';
import type { SpaceRow, SpaceStore } from './store.ts';

const day = 86_400;
/** Seconds for which an invitation is valid. */
const goodFor = 14 * day;
/** Limits invitation mails per account. */
const invitationsPerAccount = { tries: 100, seconds: day };
const invitationsPerAddress = { tries: 3, seconds: day };
/** Most addresses in one call. */
const mostAtOnce = 100;

interface Deps {
  readonly store: SpaceStore;
  readonly accounts: Pick<Accounts, 'get' | 'findByEmail' | 'requireProven'>;
  readonly throttle: Throttle;
  readonly mailer: Pick<Mailer, 'send'>;
  readonly background: Background;
  readonly newId: () => string;
  /** Epoch seconds. */
  readonly now: () => number;
  readonly publicUrl: string;
  /** The Space; rejects with SPACE_NOT_FOUND for non-members. */
  readonly find: (userId: string, spaceOid: string) => Promise<SpaceRow>;
  /** Applies a changed right at once. */
  readonly forget: Access['forget'];
  /** Whether Premium or its trial is running. */
  readonly hasPremium: (accountId: string) => Promise<boolean>;
}

export interface Invited {
  readonly invited: string[];
  readonly refused: Refusal[];
}

/** Members of a Space and their roles, managed by the owner and managers; the owner's own role never changes. */
export function createMembers(deps: Deps) {
  const { store, accounts, throttle, mailer, background, newId, now, publicUrl, find, forget, hasPremium } = deps;

  /** Counts invitations before they are made; returns the allowed ones, and why others were refused. */
  async function counted<A extends { readonly email: string; readonly emailKey: string }>(
    userId: string,
    spaceOid: string,
    list: readonly A[],
  ) {
    const allowed: A[] = [];
    const refused: Refusal[] = [];
    for (const address of list) {
      try {
        await throttle.count(`space invitations by ${userId}`, invitationsPerAccount);
        await throttle.count(`invitation to ${address.emailKey} from ${spaceOid}`, invitationsPerAddress);
        allowed.push(address);
      } catch (error) {
        refused.push(refusalOf(address.email, error));
      }
    }
    return { allowed, refused };
  }

  /** Runs `work` while the Space is locked, for a user with the right. Rejects with SPACE_NOT_FOUND and ROLE_FORBIDS. */
  async function managing<T>(userId: string, spaceOid: string, work: (held: HeldSpace, self: Member) => Promise<T>): Promise<T> {
    const done = await store.hold(spaceOid, async (held) => {
      const self = await held.memberOf(userId);
      if (!self) throw appError('SPACE_NOT_FOUND', {});
      checkRight(self, 'members', held.space.name);
      return { result: await work(held, self) };
    });
    if (!done) throw appError('SPACE_NOT_FOUND', {});
    return done.result;
  }

  async function mailInvitation(row: SpaceRow, inviterName: string, role: GivenSpaceRole, email: string, token: string): Promise<void> {
    const greeting = (await accounts.findByEmail(email))?.name ?? 'there';
    // In the hash, which browsers never send to a server.
    const link = `${publicUrl}/invitation/space#token=${token}`;
    await mailer.send({ to: email, ...invitationMail({ greeting, name: row.name, ownerName: row.ownerName, inviterName, role, link }) });
  }

  return {
    /** The members and, for those who manage them, the open invitations. */
    async list(userId: string, spaceOid: string): Promise<SpaceMember[]> {
      const space = await find(userId, spaceOid);
      const members = (await store.members(spaceOid)).map((member) => shownMember(member, userId));
      if (!mayInSpace(roleOf(space), 'members')) return members;
      return [...members, ...(await store.invitations(spaceOid, now())).map(shownInvitation)];
    },

    /** Invites the addresses and returns why others were refused; an address with an open invitation gets a new mail, and its old link ends. */
    async invite(userId: string, spaceOid: string, emails: string, role: GivenSpaceRole): Promise<Invited> {
      const row = await find(userId, spaceOid);
      checkRight(row, 'members', row.name);
      await accounts.requireProven(userId);
      if (!(await hasPremium(row.ownerId))) {
        const { name, ownerName: owner } = row;
        throw row.ownerId === userId ? appError('SPACE_EXPIRED_OWN', { name }) : appError('SPACE_EXPIRED', { owner, name });
      }
      const { addresses, refused } = readAddresses(emails);
      if (addresses.length > mostAtOnce) throw appError('INVALID_PARAMETER', { field: 'emails' });
      const members = new Set((await store.members(spaceOid)).map(({ emailKey }) => emailKey));
      const strangers = addresses.filter(({ emailKey }) => !members.has(emailKey));
      const already = addresses.filter(({ emailKey }) => members.has(emailKey));
      const { allowed, refused: tooMany } = await counted(userId, spaceOid, strangers);
      const inviter = await accounts.get(userId);
      const mails = allowed.map((address) => ({ ...address, token: newToken() }));
      await managing(userId, spaceOid, async (held) => {
        for (const { email, emailKey, token } of mails) {
          await held.invite({
            id: newId(),
            spaceId: spaceOid,
            email,
            emailKey,
            role,
            tokenHash: hashToken(token),
            invitedBy: userId,
            createdAt: now(),
            expiresAt: now() + goodFor,
          });
          await held.record({ actorId: userId, action: 'space.invite', details: { email, role }, at: now() });
        }
      });
      for (const { email, token } of mails)
        background.start('mail space invitation', () => mailInvitation(row, inviter.name, role, email, token));
      return {
        invited: mails.map(({ email }) => email),
        refused: [...refused, ...already.map(({ email }) => refusalOf(email, appError('ALREADY_MEMBER', { email }))), ...tooMany],
      };
    },

    /** Rejects with MEMBER_NOT_FOUND, and with SPACE_OWNED for the owner. */
    async changeRole(userId: string, spaceOid: string, memberId: string, role: GivenSpaceRole): Promise<void> {
      const changed = await managing(userId, spaceOid, async (held) => {
        const member = await held.member(memberId);
        if (!member) {
          const invitation = await held.invitation(memberId);
          if (!invitation) throw appError('MEMBER_NOT_FOUND', {});
          if (invitation.role === role) return undefined;
          await held.setInvitedRole(memberId, role);
          await held.record({ actorId: userId, action: 'space.role', details: { member: invitation.email, role }, at: now() });
          return undefined;
        }
        if (member.role === 'owner') throw appError('SPACE_OWNED', {});
        if (member.role === role) return undefined;
        await held.setRole(member, role, { actorId: userId, at: now() });
        await held.record({ actorId: userId, action: 'space.role', details: { member: member.name, role }, at: now() });
        return member;
      });
      if (changed) forget(changed.accountId, changed.linkId);
    },

    /** Removes a member, or withdraws an invitation. Rejects as `changeRole`. */
    async remove(userId: string, spaceOid: string, memberId: string): Promise<void> {
      const row = await find(userId, spaceOid);
      const gone = await managing(userId, spaceOid, async (held) => {
        const member = await held.member(memberId);
        if (!member) {
          const invitation = await held.invitation(memberId);
          if (!invitation) throw appError('MEMBER_NOT_FOUND', {});
          await held.takeInvitation(invitation);
          await held.record({ actorId: userId, action: 'space.expel', details: { member: invitation.email }, at: now() });
          return undefined;
        }
        if (member.role === 'owner') throw appError('SPACE_OWNED', {});
        const isSelf = member.accountId === userId;
        await held.part(member, { actorId: userId, at: now() });
        await held.record({
          actorId: userId,
          action: isSelf ? 'space.leave' : 'space.expel',
          ...(!isSelf && { details: { member: member.name } }),
          at: now(),
        });
        return member;
      });
      if (!gone) return;
      forget(gone.accountId, gone.linkId);
      if (gone.accountId === userId) return;
      const content = removedMail({ greeting: gone.name, name: row.name, ownerName: row.ownerName });
      background.start('mail removed member', () => mailer.send({ to: gone.email, ...content }));
    },
  };
}

/** Throws ROLE_FORBIDS unless the role has the right. */
export function checkRight(member: { readonly role: string }, right: SpaceRight, name: string): void {
  if (!mayInSpace(roleOf(member), right)) throw appError('ROLE_FORBIDS', { name });
}
