import { type Closing, appError, closingDays, listSeparator } from '@sheaf/contract';
import type { Subscriptions } from '#/billing/subscriptions/service.ts';
import { readEmail } from '#/identity/account/rules.ts';
import type { Accounts } from '#/identity/account/service.ts';
import type { AccountRow } from '#/identity/account/store.ts';
import type { SecondFactors } from '#/identity/second-factors/service.ts';
import type { Reauthentication } from '#/identity/sessions/reauthentication.ts';
import type { SessionOpener, Opened } from '#/identity/sessions/session-opener.ts';
import type { Device, Sessions } from '#/identity/sessions/sessions.ts';
import type { Tickets } from '#/identity/sessions/tickets.ts';
import type { Background } from '#/platform/background.ts';
import type { Clock } from '#/platform/clock.ts';
import type { Caller } from '#/platform/http/session.ts';
import type { Mailer } from '#/platform/mail/mailer.ts';
import { closedMail, closingMail } from './closing-mails.ts';
import type { ClosingStore } from './closing-store.ts';

const day = 86_400;
/** Lease in seconds for ending an account; after a crash another instance goes on. */
const leaseTime = 900;

interface Deps {
  readonly store: ClosingStore;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly authCodes: { readonly forget: (accountId: string) => void };
  readonly reauthentication: Reauthentication;
  readonly factors: Pick<SecondFactors, 'kinds'>;
  readonly tickets: Tickets;
  readonly sessionOpener: SessionOpener;
  /** Prepares the removal of all links of an account while they can still be read; the returned function removes them. */
  readonly links: { prepareUnlinkingAll(accountId: string): Promise<() => Promise<void>> };
  readonly subscriptions: Pick<Subscriptions, 'list' | 'setAutoRenew' | 'cancelAll'>;
  readonly spaces: { readonly endAllOf: (accountId: string, ownerName: string) => Promise<void> };
  /** Deletes the account's transfers slice by slice: their millions of items would block everybody if they went with the account. */
  readonly removeTransfersOf: (accountId: string) => Promise<void>;
  readonly mailer: Mailer;
  readonly background: Background;
  readonly publicUrl: string;
  readonly now: Clock;
  readonly onTrouble: (error: unknown) => void;
}

/** Confirmation by an owner who closes the account. */
interface Farewell {
  readonly email: string;
  readonly password?: string;
}

export type Closings = ReturnType<typeof createClosings>;

