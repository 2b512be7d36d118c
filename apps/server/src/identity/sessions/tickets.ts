import { appError } from '@sheaf/contract';
import type { Accounts } from '#/identity/account/service.ts';
import type { AccountRow } from '#/identity/account/store.ts';
import type { Clock } from '#/platform/clock.ts';
import { hashToken, newToken } from '#/platform/tokens.ts';
import type { TicketPurpose, TicketStore } from './ticket-store.ts';

/** Seconds for which a ticket is valid. */
const validFor = 600;

interface Deps {
  readonly store: TicketStore;
  readonly accounts: Accounts;
  readonly now: Clock;
}

export type Tickets = ReturnType<typeof createTickets>;

/** Binds the ticket to the password: after a change the sign-in starts over. */
const proofOf = ({ passwordHash }: AccountRow): string => hashToken(passwordHash ?? '');

/** Tickets of sign-ins that wait for their second factor: one sign-in to one account, within ten minutes. */
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

    /** Returns the ticket's account. Throws SIGN_IN_AGAIN when it is unknown, used, expired, or older than the password. */
    async holder(purpose: TicketPurpose, ticket: string): Promise<AccountRow> {
      const row = await store.find(hashToken(ticket), purpose, now());
      if (!row) throw appError('SIGN_IN_AGAIN', {});
      const account = await accounts.get(row.accountId);
      if (account.disabledAt !== null || proofOf(account) !== row.proof) throw appError('SIGN_IN_AGAIN', {});
      return account;
    },

    /** Spends the ticket; the second of two concurrent requests is refused. Throws SIGN_IN_AGAIN. */
    async spend(ticket: string): Promise<void> {
      if (!(await store.take(hashToken(ticket)))) throw appError('SIGN_IN_AGAIN', {});
    },

    sweep: () => store.sweep(now()),
  };
}
