import { join } from 'node:path';
import type { Item } from '@sheaf/contract';
import type { Client } from '#/client.ts';
import { Failure, LocalDiskFull, Refusal, messageOf } from '#/failure.ts';
import type { Progress } from '#/progress.ts';
import { makeFolder } from '#/remote-paths.ts';
import type { Journal } from './journal.ts';
import { type LocalFile, type LocalTree, readLocalTree } from './local-tree.ts';
import { decide } from './plan.ts';
import { type RemoteTree, createRemoteTree } from './remote-tree.ts';
import { removeGone } from './remove-gone.ts';
import { withRetries } from './retries.ts';
import { hashOf, refuseChanged, sendFile } from './send-file.ts';

export interface CopyOptions {
  /** The local folder. */
  readonly root: string;
  /** The destination folder at the server. */
  readonly target: Item;
  readonly journal: Journal;
  /** Deletes files at the destination that this job copied and that no longer exist here. */
  readonly removesGone: boolean;
  /** Compares content instead of time. */
  readonly byHash: boolean;
  /** Dry run. */
  readonly dryRun: boolean;
  /** Number of files copied concurrently. */
  readonly atATime: number;
  readonly progress: Progress;
}

export interface CopyResult {
  readonly copied: number;
  readonly bytes: number;
  readonly unchanged: number;
  readonly removed: number;
  readonly skipped: number;
  readonly failed: number;
}

/**
 * Copies a local folder to a folder at the server: copies only changed files, creates their folders, and resumes a stopped run.
 * Reports and counts files that cannot be copied; rejects when nothing more can be copied.
 */
export async function copyTree(client: Client, options: CopyOptions, signal: AbortSignal): Promise<CopyResult> {
  const { root, target, journal, removesGone, dryRun, progress } = options;
  const tree = await readLocalTree(root, signal);
  if (removesGone && tree.files.length === 0 && journal.copied.size > 0)
    throw new Failure(
      `${root} is empty, though ${journal.copied.size} files were copied from it. Is a disk not mounted? Nothing was changed.`,
    );
  const remote = createRemoteTree(client, target.linkUri, signal);
  const count = { copied: 0, bytes: 0, unchanged: 0, removed: 0, failed: 0 };
  const fail = (path: string, error: unknown): void => {
    if (signal.aborted || endsAll(error)) throw error;
    count.failed++;
    progress.complain(path, messageOf(error));
  };
  for (const { path, why } of tree.unreadable) fail(path, why);
  for (const path of tree.skipped) progress.remark(path, 'skipped: a link or a special file');

  const broken = await makeFolders(client, { remote, target, dryRun, fail }, tree, signal);
  const changed: LocalFile[] = [];
  for (const file of tree.files) {
    if (broken.some((folder) => file.path.startsWith(`${folder}/`))) fail(file.path, new Failure('Its folder could not be made.'));
    else if (await isChanged(file)) changed.push(file);
    else count.unchanged++;
  }
  progress.begin(
    changed.length,
    changed.reduce((sum, { size }) => sum + size, 0),
  );
  await forEach(changed, options.atATime, copy);
  if (removesGone) count.removed = await removeGone(client, { target, journal, dryRun, progress, fail }, tree, signal);
  progress.end();
  return { ...count, skipped: tree.skipped.length };

  async function isChanged(file: LocalFile): Promise<boolean> {
    const known = journal.copied.get(file.path);
    const decision = decide(file, remote.at(file.path), known);
    if (decision === 'keep') return false;
    if (decision === 'copy') return true;
    const { size, modified } = file;
    if (decision === 'note') {
      if (!dryRun) await journal.note(file.path, { size, modified });
      return false;
    }
    const hash = await hashOf(join(root, file.path), signal);
    if (hash !== known?.hash) return true;
    if (!dryRun) await journal.note(file.path, { size, modified, hash });
    return false;
  }

  async function copy({ path, size }: LocalFile): Promise<void> {
    try {
      if (dryRun) progress.remark(path, 'would be copied');
      else {
        const { parentLinkUri, name } = placeOf(path);
        progress.at(path);
        const place = { parentLinkUri, name, conflict: 'replace' } as const;
        const watch = { moved: progress.moved, withHash: options.byHash };
        const sent = await withRetries(() => sendFile(client, join(root, path), place, signal, watch), signal);
        // Records the state before the change, so that the next run sees a difference even if the current state looks the same.
        await journal.note(path, sent.copied);
        refuseChanged(sent);
      }
      count.copied++;
      count.bytes += size;
      progress.done();
    } catch (error) {
      fail(path, error);
    }
  }

  function placeOf(path: string): { parentLinkUri: string; name: string } {
    const cut = path.lastIndexOf('/');
    const parent = cut === -1 ? target : remote.at(path.slice(0, cut));
    if (!parent) throw new Failure('Its folder could not be made.');
    return { parentLinkUri: parent.linkUri, name: path.slice(cut + 1) };
  }
}

/** Whether other files would fail too. */
const endsAll = (error: unknown): boolean =>
  error instanceof LocalDiskFull ||
  (error instanceof Refusal && ['INVALID_SESSION', 'INVALID_LINK_URI', 'SOURCE_FULL'].includes(error.messageCode));

interface Making {
  readonly remote: RemoteTree;
  readonly target: Item;
  readonly dryRun: boolean;
  readonly fail: (path: string, error: unknown) => void;
}

/** Lists every folder at the destination and creates missing ones; returns those that could not be created. */
async function makeFolders(
  client: Client,
  { remote, target, dryRun, fail }: Making,
  tree: LocalTree,
  signal: AbortSignal,
): Promise<string[]> {
  const broken: string[] = [];
  await withRetries(() => remote.look(''), signal);
  for (const folder of tree.folders) {
    const cut = folder.lastIndexOf('/');
    const parent = cut === -1 ? target : remote.at(folder.slice(0, cut));
    try {
      const there = remote.at(folder);
      if (there && there.fileType !== 'FOLDER') throw new Failure('There is a file of that name at the destination.');
      if (there) await withRetries(() => remote.look(folder), signal);
      else if (parent && !dryRun) {
        const made = await withRetries(() => makeFolder(client, parent.linkUri, folder.slice(cut + 1), signal), signal);
        remote.note(folder, made);
      } else if (!parent && !dryRun) throw new Failure('The folder above could not be made.');
    } catch (error) {
      broken.push(folder);
      fail(folder, error);
    }
  }
  return broken;
}

/** Runs tasks concurrently. Starts no more after the first rejection, and rejects when all running ones have ended. */
export async function forEach<T>(all: readonly T[], atATime: number, work: (one: T) => Promise<void>): Promise<void> {
  const waiting = all.values();
  let isOver = false;
  const worker = async (): Promise<void> => {
    for (const one of waiting) {
      if (isOver) return;
      try {
        await work(one);
      } catch (error) {
        isOver = true;
        throw error;
      }
    }
  };
  const workers = Array.from({ length: Math.min(atATime, all.length) }, worker);
  await Promise.allSettled(workers);
  await Promise.all(workers);
}
