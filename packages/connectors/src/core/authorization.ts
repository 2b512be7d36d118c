import type { Env, ProviderApp } from './definition.ts';

/** What a provider gave when the user allowed Sheaf in. Kept sealed; never shown, logged or sent to a browser. */
export interface Grant {
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** Epoch ms; absent for tokens that do not expire. */
  readonly expiresAt?: number;
}

/** A provider's answer to a code: the grant, and what else it said that tells whose it is. */
export interface Redeemed {
  readonly grant: Grant;
  readonly extra: Readonly<Record<string, string>>;
}

export interface AuthorizeAsk {
  readonly provider: string;
  readonly redirectUri: string;
  readonly state: string;
  /** S256 challenge of RFC 7636; only taken where `usesPkce`. */
  readonly challenge: string;
  /** True to let the user choose another account than the one the provider remembers. */
  readonly prompt: boolean;
}

export interface RedeemAsk {
  readonly provider: string;
  readonly code: string;
  readonly redirectUri: string;
  readonly verifier: string;
}

export interface AuthorizationEnv extends Pick<Env, 'dialer'> {
  readonly app: ProviderApp;
}

/** How a provider lets a user authorize Sheaf: OAuth 2.0 (RFC 6749), with what each provider does in its own way. Rejects with ConnectorError. */
export interface Authorization {
  readonly usesPkce: boolean;
  /** What is asked for, for documents and the operator. */
  scopes(provider: string): readonly string[];
  /** Where the browser is sent. */
  authorizeUrl(ask: AuthorizeAsk, env: AuthorizationEnv): string;
  /** Redeems a code; rejects with `unauthorized` when the provider refuses it, and with `appRefused` when it refuses the application. */
  redeem(ask: RedeemAsk, env: AuthorizationEnv, signal: AbortSignal): Promise<Redeemed>;
  /**
   * A newer grant in place of one that expires; rejects with `needsAuthorization` when the provider refuses. Absent where grants cannot be renewed.
   * A provider whose refresh tokens serve once has forgotten the old one when this resolves: the answer must be stored before it is used.
   */
  renew?(grant: Grant, provider: string, env: AuthorizationEnv, signal: AbortSignal): Promise<Grant>;
  /** Makes the grant worthless. */
  revoke?(grant: Grant, provider: string, env: AuthorizationEnv, signal: AbortSignal): Promise<void>;
  /**
   * Connection info of the account that granted, without secrets: what `Definition.parse` takes, `account` shows and `identity` compares. Some providers
   * are asked, others have told in `extra`.
   */
  identify(redeemed: Redeemed, provider: string, env: AuthorizationEnv, signal: AbortSignal): Promise<Readonly<Record<string, string>>>;
}
