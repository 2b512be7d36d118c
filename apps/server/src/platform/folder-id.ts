import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from './ids.ts';
import { isMissingFile } from './missing-file.ts';

/** The id of a data folder, made the first time; instances that share a folder share its id. */
export async function readFolderId(dataDir: string): Promise<string> {
  const path = join(dataDir, 'folder.id');
  const read = async (): Promise<string | undefined> => {
    try {
      return (await readFile(path, 'utf8')).trim();
    } catch (error) {
      if (isMissingFile(error)) return undefined;
      throw error;
    }
  };
  const present = await read();
  if (present !== undefined) return present;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const id = newId();
  const draft = `${path}.${id}`;
  await writeFile(draft, `${id}\n`, { mode: 0o600 });
  try {
    // Links the finished file: of several processes one makes the id, and nobody reads half of it.
    await link(draft, path);
    return id;
  } catch (error) {
    const made = await read();
    if (made === undefined) throw error;
    return made;
  } finally {
    await rm(draft);
  }
}
