/** Someone who has an account at the simulated provider. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly name: string;
}

/** Whose request it is. */
export interface Identity {
  readonly account: Account;
  readonly token: string;
  readonly scopes: readonly string[];
}

/** Why a token is not taken. */
export type RejectedToken = 'missing' | 'invalid' | 'expired';
