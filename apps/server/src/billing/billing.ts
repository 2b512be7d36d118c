import type { Clock } from '#/clock.ts';
import type { Config } from '#/config.ts';
import type { Db } from '#/db/database.ts';
import type { BillingProvider } from './provider.ts';
import { createSandboxStore } from './sandbox-store.ts';
import { type Sandbox, createSandbox } from './sandbox.ts';

interface Deps {
  readonly db: Db;
  readonly newId: () => string;
  readonly now: Clock;
}

/** Who bills on this installation. */
export interface InstalledBilling {
  readonly provider: BillingProvider;
  /** The same, where it is the sandbox: its clock can be moved. */
  readonly sandbox?: Sandbox;
}

/** The billing provider that the settings name; undefined where everything is included. */
export function createBilling({ billing }: Config, { db, newId, now }: Deps): InstalledBilling | undefined {
  if (billing === 'off') return undefined;
  const sandbox = createSandbox({ store: createSandboxStore(db), newId, now });
  return { provider: sandbox, sandbox };
}
