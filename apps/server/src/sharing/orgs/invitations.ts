import {
  AppError,
  type GivenOrgRole,
  type ReplyOf,
  appError,
  type inviteToOrg,
  type listOrgs,
  type showOrgInvitation,
} from '@sheaf/contract';
import type { Access } from '#/access/access.ts';
import type { Subscriptions } from '#/billing/subscriptions/service.ts';
import { type Refusal, refusalOf, splitAddresses } from '#/identity/account/addresses.ts';
import { readEmail } from '#/identity/account/rules.ts';
import type { Accounts } from '#/identity/account/service.ts';
import type { AccountRow } from '#/identity/account/store.ts';
import type { Background } from '#/platform/background.ts';
import type { Clock } from '#/platform/clock.ts';
import type { Mailer } from '#/platform/mail/mailer.ts';
import type { Throttle } from '#/platform/throttle.ts';
import { hashToken, newToken } from '#/platform/tokens.ts';
import type { InvitationStore, OpenInvitation } from './invitation-store.ts';
import { invitationMail } from './mails.ts';
import type { OrgRights } from './rights.ts';
import { type Membership, roleOf } from './store.ts';

const day = 86_400;
/** Seconds for which an invitation is valid. */
export const invitationSeconds = 14 * day;
/** The page that answers an invitation. */
export const invitationPage = '/invitation/org';
/** Most addresses in one call. */
const mostAtOnce = 100;
const perPerson = { tries: 300, seconds: day };
/** Limits mails to one address, across all organisations. */
const perAddress = { tries: 10, seconds: day };

interface Deps {
  readonly store: InvitationStore;
  readonly rights: OrgRights;
  readonly subscriptions: Pick<Subscriptions, 'hasOrgPlan' | 'unitsOf'>;
  readonly accounts: Pick<Accounts, 'get' | 'findByEmail' | 'markVerified' | 'requireProven'>;
  readonly throttle: Throttle;
  /** Applies changes of a user's memberships at once. */
  readonly forgetAccess: Access['forget'];
  readonly mailer: Mailer;
  readonly background: Background;
  readonly publicUrl: string;
  readonly newId: () => string;
  readonly now: Clock;
}

/** Reference to an invitation: the mailed token, or its id for a user with that verified address. */
interface InvitationRef {
  readonly token?: string | undefined;
  readonly invitationId?: string | undefined;
}

export type OrgInvitations = ReturnType<typeof createOrgInvitations>;

