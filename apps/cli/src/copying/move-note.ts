import { createHash } from 'node:crypto';
import { readFile, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isSystemError } from '#/failure.ts';
import { recordIn } from '#/json.ts';
import { type Account, type Settings, writePrivately } from '#/settings.ts';
import type { Wish } from './transfer.ts';

/** A move as sent to the server; its key ensures that it begins only once. */
export type NotedWish = Wish & { readonly idempotencyKey: string };

/** Records a move before it is sent, so that the same command follows it to its end after a kill. */
export interface MoveNote {
  /** The move that an interrupted run of the same command sent, or was about to send. */
  readonly wish: NotedWish | undefined;
  keep(wish: NotedWish): Promise<void>;
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
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (isSystemError(error, 'ENOENT')) return '';
    throw error;
  });
  return {
    wish: wishIn(text),
    keep: (wish) => writePrivately(moves, file, JSON.stringify(wish)),
    async end() {
      // A run killed during the write leaves a temporary file.
      for (const name of await readdir(moves)) if (name.startsWith(basename(file))) await rm(join(moves, name), { force: true });
    },
  };
}

const fields = ['kind', 'linkUri', 'parentLinkUri', 'newName', 'conflict', 'idempotencyKey'] as const;

/** Parses a noted move; undefined for empty text, or text of another version. */
function wishIn(text: string): NotedWish | undefined {
  const value = recordIn(text);
  return value && fields.every((field) => typeof value[field] === 'string') ? (value as unknown as NotedWish) : undefined;
}
