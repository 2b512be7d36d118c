import type { Env, ProviderApp } from './definition.ts';

/** A provider's grant to Sheaf. Stored sealed; never shown, logged or sent to a browser. */
export interface Grant {
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** Epoch ms; absent for tokens that do not expire. */
  readonly expiresAt?: number;
}

/** A provider's answer to an authorization code: the grant, and further fields that identify its account. */
export interface Redeemed {
  readonly grant: Grant;
  readonly extra: Readonly<Record<string, string>>;
}

export interface AuthorizeRequest {
  readonly provider: string;
  readonly redirectUri: string;
  readonly state: string;
  /** S256 challenge of RFC 7636; used only where `usesPkce`. */
  readonly challenge: string;
  /** Whether the user may choose another account than the one the provider remembers. */
  readonly prompt: boolean;
}

export interface RedeemRequest {
  readonly provider: string;
  readonly code: string;
  readonly redirectUri: string;
  readonly verifier: string;
}

export interface AuthorizationEnv extends Pick<Env, 'dialer'> {
  readonly app: ProviderApp;
}

/** Authorization by OAuth 2.0 (RFC 6749), including each provider's deviations. Rejects with ConnectorError. */
export interface Authorization {
  readonly usesPkce: boolean;
  /** Requested scopes, for documents and the operator. */
  scopes(provider: string): readonly string[];
  /** Address to redirect the browser to. */
  authorizeUrl(ask: AuthorizeRequest, env: AuthorizationEnv): string;
  /** Redeems a code; rejects with `unauthorized` when the provider refuses it, and with `appRefused` when it refuses the application. */
  redeem(ask: RedeemRequest, env: AuthorizationEnv, signal: AbortSignal): Promise<Redeemed>;
  /**
   * Renews a grant that is about to expire; rejects with `needsAuthorization` when the provider refuses. Absent where grants cannot be
   * renewed. A provider with single-use refresh tokens has forgotten the old one when this resolves: store the answer before using it.
   */
  renew?(grant: Grant, provider: string, env: AuthorizationEnv, signal: AbortSignal): Promise<Grant>;
  /** Revokes the grant. */
  revoke?(grant: Grant, provider: string, env: AuthorizationEnv, signal: AbortSignal): Promise<void>;
  /**
   * Returns connection info of the grant's account, without secrets: input of `Definition.parse`, `account` and `identity`. Some providers
   * need a request for it, others have included it in `extra`.
   */
  identify(redeemed: Redeemed, provider: string, env: AuthorizationEnv, signal: AbortSignal): Promise<Readonly<Record<string, string>>>;
}
