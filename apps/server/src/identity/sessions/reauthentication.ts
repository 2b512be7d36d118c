import { appError } from '@sheaf/contract';
import { isPassword } from '#/identity/account/password.ts';
import type { Accounts } from '#/identity/account/service.ts';
import type { SecondFactors } from '#/identity/second-factors/service.ts';
import type { Clock } from '#/platform/clock.ts';
import type { Caller } from '#/platform/http/session.ts';
import type { Throttle } from '#/platform/throttle.ts';
import type { Sessions } from './sessions.ts';

/** Seconds for which a reauthentication is valid; a sign-in counts as one. */
const holdsFor = 600;
const passwordTries = { tries: 10, seconds: 900 };

interface Deps {
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly factors: SecondFactors;
  readonly throttle: Throttle;
  readonly now: Clock;
}

/** One of these. */
export interface Proof {
  readonly password?: string;
  readonly code?: string;
  readonly recoveryCode?: string;
  readonly assertion?: string;
}

export type Reauthentication = ReturnType<typeof createReauthentication>;

/**
 * Reauthentication before calls that could take over or destroy an account: an open browser is not enough. With a second factor the password is not
 * enough either, or somebody who knows it could remove the second factor.
 */
export function createReauthentication({ accounts, sessions, factors, throttle, now }: Deps) {
  /** Throws PASSWORD_WRONG, TOO_MANY_TRIES. */
  async function checkPassword(userId: string, password: string): Promise<void> {
    const key = `prove ${userId}`;
    await throttle.count(key, passwordTries);
    const { passwordHash } = await accounts.get(userId);
    if (!(await isPassword(password, passwordHash))) throw appError('PASSWORD_WRONG', {});
    await throttle.clear(key);
  }

  return {
    checkPassword,

    /** Throws PROOF_NEEDED when the last reauthentication is too old, INVALID_SESSION for command-line clients, which cannot reauthenticate. */
    async require({ sessionId, rTag }: Caller): Promise<void> {
      if (rTag === undefined) throw appError('INVALID_SESSION', {});
      if (now() - (await sessions.provenAt(sessionId)) > holdsFor) throw appError('PROOF_NEEDED', {});
    },

    /** Throws SECOND_STEP_NEEDED, PASSWORD_WRONG, SECOND_FACTOR_WRONG, PASSKEY_REFUSED, MISSING_PARAMETER, TOO_MANY_TRIES. */
    async prove({ userId, sessionId, rTag }: Caller, { password, ...answer }: Proof): Promise<void> {
      if (rTag === undefined) throw appError('INVALID_SESSION', {});
      if (password === undefined) await factors.check(userId, 'prove', answer);
      else if ((await factors.kinds(userId)).length > 0) throw appError('SECOND_STEP_NEEDED', {});
      else await checkPassword(userId, password);
      await sessions.proved(sessionId);
    },
  };
}
