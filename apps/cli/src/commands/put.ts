import { stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { ConflictRule, Item } from '@sheaf/contract';
import type { Client } from '#/client.ts';
import { type Command, type Context, type Options } from '#/command.ts';
import { readLocalTree } from '#/copying/local-tree.ts';
import { withRetries } from '#/copying/retries.ts';
import { refuseChanged, sendFile } from '#/copying/send-file.ts';
import { Failure, messageOf } from '#/failure.ts';
import { printable } from '#/names.ts';
import { asFolder, ensureFolder, find } from '#/remote-paths.ts';

export const put: Command = {
  usage: '[-r] [--replace | --rename] LOCAL... FOLDER',
  about: 'Uploads files, or with -r folders, into a folder. A name that is taken is refused unless --replace or --rename says otherwise.',
  options: { recursive: { type: 'boolean', short: 'r' }, replace: { type: 'boolean' }, rename: { type: 'boolean' } },
  async run(context, args, options) {
    const { client, signal } = context;
    const [path, ...locals] = args.toReversed();
    if (path === undefined || locals.length === 0) throw new Failure('This takes LOCAL files and the FOLDER they go into.', 'usage');
    const server = await client();
    const folder = asFolder(await find(server, path, signal), path);
    const conflict = conflictRule(options);
    for (const local of locals.reverse()) {
      const facts = await stat(local).catch((error: unknown) => unreadable(local, error));
      const isFolder = facts.isDirectory();
      if (!isFolder && !facts.isFile()) throw new Failure(`${local} is neither a file nor a folder.`, 'usage');
      if (isFolder && options['recursive'] !== true) throw new Failure(`${local} is a folder; -r uploads it with all it holds.`, 'usage');
      const name = basename(resolve(local));
      if (isFolder) await putFolder(context, server, { local, name, folder, conflict });
      else await putFile(server, { local, name, folder, conflict }, signal);
    }
  },
};

function conflictRule({ replace, rename }: Options): ConflictRule {
  if (replace === true && rename === true) throw new Failure('--replace and --rename exclude each other.', 'usage');
  return replace === true ? 'replace' : rename === true ? 'rename' : 'fail';
}

const unreadable = (local: string, error: unknown): never => {
  throw new Failure(`${local} cannot be read.`, 'failed', error);
};

interface Upload {
  readonly local: string;
  readonly name: string;
  readonly folder: Item;
  readonly conflict: ConflictRule;
}

async function putFile(client: Client, { local, name, folder, conflict }: Upload, signal: AbortSignal): Promise<void> {
  const target = { parentLinkUri: folder.linkUri, name, conflict };
  // An attempt whose answer was lost may have stored the file; a retry with "fail" would then refuse it.
  if (conflict === 'replace') refuseChanged(await withRetries(() => sendFile(client, local, target, signal), signal));
  else refuseChanged(await sendFile(client, local, target, signal));
}

async function putFolder({ terminal, signal }: Context, client: Client, { local, name, folder, conflict }: Upload): Promise<void> {
  const tree = await readLocalTree(local, signal);
  const made = new Map<string, Item>([['', await ensureFolder(client, folder, name, signal)]]);
  const parentOf = (path: string): { parent: Item; name: string } => {
    const cut = path.lastIndexOf('/');
    const parent = made.get(cut === -1 ? '' : path.slice(0, cut));
    if (!parent) throw new Failure(`The folder of ${path} could not be made.`);
    return { parent, name: path.slice(cut + 1) };
  };
  let failed = 0;
  const tried = async (path: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (signal.aborted || (error instanceof Failure && error.exit === 'signedOut')) throw error;
      failed++;
      terminal.tell(printable(`${path}: ${messageOf(error)}`));
    }
  };
  for (const path of tree.folders) {
    await tried(path, async () => {
      const place = parentOf(path);
      made.set(path, await ensureFolder(client, place.parent, place.name, signal));
    });
  }
  for (const { path } of tree.files) {
    await tried(path, async () => {
      const place = parentOf(path);
      await putFile(client, { local: join(local, path), name: place.name, folder: place.parent, conflict }, signal);
    });
  }
  for (const path of tree.skipped) terminal.tell(`${printable(path)}: skipped: a link or a special file`);
  for (const { path, why } of tree.unreadable) await tried(path, () => Promise.reject(why));
  if (failed > 0) throw new Failure(`${failed} of the items in ${local} could not be uploaded.`, 'incomplete');
}
