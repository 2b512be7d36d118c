import { randomUUID } from 'node:crypto';
import { type TransferConflictRule, deleteObject, renameObject } from '@sheaf/contract';
import type { Client } from '#/client.ts';
import { type Command, type Options, exactly } from '#/command.ts';
import { type MoveNote, type NotedWish, openMoveNote } from '#/copying/move-note.ts';
import { beginTransfer, followTransfer } from '#/copying/transfer.ts';
import { ConnectionLost, Failure } from '#/failure.ts';
import { type Progress, createProgress } from '#/progress.ts';
import { asFolder, find, findIfThere, makeFolder, makePath, namesOf, splitPath } from '#/remote-paths.ts';

const recursive = { type: 'boolean', short: 'r' } as const;
const isDirectory = (item: { fileType: string } | undefined): boolean => item?.fileType === 'FOLDER';

export const mkdir: Command = {
  usage: '[-p] PATH',
  about: 'Makes a folder; with -p also those above it, and it may be there already.',
  options: { parents: { type: 'boolean', short: 'p' } },
  async run({ client, signal }, args, options) {
    const [path] = exactly(args, 'PATH');
    const server = await client();
    if (options['parents'] === true) {
      await makePath(server, path, signal);
      return;
    }
    const { folder, name } = splitPath(path);
    await makeFolder(server, asFolder(await find(server, folder, signal), folder).linkUri, name, signal);
  },
};

export const rm: Command = {
  usage: '[-r] PATH...',
  about: 'Deletes files, or with -r folders with all they hold. Where the source has a bin, they are in it.',
  options: { recursive },
  async run({ client, signal }, args, options) {
    if (args.length === 0) throw new Failure('This takes the PATH of what is deleted.', 'usage');
    const server = await client();
    for (const path of args) {
      // Links are unlinked on the web pages, never deleted here.
      splitPath(path);
      const item = await find(server, path, signal);
      if (isDirectory(item) && options['recursive'] !== true)
        throw new Failure(`${path} is a folder; -r deletes it with all it holds.`, 'usage');
      await server.ask(deleteObject, { linkUri: item.linkUri }, signal);
    }
  },
};

export const cp: Command = {
  usage: '[-r] [--replace] PATH TARGET',
  about: 'Copies a file, or with -r a folder, within a link or to another. The server does the work; Ctrl-C cancels it.',
  options: { recursive, replace: { type: 'boolean' } },
  async run({ client, signal }, args, options) {
    const [from, to] = exactly(args, 'PATH', 'TARGET');
    const server = await client();
    const item = await find(server, from, signal);
    if (isDirectory(item) && options['recursive'] !== true)
      throw new Failure(`${from} is a folder; -r copies it with all it holds.`, 'usage');
    const target = await targetOf(from, to, (path) => findIfThere(server, path, signal));
    const folder = asFolder(await find(server, target.folder, signal), target.folder);
    const wish = {
      kind: 'copy',
      linkUri: item.linkUri,
      parentLinkUri: folder.linkUri,
      newName: target.name,
      conflict: ruleOf(options),
    } as const;
    await followTransfer(server, await beginTransfer(server, wish, signal), progressOf(), signal);
  },
};

export const mv: Command = {
  usage: '[--replace] PATH TARGET',
  about: 'Renames an item, or moves it: the server copies each file, proves the copy, and only then deletes it where it was.',
  options: { replace: { type: 'boolean' } },
  async run({ client, account, settings, signal }, args, options) {
    const [from, to] = exactly(args, 'PATH', 'TARGET');
    const source = splitPath(from);
    const server = await client();
    const note = await openMoveNote(settings, await account(), from, to);
    let { wish } = note;
    if (wish === undefined) {
      const item = await find(server, from, signal);
      const target = await targetOf(from, to, (path) => findIfThere(server, path, signal));
      if (target.folder === source.folder && options['replace'] !== true) {
        if (target.name !== source.name) await server.ask(renameObject, { linkUri: item.linkUri, newName: target.name }, signal);
        return;
      }
      const folder = asFolder(await find(server, target.folder, signal), target.folder);
      wish = {
        kind: 'move',
        linkUri: item.linkUri,
        parentLinkUri: folder.linkUri,
        newName: target.name,
        conflict: ruleOf(options),
        idempotencyKey: randomUUID(),
      };
      await note.keep(wish);
    }
    await runMove(server, wish, note, signal);
    if (await findIfThere(server, from, signal))
      throw new Failure(`${from} got something new while it was moved, which is still there.`, 'incomplete');
  },
};

/** Begins a move, or resumes a noted one, and follows it to its end. Keeps the note only if the outcome is unknown. */
async function runMove(server: Client, wish: NotedWish, note: MoveNote, signal: AbortSignal): Promise<void> {
  try {
    await followTransfer(server, await beginTransfer(server, wish, signal), progressOf(), signal);
  } catch (error) {
    if (!(error instanceof ConnectionLost)) await note.end();
    throw error;
  }
  await note.end();
}

const ruleOf = (options: Options): TransferConflictRule => (options['replace'] === true ? 'replace' : 'fail');
const progressOf = (): Progress => createProgress(process.stderr, Date.now);

/**
 * Returns the destination of an item: inside the target if that is a folder, else the target's path. Throws Failure for a folder moved into itself.
 */
async function targetOf(from: string, to: string, look: (path: string) => Promise<{ fileType: string } | undefined>) {
  const source = namesOf(from);
  const there = await look(to);
  const names = isDirectory(there) ? [...namesOf(to), ...source.slice(-1)] : namesOf(to);
  const target = splitPath(names.join('/'));
  if (names.join('/') === source.join('/') && !isDirectory(there)) throw new Failure(`${from} and ${to} are the same.`);
  if (`${names.join('/')}/`.startsWith(`${source.join('/')}/`)) throw new Failure(`${from} cannot go into itself.`);
  return target;
}