/** Closing of accounts: requested by their owners, reversible for some days, then deleted. Never touches files at the sources. */
export function createClosings(deps: Deps) {
  const { store, accounts, sessions, authCodes, reauthentication, factors, tickets, sessionOpener, links, subscriptions, spaces } = deps;
  const { mailer, background, publicUrl, now } = deps;

  /** Removes data in other areas first: a failure is retried while the account still exists. */
  async function end({ id, name, email }: AccountRow): Promise<void> {
    // Spaces first, so that their members are told that the Space has ended and not that its subscription has.
    await spaces.endAllOf(id, name);
    await subscriptions.cancelAll(id);
    await deps.removeTransfersOf(id);
    const unlink = await links.prepareUnlinkingAll(id);
    if (!(await store.remove(id, now()))) return;
    await unlink();
    await mailer.send({ to: email, ...closedMail(name) }, `closed ${id}`);
  }

  /** Stops renewals while the account waits for its end; returns the names of those stopped. */
  async function stopRenewals(accountId: string): Promise<string[]> {
    const renewing = (await subscriptions.list(accountId)).filter(({ state, autoRenew }) => state !== 'expired' && autoRenew);
    for (const { subOid } of renewing)
      await subscriptions.setAutoRenew({ payerId: accountId, actorId: accountId, subOid, autoRenew: false });
    return renewing.map(({ name }) => name);
  }

  async function refuseOwner(accountId: string): Promise<void> {
    const { organisations } = await store.counts(accountId);
    if (organisations.length > 0)
      throw appError('OWNS_ORGANISATIONS', { organisations: organisations.map(({ name }) => name).join(listSeparator) });
  }

  /** Closes the account; undefined when it owns an organisation. */
  async function closeNow(account: AccountRow, actorId: string): Promise<{ closesAt: number } | undefined> {
    const stopped = await stopRenewals(account.id);
    const closesAt = now() + closingDays * day;
    if (!(await store.close(account.id, closesAt, now(), actorId))) return undefined;
    await sessions.endAll(account.id);
    authCodes.forget(account.id);
    const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(closesAt * 1000);
    const content = closingMail(account.name, date, `${publicUrl}/login/start`, stopped, actorId === account.id);
    background.start('mail closing', () => mailer.send({ to: account.email, ...content }));
    return { closesAt };
  }

  /** With a second factor the password alone is not enough. */
  const asksPassword = async ({ id, passwordHash }: AccountRow): Promise<boolean> =>
    passwordHash !== null && (await factors.kinds(id)).length === 0;

  return {
    /** Describes what would end with the account. */
    async preview(userId: string): Promise<Closing> {
      const paid = (await subscriptions.list(userId)).filter(({ state }) => state === 'active' || state === 'pastDue');
      return {
        ...(await store.counts(userId)),
        subscriptions: paid.map(({ name, endsAt }) => ({ name, endsAt })),
        hasPassword: await asksPassword(await accounts.get(userId)),
        days: closingDays,
      };
    },

    /**
     * Closes the account. Throws EMAIL_DIFFERS, PASSWORD_WRONG, MISSING_PARAMETER, OWNS_ORGANISATIONS, TOO_MANY_TRIES; for an account without a
     * password or with a second factor PROOF_NEEDED; and the billing provider's errors when renewals cannot be stopped.
     */
    async close(caller: Caller, { email, password }: Farewell): Promise<{ closesAt: number }> {
      const account = await accounts.get(caller.userId);
      if (readEmail(email).emailKey !== account.emailKey) throw appError('EMAIL_DIFFERS', {});
      if (!(await asksPassword(account))) await reauthentication.require(caller);
      else if (password === undefined) throw appError('MISSING_PARAMETER', {});
      else await reauthentication.checkPassword(account.id, password);
      await refuseOwner(account.id);
      const closed = await closeNow(account, account.id);
      if (closed) return closed;
      await refuseOwner(account.id);
      throw appError('ACCOUNT_CLOSING', {});
    },

    /** Closes an account for an operator; returns the organisations that it owns instead, which somebody has to take over first. */
    async closeFor(accountId: string, operatorId: string): Promise<{ closesAt: number } | { owned: string[] }> {
      const account = await accounts.get(accountId);
      if (account.closesAt !== null) return { closesAt: account.closesAt };
      const owned = async (): Promise<string[]> => (await store.counts(accountId)).organisations.map(({ name }) => name);
      const names = await owned();
      return names.length > 0 ? { owned: names } : ((await closeNow(account, operatorId)) ?? { owned: await owned() });
    },

    /** Keeps an account for an operator; false when it is not closing, or its time is over. */
    keepFor: (accountId: string, operatorId: string): Promise<boolean> => store.reopen(accountId, now(), operatorId),

    /** Keeps the account and signs in. Throws SIGN_IN_AGAIN, and ACCOUNT_CLOSING when its time is over. */
    async reopen(ticket: string, device: Device): Promise<Opened> {
      const account = await tickets.holder('reopen', ticket);
      await tickets.spend(ticket);
      if (!(await store.reopen(account.id, now(), account.id))) throw appError('ACCOUNT_CLOSING', {});
      return sessionOpener.reopen(await accounts.get(account.id), device);
    },

    /** Ends the accounts whose time is over; retries failures at a later run and returns their errors. */
    async sweep(): Promise<unknown[]> {
      const errors: unknown[] = [];
      for (let due = await store.takeDue(now(), now() + leaseTime); due; due = await store.takeDue(now(), now() + leaseTime)) {
        try {
          await end(due);
        } catch (error) {
          deps.onTrouble(error);
          errors.push(error);
        }
      }
      return errors;
    },
  };
}
