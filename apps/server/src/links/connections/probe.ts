import {
  type Connector,
  ConnectorError,
  type Definition,
  type Dialer,
  type Env,
  type ProviderApp,
  type Tokens,
  deadlines,
  layered,
  timeout,
} from '@sheaf/connectors';

interface Probe<Config> {
  readonly definition: Definition<Config>;
  readonly config: Config;
  readonly dialer: Dialer;
  readonly app?: ProviderApp | undefined;
  readonly tokens?: Tokens | undefined;
  /** Facts stored about the link, if it exists. */
  readonly recall: (fact: string) => Promise<string | undefined>;
  readonly signal: AbortSignal;
}

/** Results of a successful check. */
export interface Proof {
  /** Facts to store with the link. */
  readonly facts: ReadonlyMap<string, string>;
  /** Connection info completed by the connector; absent when it has nothing to add. */
  readonly completed?: Readonly<Record<string, string>>;
}

/** Checks a connection by opening it and listing its root; rejects with ConnectorError. Stores nothing. */
export async function probe<Config>({ definition, config, dialer, app, tokens, recall, signal }: Probe<Config>): Promise<Proof> {
  const facts = new Map<string, string>();
  const env: Env = {
    dialer,
    remember: async (fact, value) => void facts.set(fact, value),
    recall: async (fact) => facts.get(fact) ?? (await recall(fact)),
    ...(app && { app }),
    ...(tokens && { tokens }),
  };
  const deadline = AbortSignal.timeout(deadlines.login);
  const both = AbortSignal.any([signal, deadline]);
  try {
    const inner = await definition.open(config, env);
    try {
      await beginListing(layered(inner, timeout()), both);
    } finally {
      await inner.close();
    }
    const completed = await definition.complete?.(config, env, both);
    return { facts, ...(completed && { completed }) };
  } catch (error) {
    if (deadline.aborted && !signal.aborted)
      throw new ConnectorError('timeout', `no proof within ${deadlines.login} ms`, {
        cause: error,
        details: { problem: 'noAnswer', seconds: String(deadlines.login / 1000) },
      });
    throw error;
  }
}

async function beginListing(connector: Connector, signal: AbortSignal): Promise<void> {
  for await (const first of connector.list('/', { signal })) if (first.length > 0) return;
}
