import { createReadStream } from 'node:fs';
import { type FileHandle, access, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { newId } from '#/platform/ids.ts';
import { isMissingFile } from '#/platform/missing-file.ts';

/** Why a backup was made. */
export const reasons = ['daily', 'manual', 'upgrade'] as const;
export type Reason = (typeof reasons)[number];

/** A finished backup. */
export interface BackupFile {
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  /** Epoch seconds. */
  readonly madeAt: number;
  readonly reason: Reason;
}

/** Backups kept of each reason. */
export const kept = 14;

/** `sheaf-{start of the key's id}-{UTC time}-{reason}.backup`: the id keeps the backups of several installations in one folder apart. */
const pattern = /^sheaf-([\w-]{8})-(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)-(daily|manual|upgrade)\.backup$/;
const draftPattern = /^sheaf-.*\.part$/;
/** Milliseconds after which an unfinished file belongs to a process that was killed. */
const draftAge = 86_400_000;

export function backupName(keyId: string, madeAt: number, reason: Reason): string {
  const time = new Date(madeAt * 1000)
    .toISOString()
    .replaceAll(/[-:]|\.\d+Z/g, '')
    .replace('T', '-');
  return `sheaf-${keyId}-${time}-${reason}.backup`;
}

/** What a backup's name says; undefined for other files, and those of other installations. */
export function parseBackupName(name: string, keyId: string): Pick<BackupFile, 'madeAt' | 'reason'> | undefined {
  const [, id, ...parts] = pattern.exec(name) ?? [];
  const reason = reasons.find((one) => one === parts[6]);
  if (id !== keyId || !reason) return undefined;
  const [year = '', month = '', day = '', hour = '', minute = '', second = ''] = parts;
  return { madeAt: Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) / 1000, reason };
}

/** Names of the backups that are too many, of each reason the oldest. */
export function surplus(names: readonly string[], keyId: string): string[] {
  const known = names.flatMap((name) => {
    const parsed = parseBackupName(name, keyId);
    return parsed ? [{ name, ...parsed }] : [];
  });
  return reasons.flatMap((reason) =>
    known
      .filter((one) => one.reason === reason)
      .toSorted((a, b) => b.madeAt - a.madeAt)
      .slice(kept)
      .map(({ name }) => name),
  );
}

/** Backups of this installation in the folder, the latest first. */
export async function listBackups(folder: string, keyId: string): Promise<BackupFile[]> {
  const names = await namesIn(folder);
  const files = await Promise.all(
    names.map(async (name) => {
      const parsed = parseBackupName(name, keyId);
      const path = join(folder, name);
      return parsed ? [{ name, path, bytes: (await stat(path)).size, ...parsed }] : [];
    }),
  );
  return files.flat().toSorted((a, b) => b.madeAt - a.madeAt);
}

/** Deletes backups that are too many, and files that killed processes left. */
export async function tidyBackups(folder: string, keyId: string): Promise<void> {
  const names = await namesIn(folder);
  for (const name of surplus(names, keyId)) await rm(join(folder, name), { force: true });
  for (const name of names.filter((one) => draftPattern.test(one))) {
    const path = join(folder, name);
    if (Date.now() - (await stat(path)).mtimeMs > draftAge) await rm(path, { force: true });
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissingFile(error)) return [];
    throw error;
  }
}

/** Writes a file under another name first: under its own name it is always whole, and on the disk. Rejects when the file exists. */
export async function writeWhole(path: string, content: AsyncIterable<Buffer>): Promise<number> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${newId()}.part`;
  const handle = await open(draft, 'wx', 0o600);
  let bytes: number;
  try {
    bytes = await writeAll(handle, content);
    await handle.sync();
    if (await exists(path)) throw new Error(`${path} exists already`);
  } catch (error) {
    await handle.close();
    await rm(draft, { force: true });
    throw error;
  }
  await handle.close();
  await rename(draft, path);
  return bytes;
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

async function writeAll(handle: FileHandle, content: AsyncIterable<Buffer>): Promise<number> {
  let bytes = 0;
  for await (const block of content) {
    await handle.writeFile(block);
    bytes += block.length;
  }
  return bytes;
}

/** The bytes of a file. */
export const readBytes = (path: string): AsyncIterable<Buffer> => createReadStream(path);
