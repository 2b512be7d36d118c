import type { Authorization } from './authorization.ts';
import type { Connector } from './connector.ts';
import type { Dialer } from './dialer.ts';
import type { ReadHint } from './hints/hints.ts';
import type { Leftovers } from './leftovers.ts';

/** The operator's settings for a provider: the registered application, and custom addresses. */
export interface ProviderApp {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly apiUrl?: string;
  readonly authUrl?: string;
  readonly tokenUrl?: string;
  readonly uploadUrl?: string;
}

/** Access tokens of a link made by authorization. */
export interface Tokens {
  /**
   * Returns a token that is valid for a while. `refused` is a token that the provider has just rejected: it is renewed first. Rejects with
   * `needsAuthorization` when the provider issues none.
   */
  access(signal: AbortSignal, refused?: string): Promise<string>;
}

/** A connector's environment. */
export interface Env {
  /** The only access to the network; refuses addresses that links may not use. */
  readonly dialer: Dialer;
  /** Stores a fact about the link for its next opening, such as the first host key. Survives restarts; not for secrets. */
  remember(fact: string, value: string): Promise<void>;
  recall(fact: string): Promise<string | undefined>;
  /** Records running uploads; absent when a link is only checked. */
  readonly leftovers?: Leftovers;
  /** The operator's settings for the provider. */
  readonly app?: ProviderApp;
  /** Present for links made by authorization. */
  readonly tokens?: Tokens;
}

/** Everything that the rest of the program knows about a connector. Secrets in `Config` are marked; everything else may be shown. */
export interface Definition<Config = unknown> {
  readonly id: string;
  /** Names of config fields that are stored sealed and never leave the server. */
  readonly secrets: readonly string[];
  /** Validates raw connection info and returns the complete config; throws ConnectorError `badConfig` with details.field. */
  parse(info: Readonly<Record<string, string>>, provider: string): Config;
  /** Account name shown in My links, such as `mara@nas.example` or the name of a bucket. */
  account(config: Config): string;
  /** Equal for two links of the same account on the same server: such a link is a duplicate (error 420). */
  identity(config: Config): string;
  /** Maximum number of concurrent operations of a link. */
  concurrency(config: Config): number;
  /** Whether the source keeps deleted items. */
  readonly hasBin?: true;
  /** Whether the source moves a folder with all its content in one step: one without its own bin gets a hidden bin. */
  readonly movesTrees?: true;
  /** Whether the source's administrator may have enabled versions or a bin, which Sheaf cannot find out. */
  readonly mayKeepVersions?: true;
  /** Opens lazily: sends nothing before the first call. May load its vendor library here. */
  open(config: Config, env: Env): Promise<Connector>;
  /** Exists where the user authorizes Sheaf at the provider instead of filling in a form. */
  readonly authorization?: Authorization;
  /** Exists where the service calls an address of Sheaf when something changes. */
  readonly readHint?: ReadHint;
  /** Completes connection info before it is saved, for example with the region of a bucket; may ask the source. */
  complete?(config: Config, env: Env, signal: AbortSignal): Promise<Readonly<Record<string, string>>>;
}

/** Declares a connector; an identity function that lets TypeScript infer the type of its config. */
export const define = <Config>(definition: Definition<Config>): Definition<Config> => definition;
