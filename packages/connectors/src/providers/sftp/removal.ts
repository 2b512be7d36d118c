import { ConnectorError } from '../../core/error.ts';
import { inParallel } from '../../kit/concurrency/parallel.ts';
import { kindOf } from './api.ts';
import { aborted } from './errors.ts';
import { readFolder } from './listing.ts';
import { within } from './paths.ts';
import type { Commands } from './session/commands.ts';

const atOnce = 16;
/** Maximum entries of a recursive deletion. */
const mostEntries = 1_000_000;

/** Deletes a file, a link (never its target), or a folder recursively, deepest first. */
export async function removeTree(commands: Commands, path: Buffer, signal: AbortSignal): Promise<void> {
  if (kindOf(await commands.lstat(path)) === 'folder') await removeFolder(commands, path, signal);
  else await commands.removeFile(path);
}

async function removeFolder(commands: Commands, folder: Buffer, signal: AbortSignal): Promise<void> {
  const files: Buffer[] = [];
  const folders: Buffer[] = [];
  // Reads all names before deleting: a folder that changes while it is read may skip some.
  for await (const names of readFolder(commands, folder)) {
    if (signal.aborted) throw aborted();
    if (files.length + folders.length > mostEntries) throw new ConnectorError('tooLarge', `a folder has more than ${mostEntries} entries`);
    for (const { bytes, attrs } of names) {
      const path = within(folder, bytes);
      const kind = attrs.mode === undefined ? kindOf(await commands.lstat(path)) : kindOf(attrs);
      (kind === 'folder' ? folders : files).push(path);
    }
  }
  await inParallel(files, atOnce, async (path) => {
    if (signal.aborted) throw aborted();
    await commands.removeFile(path);
  });
  for (const path of folders) await removeFolder(commands, path, signal);
  await commands.removeFolder(folder);
}
