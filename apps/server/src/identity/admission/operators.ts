import { appError } from '@sheaf/contract';
import type { Accounts } from '#/identity/account/service.ts';
import type { AccountRow } from '#/identity/account/store.ts';
import type { Config } from '#/platform/config/config.ts';
import type { AdmissionStore } from './store.ts';

interface Deps {
  /** Addresses in lower case, or everyone who is signed in. */
  readonly operators: Config['operators'];
  readonly accounts: Pick<Accounts, 'get'>;
  readonly store: Pick<AdmissionStore, 'isOperator'>;
}

export type Operators = ReturnType<typeof createOperators>;

/** Who runs this installation: addresses that the settings name, the first account, and those whom operators made operators. */
export function createOperators({ operators, accounts, store }: Deps) {
  /** Whether the settings name this account. Compares the verified address only: anybody can type an unverified one. */
  const isNamed = ({ emailKey, verifiedAt }: Pick<AccountRow, 'emailKey' | 'verifiedAt'>): boolean =>
    operators === 'everyone' || (verifiedAt !== null && operators.includes(emailKey));

  const isOperator = async (userId: string): Promise<boolean> =>
    operators === 'everyone' || (await store.isOperator(userId)) || (operators.length > 0 && isNamed(await accounts.get(userId)));

  return {
    isOperator,
    isNamed,
    /** Throws NOT_OPERATOR. */
    async require(userId: string): Promise<void> {
      if (!(await isOperator(userId))) throw appError('NOT_OPERATOR', {});
    },
  };
}
