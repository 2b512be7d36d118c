import { chmod, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** umask without rights for the group and others. */
const ownerOnly = 0o077;

/**
 * Restricts the data folder, which holds the key, the database, mails and previews of private files, to the user that runs Sheaf: new files are 0700
 * or 0600, and existing ones are changed. Calls `onTrouble` for files of another owner.
 */
export async function protectDataFolder(dataDir: string, onTrouble: (error: unknown) => void): Promise<void> {
  process.umask(ownerOnly);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  try {
    // The folder first, so that nobody can open a file before its own rights change.
    await chmod(dataDir, 0o700);
    for (const entry of await readdir(dataDir, { withFileTypes: true, recursive: true })) {
      if (entry.isFile() || entry.isDirectory()) await chmod(join(entry.parentPath, entry.name), entry.isFile() ? 0o600 : 0o700);
    }
  } catch (error) {
    onTrouble(error);
  }
}