/** Invitations to organisations, from the mail to the answer. Rejects with AppError. */
export function createOrgInvitations(deps: Deps) {
  const { store, rights, subscriptions, accounts, throttle, forgetAccess, mailer, background, publicUrl, newId, now } = deps;

  async function unitsOf(orgId: string, name: string): Promise<number> {
    if (!(await subscriptions.hasOrgPlan(orgId))) throw appError('ORG_EXPIRED', { organisation: name });
    return subscriptions.unitsOf(orgId);
  }

  async function inviteOne(org: Membership, inviter: AccountRow, typed: string, role: GivenOrgRole, units: number): Promise<string> {
    const { email, emailKey } = readEmail(typed);
    await throttle.count(`organisation invites ${emailKey}`, perAddress);
    const token = newToken();
    const at = now();
    const outcome = await store.put(
      {
        id: newId(),
        orgId: org.orgId,
        email,
        emailKey,
        role,
        tokenHash: hashToken(token),
        invitedBy: inviter.id,
        givenBy: null,
        createdAt: at,
        expiresAt: at + invitationSeconds,
      },
      org,
      units,
    );
    if (outcome === 'forbidden') throw appError('ROLE_FORBIDS', { name: org.name });
    if (outcome === 'full') throw appError('ORG_FULL', { units: String(units) });
    if (outcome === 'member') throw appError('ALREADY_MEMBER', { email });
    // In the hash, which browsers never send to a server.
    const content = invitationMail(org.name, inviter.name, role, `${publicUrl}${invitationPage}#token=${token}`);
    background.start('mail organisation invitation', () => mailer.send({ to: email, ...content }));
    return email;
  }

  /** The invitation that the user may answer: by token, or by id if it is to their verified address. */
  async function answerable({ token, invitationId }: InvitationRef, account: AccountRow | undefined): Promise<OpenInvitation> {
    if (!token && !invitationId) throw appError('MISSING_PARAMETER', {});
    const found = token ? await store.findByToken(hashToken(token), now()) : await store.find(invitationId ?? '', now());
    const isOwn = found !== undefined && (token ? true : account?.emailKey === found.emailKey && account.verifiedAt !== null);
    if (!isOwn) throw appError('INVITATION_SPENT', {});
    return found;
  }

  return {
    /**
     * Invites each address and returns why others were refused. Rejects with ORG_FULL when there was room for none, with ORG_EXPIRED, TOO_MANY_TRIES.
     */
    async invite(userId: string, orgOid: string, emails: string, role: GivenOrgRole): Promise<ReplyOf<typeof inviteToOrg>> {
      const org = await rights.require(userId, orgOid, 'members');
      await accounts.requireProven(userId);
      const typed = [...new Set(splitAddresses(emails))];
      if (typed.length === 0) throw appError('MISSING_PARAMETER', {});
      if (typed.length > mostAtOnce) throw appError('INVALID_PARAMETER', { field: 'emails' });
      const units = await unitsOf(orgOid, org.name);
      const inviter = await accounts.get(userId);
      const invited: string[] = [];
      const refused: Refusal[] = [];
      let full: AppError | undefined;
      for (const email of typed) {
        await throttle.count(`organisation invitations of ${userId}`, perPerson);
        try {
          invited.push(await inviteOne(org, inviter, email, role, units));
        } catch (error) {
          refused.push(refusalOf(email, error));
          if (error instanceof AppError && error.messageCode === 'ORG_FULL') full = error;
        }
      }
      if (invited.length === 0 && full) throw full;
      return { invited, refused };
    },

    /** Open invitations to the user's verified address. */
    async listFor(userId: string): Promise<ReplyOf<typeof listOrgs>['invitations']> {
      const { emailKey, verifiedAt } = await accounts.get(userId);
      if (verifiedAt === null) return [];
      const open = await store.listFor(emailKey, now());
      return open.map(({ id, orgName, inviterName, role }) => ({
        invitationId: id,
        name: orgName,
        invitedBy: inviterName ?? orgName,
        role: roleOf(role),
      }));
    },

    /** Describes the invitation of a mailed token; rejects with INVITATION_SPENT. */
    async show(token: string): Promise<ReplyOf<typeof showOrgInvitation>> {
      const { orgName, inviterName, email, role } = await answerable({ token }, undefined);
      const account = await accounts.findByEmail(email);
      return { name: orgName, invitedBy: inviterName ?? orgName, email, role: roleOf(role), hasAccount: account !== undefined };
    },

    /** Joins. A mailed token also verifies the address. Rejects with INVITATION_SPENT, INVITATION_OTHER_ADDRESS, ORG_FULL, ORG_EXPIRED. */
    async accept(userId: string, ref: InvitationRef): Promise<Membership> {
      const account = await accounts.get(userId);
      const invitation = await answerable(ref, account);
      const { orgId, orgName, emailKey, email } = invitation;
      if (account.emailKey !== emailKey) throw appError('INVITATION_OTHER_ADDRESS', { email });
      const units = await unitsOf(orgId, orgName);
      const outcome = await store.accept(invitation, newId(), units, { actorId: userId, at: now() });
      if (outcome === 'full') throw appError('ORG_FULL', { units: String(units) });
      if (outcome === 'spent') throw appError('INVITATION_SPENT', {});
      if (account.verifiedAt === null) await accounts.markVerified(account);
      forgetAccess(userId);
      return rights.require(userId, orgId, 'browse');
    },

    /** Rejects with INVITATION_SPENT. */
    async decline(userId: string | undefined, ref: InvitationRef): Promise<void> {
      const account = userId === undefined ? undefined : await accounts.get(userId);
      const invitation = await answerable(ref, account);
      const actorId = account?.emailKey === invitation.emailKey ? account.id : undefined;
      if (!(await store.decline(invitation, actorId, now()))) throw appError('INVITATION_SPENT', {});
    },

    sweep: () => store.sweep(now()),
  };
}
