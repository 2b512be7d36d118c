import type { Logger } from 'pino';
import type { Config } from '#/platform/config/config.ts';
import { createBackups } from './backups/service.ts';
import { masterKeys } from './master-key.ts';
import { type Resealed, resealSecrets } from './reseal.ts';
import { createVault } from './vault.ts';

interface Sealed {
  readonly log: Logger;
  /** Store of links' secrets. */
  readonly links: Parameters<typeof resealSecrets>[0];
  /** Other secrets, resealed by their own area. */
  readonly others: readonly { reseal(): Promise<Resealed> }[];
}

/** The vault and its keys. */
export async function composeSecrets(config: Config, log: Logger) {
  const keys = await masterKeys(config);
  const vault = createVault(keys.current, keys.previous);
  const backups = createBackups(config, keys.current);
  return {
    keys,
    vault,
    backups,
    /** Makes a backup before tables change; if it cannot be made, they do not change. */
    async beforeChange(): Promise<void> {
      if (config.backup === 'off') return;
      try {
        const { path } = await backups.make('upgrade');
        log.info({ path }, 'a backup was made before the tables change');
      } catch (error) {
        throw new Error('the tables have to change, and no backup could be made before (SHEAF_BACKUP=off goes without)', { cause: error });
      }
    },
    /** If older keys are configured, reseals everything with the newest one. */
    async reseal({ log, links, others }: Sealed): Promise<void> {
      if (keys.previous.length === 0) return;
      const done = [await resealSecrets(links, vault)];
      for (const other of others) done.push(await other.reseal());
      const total = (count: (one: Resealed) => number): number => done.reduce((sum, one) => sum + count(one), 0);
      const unreadable = total((one) => one.unreadable);
      if (unreadable > 0) log.warn({ unreadable }, 'these secrets are opened by none of the keys');
      log.info({ secrets: total((one) => one.sealed) }, 'secrets sealed with the newest key');
    },
  };
}
