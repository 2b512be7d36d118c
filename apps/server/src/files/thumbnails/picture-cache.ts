import { mkdir, readFile, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissingFile } from '#/platform/missing-file.ts';

interface Options {
  /** Created when missing; must contain nothing else. */
  readonly folder: string;
  /** Most bytes of all pictures together. */
  readonly mostBytes: number;
  /** Called for errors of the disk that do not prevent an answer. */
  readonly onTrouble: (error: unknown) => void;
}

const ending = '.webp';
/** Milliseconds after which an unused picture is deleted: its file may no longer exist. */
const longestUnused = 30 * 86_400_000;
/** Suffix of files that are being written. */
const unfinished = '.part';

const unlessMissing = (error: unknown): undefined => {
  if (isMissingFile(error)) return undefined;
  throw error;
};

/** Cache of pictures on disk by key (at least three letters or digits); evicts the least recently used, and those unused for a month. */
export function createPictureCache({ folder, mostBytes, onTrouble }: Options) {
  /** Least recently used first; size in bytes, and last use in epoch milliseconds. */
  const pictures = new Map<string, { readonly size: number; readonly used: number }>();
  let total = 0;
  let reading: Promise<void> | undefined;
  let count = 0;

  const fileOf = (key: string): string => join(folder, key.slice(0, 2), key + ending);
  const note = (key: string, size: number, used = Date.now()): void => {
    forget(key);
    pictures.set(key, { size, used });
    total += size;
  };
  const forget = (key: string): void => {
    total -= pictures.get(key)?.size ?? 0;
    pictures.delete(key);
  };

  /** Files of an earlier run. */
  const read = async (): Promise<void> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const found: { key: string; size: number; used: number }[] = [];
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = join(entry.parentPath, entry.name);
      if (entry.name.endsWith(unfinished)) await rm(file, { force: true });
      const facts = entry.name.endsWith(ending) ? await stat(file).catch(unlessMissing) : undefined;
      if (facts) found.push({ key: entry.name.slice(0, -ending.length), size: facts.size, used: facts.mtimeMs });
    }
    for (const { key, size, used } of found.toSorted((a, b) => a.used - b.used)) note(key, size, used);
    await makeRoom();
  };
  const ready = (): Promise<void> =>
    (reading ??= read().catch((error: unknown) => {
      // The disk may work again next time.
      reading = undefined;
      throw error;
    }));

  const makeRoom = async (): Promise<void> => {
    const oldest = Date.now() - longestUnused;
    for (const [key, { used }] of pictures) {
      if (total <= mostBytes && used >= oldest) return;
      forget(key);
      await rm(fileOf(key), { force: true });
    }
  };

  return {
    /** Deletes the pictures with matching keys. */
    async remove(isMeant: (key: string) => boolean): Promise<void> {
      await ready();
      for (const key of [...pictures.keys()].filter(isMeant)) {
        forget(key);
        await rm(fileOf(key), { force: true });
      }
    },
    /** The picture with that key, or undefined. */
    async get(key: string): Promise<Buffer | undefined> {
      await ready();
      const size = pictures.get(key)?.size;
      if (size === undefined) return undefined;
      const now = new Date();
      const [bytes] = await Promise.all([
        readFile(fileOf(key)).catch(unlessMissing),
        // Touches the file, so that the order of use survives a restart.
        utimes(fileOf(key), now, now).catch(unlessMissing).catch(onTrouble),
      ]);
      if (bytes?.length === size) note(key, size);
      else forget(key);
      return bytes?.length === size ? bytes : undefined;
    },
    /** Stores a picture atomically. */
    async put(key: string, bytes: Uint8Array): Promise<void> {
      await ready();
      const file = fileOf(key);
      const draft = `${file}.${process.pid}-${(count += 1)}${unfinished}`;
      await mkdir(join(folder, key.slice(0, 2)), { recursive: true, mode: 0o700 });
      try {
        await writeFile(draft, bytes, { mode: 0o600 });
        await rename(draft, file);
      } catch (error) {
        // On a full disk, the partial file would take the last of the room.
        await rm(draft, { force: true });
        throw error;
      }
      note(key, bytes.byteLength);
      await makeRoom();
    },
  };
}
