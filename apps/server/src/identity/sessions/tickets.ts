import { appError } from '@sheaf/contract';
import type { Accounts } from '#/identity/account/service.ts';
import type { AccountRow } from '#/identity/account/store.ts';
import type { Clock } from '#/platform/clock.ts';
import { hashToken, newToken } from '#/platform/tokens.ts';
import type { TicketPurpose, TicketStore } from './ticket-store.ts';

/** Seconds between the first step of a sign-in and the next. */
const validFor = 600;

interface Deps {
  readonly store: TicketStore;
  readonly accounts: Accounts;
  readonly now: Clock;
}

export type Tickets = ReturnType<typeof createTickets>;

/** What was proven so far: after a change of the password it has to be proven again. */
const proofOf = ({ passwordHash }: AccountRow): string => hashToken(passwordHash ?? '');

/** Tickets for sign-ins with one step to go: good for one sign-in to one account, for ten minutes. */
export function createTickets({ store, accounts, now }: Deps) {
  return {
    async open(purpose: TicketPurpose, account: AccountRow): Promise<string> {
      const ticket = newToken();
      await store.insert({
        tokenHash: hashToken(ticket),
        purpose,
        accountId: account.id,
        proof: proofOf(account),
        expiresAt: now() + validFor,
      });
      return ticket;
    },

    /** Whose ticket it is. Throws SIGN_IN_AGAIN for one that is unknown, used, too late, or older than the password. */
    async holder(purpose: TicketPurpose, ticket: string): Promise<AccountRow> {
      const row = await store.find(hashToken(ticket), purpose, now());
      if (!row) throw appError('SIGN_IN_AGAIN', {});
      const account = await accounts.get(row.accountId);
      if (account.disabledAt !== null || proofOf(account) !== row.proof) throw appError('SIGN_IN_AGAIN', {});
      return account;
    },

    /** Spends it; of two requests at once the second is refused. Throws SIGN_IN_AGAIN. */
    async spend(ticket: string): Promise<void> {
      if (!(await store.take(hashToken(ticket)))) throw appError('SIGN_IN_AGAIN', {});
    },

    sweep: () => store.sweep(now()),
  };
}
