import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isSystemError } from '#/failure.ts';
import { recordIn } from '#/json.ts';
import { type Settings, writePrivately } from '#/settings.ts';
import { type MeansName, meansNames } from './means.ts';

/** Record of a drive, to mount it again after a restart without a confirmation. Readable by its user only, like the sign-in. */
export interface KnownDrive {
  readonly url: string;
  readonly folder: string;
  /** Address of the mounted folder; empty: everything. */
  readonly linkUri: string;
  readonly rights: 'read' | 'write';
  readonly username: string;
  readonly password: string;
  readonly means: MeansName;
  readonly dav: string;
}

export function createDrives({ folder: settings }: Pick<Settings, 'folder'>) {
  const folder = join(settings, 'drives');
  const fileOf = (place: string, ending = 'json'): string =>
    join(folder, `${createHash('sha256').update(place).digest('hex').slice(0, 24)}.${ending}`);
  const hostsOf = (place: string): string => fileOf(place, 'known_hosts');
  return {
    hostsOf,
    save: (drive: KnownDrive) => writePrivately(folder, fileOf(drive.folder), `${JSON.stringify(drive)}\n`),
    /** Writes the only host key that sshfs accepts for this drive. */
    saveHost: (place: string, line: string) => writePrivately(folder, hostsOf(place), `${line}\n`),
    async find(place: string): Promise<KnownDrive | undefined> {
      const text = await readFile(fileOf(place), 'utf8').catch((error: unknown) => {
        if (isSystemError(error, 'ENOENT')) return '';
        throw error;
      });
      return driveIn(text);
    },
    async forget(place: string): Promise<void> {
      for (const file of [fileOf(place), hostsOf(place)]) await rm(file, { force: true });
    },
  };
}

function driveIn(text: string): KnownDrive | undefined {
  const { url, folder, linkUri, rights, username, password, means, dav } = recordIn(text) ?? {};
  const name = meansNames.find((one) => one === means);
  const isKnown = (value: unknown): value is string => typeof value === 'string';
  if (![url, folder, linkUri, username, password, dav].every(isKnown) || name === undefined) return undefined;
  if (rights !== 'read' && rights !== 'write') return undefined;
  return { url, folder, linkUri, rights, username, password, means: name, dav } as KnownDrive;
}
