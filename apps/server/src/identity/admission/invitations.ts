import { type InputOf, type ReplyOf, type SignUpInvitation, appError, type invitePeople } from '@sheaf/contract';
import { refusalOf, splitAddresses } from '#/identity/account/addresses.ts';
import { readEmail } from '#/identity/account/rules.ts';
import type { Accounts } from '#/identity/account/service.ts';
import type { Background } from '#/platform/background.ts';
import type { Clock } from '#/platform/clock.ts';
import type { Config } from '#/platform/config/config.ts';
import type { Mailer } from '#/platform/mail/mailer.ts';
import { hashToken, newToken } from '#/platform/tokens.ts';
import type { SignUpInvitationStore } from './invitation-store.ts';
import { invitationMail } from './mails.ts';
import type { Operators } from './operators.ts';

const day = 86_400;
/** Most addresses in one call, and most invitations listed. */
const mostAtOnce = 100;
const mostListed = 500;

interface Deps {
  readonly store: SignUpInvitationStore;
  readonly operators: Operators;
  readonly accounts: Pick<Accounts, 'get' | 'findByEmail'>;
  readonly signup: Config['signup'];
  /** Whether mails are sent; otherwise every invitation is a link to copy. */
  readonly hasMail: boolean;
  readonly mailer: Mailer;
  readonly background: Background;
  readonly publicUrl: string;
  readonly newId: () => string;
  readonly now: Clock;
}

type Made = ReplyOf<typeof invitePeople>['invited'][number];

export type SignUpInvitations = ReturnType<typeof createSignUpInvitations>;

/** Operators' invitations to create an account. Throws NOT_OPERATOR for everybody else. */
export function createSignUpInvitations(deps: Deps) {
  const { store, operators, accounts, signup, hasMail, mailer, background, publicUrl, newId, now } = deps;

  /** Makes one invitation; without an address it is a link for anybody. Throws EMAIL_INVALID, EMAIL_TAKEN. */
  async function make(userId: string, typed: string | undefined, days: number): Promise<Made> {
    const address = typed === undefined ? undefined : readEmail(typed);
    if (typed !== undefined && (await accounts.findByEmail(typed))) throw appError('EMAIL_TAKEN', {});
    const [token, at] = [newToken(), now()];
    const isMailed = address !== undefined && hasMail;
    const { email = null, emailKey = null } = address ?? {};
    const expiresAt = at + days * day;
    const row = { id: newId(), tokenHash: hashToken(token), email, emailKey, isMailed: isMailed ? 1 : 0, invitedBy: userId };
    await store.put({ ...row, createdAt: at, expiresAt });
    // In the hash, which browsers never send to a server.
    const link = `${publicUrl}/signup/start#invitation=${token}`;
    if (address === undefined || !isMailed) return { ...(email !== null && { email }), link };
    const { name } = await accounts.get(userId);
    background.start('mail invitation', () => mailer.send({ to: address.email, ...invitationMail(name, publicUrl, link, expiresAt) }));
    return { email: address.email };
  }

  return {
    /** Invites each address, or makes a link to copy. Throws SIGNUP_CLOSED while nobody could use it. */
    async invite(userId: string, { emails, days }: InputOf<typeof invitePeople>): Promise<ReplyOf<typeof invitePeople>> {
      await operators.require(userId);
      if (signup === 'closed') throw appError('SIGNUP_CLOSED', {});
      if (emails === undefined) return { invited: [await make(userId, undefined, days)], refused: [] };
      const typed = [...new Set(splitAddresses(emails))];
      if (typed.length === 0) throw appError('MISSING_PARAMETER', {});
      if (typed.length > mostAtOnce) throw appError('INVALID_PARAMETER', { field: 'emails' });
      const answer: ReplyOf<typeof invitePeople> = { invited: [], refused: [] };
      for (const one of typed) {
        try {
          answer.invited.push(await make(userId, one, days));
        } catch (error) {
          answer.refused.push(refusalOf(one, error));
        }
      }
      return answer;
    },

    async list(userId: string): Promise<SignUpInvitation[]> {
      await operators.require(userId);
      return (await store.list(now(), mostListed)).map(({ id, email, inviter, createdAt, expiresAt }) => ({
        invitationId: id,
        ...(email !== null && { email }),
        ...(inviter !== null && { invitedBy: inviter }),
        createdAt,
        expiresAt,
      }));
    },

    /** False when there is no such invitation. */
    async withdraw(userId: string, id: string): Promise<boolean> {
      await operators.require(userId);
      return store.withdraw(id, userId, now());
    },

    sweep: () => store.sweep(now()),
  };
}
