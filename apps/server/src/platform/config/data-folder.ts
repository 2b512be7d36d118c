import { chmod, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** What everything that this process makes lacks: rights for the group and for others. */
const ownerOnly = 0o077;

/**
 * Keeps the data folder, which holds the key, the database, mails and pictures of private files, to the user that runs Sheaf: what is made from
 * now on is 0700 or 0600, and what stands there already is made so. `onTrouble` hears of what belongs to somebody else.
 */
export async function protectDataFolder(dataDir: string, onTrouble: (error: unknown) => void): Promise<void> {
  process.umask(ownerOnly);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  try {
    // Inwards, so that nobody can open a file between the two steps.
    await chmod(dataDir, 0o700);
    for (const entry of await readdir(dataDir, { withFileTypes: true, recursive: true })) {
      if (entry.isFile() || entry.isDirectory()) await chmod(join(entry.parentPath, entry.name), entry.isFile() ? 0o600 : 0o700);
    }
  } catch (error) {
    onTrouble(error);
  }
}
