import type { Logger } from 'pino';
import type { Config } from '#/platform/config/config.ts';
import { masterKeys } from './master-key.ts';
import { type Resealed, resealSecrets } from './reseal.ts';
import { createVault } from './vault.ts';

interface Sealed {
  readonly log: Logger;
  /** Store of links' secrets. */
  readonly links: Parameters<typeof resealSecrets>[0];
  /** Secrets of second factors, resealed by their own area. */
  readonly factors: { reseal(): Promise<Resealed> };
}

/** The vault and its keys. */
export async function composeSecrets(config: Config) {
  const keys = await masterKeys(config);
  const vault = createVault(keys.current, keys.previous);
  return {
    keys,
    vault,
    /** If older keys are configured, reseals everything with the newest one. */
    async reseal({ log, links, factors }: Sealed): Promise<void> {
      if (keys.previous.length === 0) return;
      const [passwords, codes] = [await resealSecrets(links, vault), await factors.reseal()];
      const unreadable = passwords.unreadable + codes.unreadable;
      if (unreadable > 0) log.warn({ unreadable }, 'these secrets are opened by none of the keys');
      log.info({ secrets: passwords.sealed + codes.sealed }, 'secrets sealed with the newest key');
    },
  };
}
