import { appError } from '@sheaf/contract';
import type { Accounts } from '#/identity/account/service.ts';
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
  /** Compares the verified address only: anybody can type an unverified one. */
  async function isOperator(userId: string): Promise<boolean> {
    if (operators === 'everyone') return true;
    if (await store.isOperator(userId)) return true;
    if (operators.length === 0) return false;
    const { emailKey, verifiedAt } = await accounts.get(userId);
    return verifiedAt !== null && operators.includes(emailKey);
  }
  return {
    isOperator,
    /** Throws NOT_OPERATOR. */
    async require(userId: string): Promise<void> {
      if (!(await isOperator(userId))) throw appError('NOT_OPERATOR', {});
    },
  };
}
