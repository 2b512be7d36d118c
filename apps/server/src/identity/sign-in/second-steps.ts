import { appError } from '@sheaf/contract';
import type { Accounts } from '#/identity/account/service.ts';
import type { Passkeys } from '#/identity/second-factors/passkeys.ts';
import type { FactorAnswer, SecondFactors } from '#/identity/second-factors/service.ts';
import type { Entered, SessionOpener } from '#/identity/sessions/session-opener.ts';
import type { Device } from '#/identity/sessions/sessions.ts';
import type { Tickets } from '#/identity/sessions/tickets.ts';
import { networkOf } from '#/platform/http/network.ts';
import type { Throttle } from '#/platform/throttle.ts';

const perAddress = { tries: 300, seconds: 900 };

interface Deps {
  readonly accounts: Accounts;
  readonly tickets: Tickets;
  readonly factors: SecondFactors;
  readonly passkeys: Passkeys;
  readonly sessionOpener: SessionOpener;
  readonly throttle: Throttle;
}

export type SecondSteps = ReturnType<typeof createSecondSteps>;

/** The second step of a sign-in, and sign-in with a passkey alone. */
export function createSecondSteps({ accounts, tickets, factors, passkeys, sessionOpener, throttle }: Deps) {
  const count = (address: string): Promise<void> => throttle.count(`second step from ${networkOf(address)}`, perAddress);

  return {
    /** Throws SIGN_IN_AGAIN, SECOND_FACTOR_WRONG, PASSKEY_REFUSED, MISSING_PARAMETER, TOO_MANY_TRIES. */
    async secondStep(ticket: string, answer: FactorAnswer, device: Device): Promise<Entered> {
      await count(device.address);
      const account = await tickets.holder('factor', ticket);
      await factors.check(account.id, 'factor', answer);
      await tickets.spend(ticket);
      return sessionOpener.enter(account, device);
    },

    /** Options for a passkey's signature, for the ticket's account or any. Throws SIGN_IN_AGAIN, NO_PASSKEYS_HERE, TOO_MANY_TRIES. */
    async passkeyOptions(ticket: string | undefined, address: string): Promise<string> {
      await count(address);
      if (ticket === undefined) return passkeys.requestOptions('signIn', null);
      return passkeys.requestOptions('factor', (await tickets.holder('factor', ticket)).id);
    },

    /** A passkey with user verification is both factors in one. Throws PASSKEY_REFUSED, TOO_MANY_TRIES. */
    async passkeyLogin(assertion: string, device: Device): Promise<Entered> {
      await count(device.address);
      const account = await accounts.get(await passkeys.signed('signIn', null, assertion));
      if (account.disabledAt !== null) throw appError('PASSKEY_REFUSED', {});
      return sessionOpener.enter(account, device);
    },
  };
}
