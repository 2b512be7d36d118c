import type { Clock } from '#/platform/clock.ts';
import type { Config } from '#/platform/config/config.ts';
import type { Db } from '#/platform/db/schema/engine.ts';
import type { BillingProvider } from './provider.ts';
import type { Recurly } from './recurly.ts';
import { createSandboxStore } from './sandbox-store.ts';
import { type Sandbox, createSandbox } from './sandbox.ts';

interface Deps {
  readonly db: Db;
  readonly newId: () => string;
  readonly now: Clock;
}

/** The billing provider of this installation. */
export interface InstalledBilling {
  readonly provider: BillingProvider;
  /** Set when the provider is the sandbox, whose clock can be moved. */
  readonly sandbox?: Sandbox;
  /** Set when the provider is Recurly, which sends notifications. */
  readonly recurly?: Recurly;
}

/** Returns the billing provider of the settings; undefined where everything is included. */
export async function createBilling(config: Config, { db, newId, now }: Deps): Promise<InstalledBilling | undefined> {
  if (config.billing === 'off') return undefined;
  if (config.billing === 'sandbox') {
    const sandbox = createSandbox({ store: createSandboxStore(db), newId, now });
    return { provider: sandbox, sandbox };
  }
  const { recurlyApiKey: apiKey, recurlyPublicKey: publicKey, recurlyApiUrl: apiUrl, recurlyScriptUrl: scriptUrl } = config;
  const { createRecurly } = await import('./recurly.ts');
  const recurly = createRecurly({ apiKey, publicKey, apiUrl, scriptUrl, newId, now });
  return { provider: recurly, recurly };
}

/** Origins besides Sheaf's own that may serve the card form (Recurly's script loads it); empty without Recurly. */
export function cardFormOrigins({ billing, recurlyScriptUrl }: Config): readonly string[] {
  if (billing !== 'recurly') return [];
  return [
    ...new Set([new URL(recurlyScriptUrl).origin, 'https://js.recurly.com', 'https://api.recurly.com', 'https://api.eu.recurly.com']),
  ];
}
