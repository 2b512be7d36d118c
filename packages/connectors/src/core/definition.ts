import type { Authorization } from './authorization.ts';
import type { Connector } from './connector.ts';
import type { Dialer } from './dialer.ts';
import type { Leftovers } from './leftovers.ts';

/** What the operator has set for a provider: the application registered with it, and other addresses than its usual ones. */
export interface ProviderApp {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly apiUrl?: string;
  readonly authUrl?: string;
  readonly tokenUrl?: string;
  readonly uploadUrl?: string;
}

/** The access token of a link that was made by authorization. */
export interface Tokens {
  /**
   * A token that should still be good for a while; `refused` is one that the provider has just turned down, so that another is got. Rejects with
   * `needsAuthorization` when the provider gives none any more.
   */
  access(signal: AbortSignal, refused?: string): Promise<string>;
}

/** What a connector gets from its surroundings. */
export interface Env {
  /** The only way to the network: refuses addresses that links may not point at. */
  readonly dialer: Dialer;
  /** Remembers a fact about the link that its next opening needs, such as the host key seen first. Survives restarts; not for secrets. */
  remember(fact: string, value: string): Promise<void>;
  recall(fact: string): Promise<string | undefined>;
  /** Keeps notes of uploads under way; absent where a link is only tried. */
  readonly leftovers?: Leftovers;
  /** What the operator has set for the provider. */
  readonly app?: ProviderApp;
  /** Present for links made by authorization. */
  readonly tokens?: Tokens;
}

/** Everything the rest of the program knows about a connector. Secrets in `Config` are marked, everything else may be shown. */
export interface Definition<Config = unknown> {
  readonly id: string;
  /** Names of config fields that are stored sealed and never leave the server. */
  readonly secrets: readonly string[];
  /** Checks raw connection info; throws ConnectorError `badConfig` with details.field, gives the config in its full form. */
  parse(info: Readonly<Record<string, string>>, provider: string): Config;
  /** What is shown as the account in My links, such as `mara@nas.example` or a bucket's name. */
  account(config: Config): string;
  /** Same for two links of the same account on the same server: what makes a link a duplicate (error 420). */
  identity(config: Config): string;
  /** How many operations a link may have under way at once. */
  concurrency(config: Config): number;
  /** Whether the source keeps deleted items. */
  readonly hasBin?: true;
  /** Opens lazily: nothing is sent before the first call. May load its vendor library here. */
  open(config: Config, env: Env): Promise<Connector>;
  /** Present where the user authorizes Sheaf at the provider instead of filling in a form. */
  readonly authorization?: Authorization;
  /** Finishes connection info before it is saved, such as the region of a bucket; may ask the source. */
  complete?(config: Config, env: Env, signal: AbortSignal): Promise<Readonly<Record<string, string>>>;
}

/** Declares a connector; the identity function, so that its config's type is inferred. */
export const define = <Config>(definition: Definition<Config>): Definition<Config> => definition;
