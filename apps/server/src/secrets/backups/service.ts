import { join } from 'node:path';
import { AppError } from '@sheaf/contract';
import type { Config } from '#/platform/config/config.ts';
import { leftOutOfBackups, withSnapshot } from '#/platform/db/copies/snapshot.ts';
import { type Copy, type Counts, Unfit, fillDatabase, fillNowhere } from '#/platform/db/copies/write.ts';
import { NewerDatabase } from '#/platform/db/migrations/migrate.ts';
import { placeKey, presentKeys } from '#/secrets/master-key.ts';
import { secretPlace } from '#/secrets/reseal.ts';
import { createVault, keyIdOf } from '#/secrets/vault.ts';
import { createCheckStore } from './check-store.ts';
import { type Content, packSnapshot, unpack } from './content.ts';
import { BadBackup, newer } from './damage.ts';
import { type BackupFile, type Reason, backupName, listBackups, readBytes, surplus, tidyBackups, writeWhole } from './folder.ts';
import { type Head, type Secret, openFile, sealFile } from './sealed.ts';

type Settings = Pick<Config, 'dataDir' | 'databaseUrl' | 'secretKey' | 'previousSecretKeys' | 'backupPassphrase'>;

/** What `verify` found in a backup. */
export interface Verified {
  readonly head: Head;
  readonly accounts: number;
  readonly links: number;
  /** Stored secrets of links, and how many of them the key does not open. */
  readonly secrets: number;
  readonly unreadable: number;
  readonly rows: number;
}

/** Makes backups of this installation into `backups/` of the data folder. */
export function createBackups(config: Settings, masterKey: Buffer, now: () => number = () => Math.floor(Date.now() / 1000)) {
  const folder = join(config.dataDir, 'backups');
  const keyId = keyIdOf(masterKey);
  return {
    keyId,
    /** Writes a backup while everybody works; to `path` if given. */
    async make(reason: Reason, path?: string): Promise<BackupFile> {
      const names = new Set((await listBackups(folder, keyId)).map((file) => file.name));
      let madeAt = now();
      // The name of one that was made within the same second is taken.
      while (names.has(backupName(keyId, madeAt, reason))) madeAt += 1;
      const name = backupName(keyId, madeAt, reason);
      const target = path ?? join(folder, name);
      const secret: Secret = config.backupPassphrase === '' ? { key: masterKey } : { passphrase: config.backupPassphrase };
      const bytes = await withSnapshot({ ...config, omit: leftOutOfBackups }, (snapshot) =>
        writeWhole(target, sealFile(packSnapshot(snapshot, 'passphrase' in secret ? masterKey : undefined), { secret, masterKey, madeAt })),
      );
      if (path === undefined) await tidyBackups(folder, keyId);
      return { name, path: target, bytes, madeAt, reason };
    },
    /** The latest first. */
    list: () => listBackups(folder, keyId),
    /** Which of these names are those of backups of this installation that need not be kept. */
    surplus: (names: readonly string[]) => surplus(names, keyId),
  };
}

async function secretFor(settings: Settings, { sealedWith, keyId }: Head): Promise<Secret> {
  if (sealedWith === 'passphrase') {
    if (settings.backupPassphrase === '')
      throw new BadBackup('A passphrase seals this backup. Please set SHEAF_BACKUP_PASSPHRASE to the one it was made with.');
    return { passphrase: settings.backupPassphrase };
  }
  const key = (await presentKeys(settings)).find((one) => keyIdOf(one) === keyId);
  if (!key)
    throw new BadBackup(
      "The key of its installation seals this backup. Please put that installation's secret.key into the data folder, or set SHEAF_SECRET_KEY to it.",
    );
  return { key };
}

async function openBackup(
  settings: Settings,
  path: string,
): Promise<{ readonly head: Head; readonly content: Content; readonly key: Buffer }> {
  let chosen: Secret | undefined;
  const { head, plain } = await openFile(readBytes(path), async (it) => (chosen = await secretFor(settings, it)));
  const content = await unpack(plain);
  const key = content.key ?? (chosen && 'key' in chosen ? chosen.key : undefined);
  if (!key) throw new BadBackup('This backup holds no key.');
  return { head, content, key };
}

/** Migrations and tables that this program does not know are those of a newer one. */
async function fitting<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof Unfit || error instanceof NewerDatabase ? Object.assign(newer(), { cause: error }) : error;
  }
}

const sum = (counts: Counts): number => Object.values(counts).reduce((total, count) => total + count, 0);

/** Restores a backup into a database of which nothing is left, and opens every stored secret of a link. Throws BadBackup. */
export async function verifyBackup(settings: Settings, path: string): Promise<Verified> {
  const { head, content, key } = await openBackup(settings, path);
  const vault = createVault(key, await presentKeys(settings));
  const opens = ({ linkId, field, sealed }: { linkId: string; field: string; sealed: string }): boolean => {
    try {
      vault.open(secretPlace(linkId, field), sealed);
      return true;
    } catch (error) {
      if (error instanceof AppError) return false;
      throw error;
    }
  };
  let found = { accounts: 0, links: 0, secrets: 0, unreadable: 0 };
  const counts = await fitting(
    fillNowhere(content, async (db) => {
      const store = createCheckStore(db);
      const secrets = await store.secrets();
      found = { ...(await store.counts()), secrets: secrets.length, unreadable: secrets.filter((one) => !opens(one)).length };
    }),
  );
  return { head, ...found, rows: sum(counts) };
}

/** Restores a backup into an empty data folder or database. Throws BadBackup, or NotEmpty. Returns the number of rows. */
export async function restoreBackup(settings: Settings, path: string): Promise<number> {
  const { content, key } = await openBackup(settings, path);
  const isKnown = (await presentKeys(settings)).some((one) => one.equals(key));
  const copy: Copy = {
    ...content,
    async beforeEnd() {
      if (isKnown || (await placeKey(settings.dataDir, key))) return;
      throw new BadBackup('The data folder has a key of another installation (secret.key). Please restore into an empty folder.');
    },
  };
  return sum(await fitting(fillDatabase(settings, copy)));
}
