import type { IncomingMessage } from 'node:http';
import type { Account } from '../identity.ts';
import type { Reply } from '../reply.ts';
import type { Grant, Issued, Rotation } from './oauth-tokens.ts';

interface Client {
  readonly id: string;
  readonly secret: string;
  /** Its name on the page. */
  readonly title?: string;
  readonly redirectUris: readonly string[];
}

export interface OAuthOptions {
  /** The provider's name on the page. */
  readonly provider: string;
  readonly client: Client;
  readonly accounts: readonly Account[];
  /** All scopes of the provider; empty when it has none. */
  readonly scopes: readonly string[];
  /** Scopes granted when the client names none. Without it a client must name one. */
  readonly defaultScopes?: readonly string[];
  /** Default: `scope`, separated by spaces. */
  readonly scopeParameter?: string;
  readonly scopeSeparator?: string;
  /** Default: optional. `none` ignores a challenge, like providers without PKCE. */
  readonly pkce?: 'required' | 'optional' | 'none';
  /** How the client may send its secret. Default: in the body. */
  readonly clientAuth?: readonly ('body' | 'basic')[];
  /** Whether PKCE replaces the secret. */
  readonly publicClient?: boolean;
  readonly codeSeconds?: number;
  /** Default: 3600; null for tokens that never expire. */
  readonly accessSeconds?: number | null;
  readonly refreshSeconds?: number;
  readonly rotation?: Rotation;
  /** Whether this authorization issues a refresh token. `isFirst`: the account has no grant yet. Default: always. */
  readonly offline?: (ask: { readonly query: URLSearchParams; readonly scopes: readonly string[]; readonly isFirst: boolean }) => boolean;
  /** Builds the token endpoint's response from the standard one. */
  readonly answer?: (standard: Readonly<Record<string, unknown>>, issued: Issued) => unknown;
  /** Builds the token endpoint's error response. Default: RFC 6749, 5.2. */
  readonly refuse?: (error: string, why: string) => Reply;
  /** The provider's own grant types: returns the grant to issue, or throws {@link tokenError}. */
  readonly grants?: Readonly<Record<string, (fields: URLSearchParams) => Grant & { readonly seconds?: number }>>;
  /** Returns the access token of a request. Default: `Authorization: Bearer`. */
  readonly tokenFrom?: (incoming: IncomingMessage) => string | undefined;
}

/** An authorization code. */
export interface Code {
  readonly grant: Grant;
  readonly redirectUri: string;
  readonly challenge: string | undefined;
  readonly method: string;
  readonly until: number;
  /** Set once it was exchanged. */
  issued?: Issued;
}

/** State shared by the authorize page and the token endpoint. */
export interface OAuthState {
  readonly options: OAuthOptions;
  readonly codes: Map<string, Code>;
  readonly redirectUris: Set<string>;
  /** Epoch ms, plus the time that a test has advanced. */
  readonly now: () => number;
}
