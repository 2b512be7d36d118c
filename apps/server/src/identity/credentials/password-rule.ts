import { appError } from '@sheaf/contract';

interface Deps {
  /** Whether the settings switch passwords off. */
  readonly isOff: boolean;
  readonly isOperator: (userId: string) => Promise<boolean>;
  readonly hasAccounts: () => Promise<boolean>;
}

export type PasswordRule = ReturnType<typeof createPasswordRule>;

/** Who may use a password. Where they are switched off, operators keep theirs: a provider that fails must not lock them out. */
export function createPasswordRule({ isOff, isOperator, hasAccounts }: Deps) {
  const allows = async (userId: string): Promise<boolean> => !isOff || isOperator(userId);
  return {
    isOff,
    allows,
    /** Throws PASSWORDS_OFF. */
    async check(userId: string): Promise<void> {
      if (!(await allows(userId))) throw appError('PASSWORDS_OFF', {});
    },
    /** Throws PASSWORDS_OFF, except for the very first account, which is the operator's. */
    async checkSignUp(): Promise<void> {
      if (isOff && (await hasAccounts())) throw appError('PASSWORDS_OFF', {});
    },
  };
}
