/** A user of the simulated provider. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly name: string;
}

/** The authenticated user of a request. */
export interface Identity {
  readonly account: Account;
  readonly token: string;
  readonly scopes: readonly string[];
}

/** Why a token is refused. */
export type RejectedToken = 'missing' | 'invalid' | 'expired';
