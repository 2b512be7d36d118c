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
  /** Every scope that the provider knows; none when it has no scopes. */
  readonly scopes: readonly string[];
  /** What is granted when the client names no scope. Without it a client must name one. */
  readonly defaultScopes?: readonly string[];
  /** Preset: `scope`, separated by a space. */
  readonly scopeParameter?: string;
  readonly scopeSeparator?: string;
  /** Preset: optional. `none` ignores a challenge, as providers without PKCE do. */
  readonly pkce?: 'required' | 'optional' | 'none';
  /** Where the client may show its secret. Preset: in the body. */
  readonly clientAuth?: readonly ('body' | 'basic')[];
  /** Whether a proof by PKCE stands in for the secret. */
  readonly publicClient?: boolean;
  readonly codeSeconds?: number;
  /** Preset: 3600; null for tokens that never expire. */
  readonly accessSeconds?: number | null;
  readonly refreshSeconds?: number;
  readonly rotation?: Rotation;
  /** Whether this authorization gives a refresh token. `isFirst`: the account has no grant yet. Preset: always. */
  readonly offline?: (ask: { readonly query: URLSearchParams; readonly scopes: readonly string[]; readonly isFirst: boolean }) => boolean;
  /** The token endpoint's answer, made from the standard one. */
  readonly answer?: (standard: Readonly<Record<string, unknown>>, issued: Issued) => unknown;
  /** The token endpoint's refusal. Preset: RFC 6749, 5.2. */
  readonly refuse?: (error: string, why: string) => Reply;
  /** Grant types of the provider's own: gives what to issue, or throws {@link tokenError}. */
  readonly grants?: Readonly<Record<string, (fields: URLSearchParams) => Grant & { readonly seconds?: number }>>;
  /** Finds the access token of a request. Preset: `Authorization: Bearer`. */
  readonly tokenFrom?: (incoming: IncomingMessage) => string | undefined;
}

/** A code that waits for its exchange. */
export interface Code {
  readonly grant: Grant;
  readonly redirectUri: string;
  readonly challenge: string | undefined;
  readonly method: string;
  readonly until: number;
  /** Given once it was exchanged. */
  issued?: Issued;
}

/** What the authorize page and the token endpoint have in common. */
export interface OAuthState {
  readonly options: OAuthOptions;
  readonly codes: Map<string, Code>;
  readonly redirectUris: Set<string>;
  /** Milliseconds since 1970, as far ahead as a test wants. */
  readonly now: () => number;
}
