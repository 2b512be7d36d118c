import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Item, addFolder, deleteObject } from '@sheaf/contract';
import type { Client } from '#/client.ts';
import { copyTree } from '#/copying/copy-tree.ts';
import { openJournal } from '#/copying/journal.ts';
import { Failure } from '#/failure.ts';
import { createProgress } from '#/progress.ts';

const folded = (path: string): string => path.normalize().toLowerCase();

/** A destination that treats names which differ in case or normalisation as one and keeps the first, composed; items keyed by lower-case path. */
function caselessDestination() {
  const stored = new Map<string, Item>();
  const refused = new Set<string>();
  const hooks = { afterReading: async () => {} };
  const put = (linkUri: string, item: Pick<Item, 'fileType' | 'size' | 'modified'>): Item => {
    const path = stored.get(folded(linkUri))?.linkUri ?? linkUri.normalize();
    const name = path.slice(path.lastIndexOf('/') + 1);
    const kept: Item = { ...item, name, disambiguatedName: name, linkUri: path };
    stored.set(folded(path), kept);
    return kept;
  };
  const isIn = (folder: string, path: string): boolean => path.slice(0, path.lastIndexOf('/')) === folder;
  const client = {
    ask: async (call: object, { linkUri = '', parentLinkUri = '', folderName = '' }: Readonly<Record<string, string>>) => {
      if (call === deleteObject) return stored.delete(folded(linkUri));
      if (call === addFolder && stored.has(folded(`${parentLinkUri}/${folderName}`))) throw new Failure('This name is taken.');
      if (call === addFolder) return put(`${parentLinkUri}/${folderName}`, { fileType: 'FOLDER' });
      if (refused.has(linkUri)) throw new Failure('The folder cannot be read.');
      return { items: [...stored].filter(([path]) => isIn(folded(linkUri), path)).map(([, item]) => item), hasMore: false };
    },
    upload: async ({ parentLinkUri, name, stream, modified }: Parameters<Client['upload']>[0]) => {
      let size = 0;
      for await (const chunk of stream) size += (chunk as Buffer).byteLength;
      await hooks.afterReading();
      return put(`${parentLinkUri}/${name}`, { fileType: 'FILE', size, ...(modified !== undefined && { modified: modified / 1000 }) });
    },
  } as unknown as Client;
  return { client, stored, refused, hooks };
}

/** Sets up a local folder and its sync to such a destination, with path `x:`; options for unreadable items and for a hook before a file is stored. */
export async function syncing(t: TestContext) {
  const root = await mkdtemp(join(tmpdir(), 'sheaf-sync-'));
  const kept = await mkdtemp(join(tmpdir(), 'sheaf-journal-'));
  t.after(() => Promise.all([root, kept].map((folder) => rm(folder, { recursive: true }))));
  const destination = caselessDestination();
  const journal = await openJournal(join(kept, 'job'));
  t.after(() => journal.close());
  const target: Item = { name: 'Copy', disambiguatedName: 'Copy', linkUri: 'x:', fileType: 'FOLDER' };
  const progress = createProgress({ write: () => true }, () => 0);
  const options = { root, target, journal, removesGone: true, byHash: false, dryRun: false, atATime: 1, progress };
  return { ...destination, root, run: () => copyTree(destination.client, options, AbortSignal.timeout(60_000)) };
}
