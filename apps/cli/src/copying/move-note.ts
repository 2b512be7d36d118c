import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isSystemError } from '#/failure.ts';
import { type Account, type Settings, writePrivately } from '#/settings.ts';

/** Records a move under way with its target, so that the same command resumes it after a kill. */
export interface MoveNote {
  /** The target's path, if an earlier run of the same command recorded it and did not finish. */
  readonly target: string | undefined;
  keep(target: string): Promise<void>;
  end(): Promise<void>;
}

export async function openMoveNote({ folder }: Settings, { url }: Account, from: string, to: string): Promise<MoveNote> {
  const moves = join(folder, 'moves');
  const file = join(
    moves,
    createHash('sha256')
      .update(JSON.stringify([url, from, to]))
      .digest('hex'),
  );
  const target = await readFile(file, 'utf8').catch((error: unknown) => {
    if (isSystemError(error, 'ENOENT')) return undefined;
    throw error;
  });
  return { target, keep: (path) => writePrivately(moves, file, path), end: () => rm(file, { force: true }) };
}
