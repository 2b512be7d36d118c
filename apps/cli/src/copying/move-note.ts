import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isSystemError } from '#/failure.ts';
import { type Account, type Settings, writePrivately } from '#/settings.ts';

/** Records the transfer of a move, so that the same command follows it to its end after a kill. */
export interface MoveNote {
  /** The transfer, if an earlier run of the same command began it and was ended before it. */
  readonly transferId: string | undefined;
  keep(transferId: string): Promise<void>;
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
  const transferId = await readFile(file, 'utf8').catch((error: unknown) => {
    if (isSystemError(error, 'ENOENT')) return undefined;
    throw error;
  });
  return { transferId, keep: (id) => writePrivately(moves, file, id), end: () => rm(file, { force: true }) };
}
