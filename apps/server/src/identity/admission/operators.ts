import { appError } from '@sheaf/contract';
import type { Accounts } from '#/identity/account/service.ts';
import type { AccountRow } from '#/identity/account/store.ts';
import type { Clock } from '#/platform/clock.ts';
import type { Config } from '#/platform/config/config.ts';
import type { AdmissionStore } from './store.ts';

interface Deps {
  /** Addresses in lower case, or everyone who is signed in. */
  readonly operators: Config['operators'];
  readonly accounts: Pick<Accounts, 'get'>;
  readonly store: Pick<AdmissionStore, 'isOperator' | 'setGiven'>;
  readonly now: Clock;
}

/** A sign-in provider's claim about a person. */
interface Said {
  readonly provider: string;
  readonly title: string;
  readonly isOperator: boolean;
}

export type Operators = ReturnType<typeof createOperators>;

/** Who runs this installation: addresses in the settings, the first account, and accounts that operators have appointed. */
export function createOperators({ operators, accounts, store, now }: Deps) {
  /** Whether the settings name this account. Compares the verified address only: anybody can type an unverified one. */
  const isNamed = ({ emailKey, verifiedAt }: Pick<AccountRow, 'emailKey' | 'verifiedAt'>): boolean =>
    operators === 'everyone' || (verifiedAt !== null && operators.includes(emailKey));

  const isOperator = async (userId: string): Promise<boolean> =>
    operators === 'everyone' || (await store.isOperator(userId)) || (operators.length > 0 && isNamed(await accounts.get(userId)));

  return {
    isOperator,
    isNamed,
    /** Makes the account an operator, or takes that back, as the provider says. Those whom operators have appointed stay operators. */
    async follow({ id, email }: Pick<AccountRow, 'id' | 'email'>, { provider, title, isOperator: isGiven }: Said): Promise<void> {
      const action = isGiven ? 'people.makeOperator' : 'people.removeOperator';
      // The log names the provider: nobody else has done it.
      const event = { at: now(), actorId: title, action, subjectId: id, subject: email } as const;
      await store.setGiven(id, provider, isGiven, event);
    },
    /** Throws NOT_OPERATOR. */
    async require(userId: string): Promise<void> {
      if (!(await isOperator(userId))) throw appError('NOT_OPERATOR', {});
    },
  };
}
