import { type Item, childUri } from '@sheaf/contract';
import { configName, folderIdCopy, masterkeyName, nodeFiles, shortenedEnd } from '@sheaf/vault';
import { queryOptions } from '@tanstack/react-query';
import { WordedError } from '#/lib/http/error-text.ts';
import { inParallel } from '#/lib/in-parallel.ts';
import { askWorker } from '../crypt/client.ts';
import { openInTab } from '../crypt/state.ts';
import { addressOf, mimeTypeOf } from '../folder/files.ts';
import { listStored } from '../folder/listing.ts';
import { type OpenFolder, type ReadOnlyFolder, byName } from '../folder/read-only.ts';

/** Number of name files read concurrently; names that are too long for a storage are in files. */
const width = 6;

/** Id for the worker, made from the folder: the server does not know Cryptomator vaults, so they have no id of their own. */
export const vaultIdOf = (rootUri: string): string => `cryptomator ${rootUri}`;

/** Unlocks the vault in a folder for this tab; false for a wrong passphrase. Rejects with a WordedError if the folder is not a vault. */
export async function unlockCryptomator(rootUri: string, passphrase: string): Promise<boolean> {
  const names = new Set((await listStored(rootUri, new AbortController().signal)).map(({ name }) => name));
  if (!names.has(masterkeyName) || !names.has(configName))
    throw new WordedError(
      `There is no vault of Cryptomator 8 in this folder: it lacks ${names.has(masterkeyName) ? configName : masterkeyName}.`,
    );
  const [masterkey, config] = [masterkeyName, configName].map((name) => addressOf(childUri(rootUri, name)));
  const vaultId = vaultIdOf(rootUri);
  const isOpen = await askWorker('unlockCryptomator', { vaultId, masterkey: masterkey ?? '', config: config ?? '', passphrase });
  if (isOpen) openInTab(vaultId);
  return isOpen;
}

/** A folder with its clear name and those of its parents. The page learns them when it shows the parent. */
interface Known extends ReadOnlyFolder {
  readonly above: readonly ReadOnlyFolder[];
}
const known = new Map<string, Known>();
export const forgetFolders = (): void => known.clear();

/** Query of the folder at a position, which is the address of its encrypted item. A position that this page does not know means the root. */
export const cryptomatorFolder = (rootUri: string, vaultName: string, at: string | undefined) =>
  queryOptions({
    queryKey: ['vault', vaultIdOf(rootUri), at ?? ''],
    queryFn: async ({ signal }): Promise<OpenFolder> => {
      const vaultId = vaultIdOf(rootUri);
      const here: Known = (at === undefined ? undefined : known.get(at)) ?? { position: '', name: vaultName, above: [] };
      const folderId = here.position === '' ? '' : await textOf(childUri(here.position, nodeFiles.folder), signal);
      const path = await askWorker('cryptomatorPath', { vaultId, folderId });
      const stored = (await listStored(path.split('/').reduce(childUri, rootUri), signal)).filter(({ name }) => name !== folderIdCopy);
      const nodes: Node[] = [];
      await inParallel(stored, width, async (item) => void nodes.push(await nodeOf(item, signal)));
      const items = nodes.map(({ sealed, stored: name, content }) => ({ sealed, stored: name, size: content?.size }));
      const clear = await askWorker('cryptomatorItems', { vaultId, folderId, items });
      const rows = nodes.flatMap((node, index) => {
        const opened = clear[index];
        return opened ? [{ ...node, ...opened }] : [];
      });
      const folders = rows.flatMap(({ name, content, linkUri }) => (content ? [] : [{ position: linkUri, name }])).toSorted(byName);
      const above = [...here.above, { position: here.position, name: here.name }];
      for (const { position, name } of folders) known.set(position, { position, name, above });
      const files = rows.flatMap(({ name, size, content }) => {
        if (!content) return [];
        const file = fileOf({ vaultId, name, size, content });
        return [{ name, modified: content.modified, stamp: String(content.modified ?? ''), seen: file, saved: file }];
      });
      return { ...here, folders, files: files.toSorted(byName) };
    },
    staleTime: 0,
    gcTime: 60_000,
  });

interface Node {
  /** Address of the item itself. */
  readonly linkUri: string;
  /** Full encrypted name with its extension, and the stored name. */
  readonly sealed: string;
  readonly stored: string;
  /** Only for a file. */
  readonly content: Item | undefined;
}

async function nodeOf(item: Item, signal: AbortSignal): Promise<Node> {
  const { name, linkUri, fileType } = item;
  if (!name.endsWith(shortenedEnd)) return { linkUri, sealed: name, stored: name, content: fileType === 'FOLDER' ? undefined : item };
  const [sealed, inner] = await Promise.all([textOf(childUri(linkUri, nodeFiles.name), signal), listStored(linkUri, signal)]);
  return { linkUri, sealed: sealed.trim(), stored: name, content: inner.find((one) => one.name === nodeFiles.content) };
}

function fileOf({ vaultId, name, size, content }: { vaultId: string; name: string; size: number | undefined; content: Item }) {
  if (size === undefined || content.size === undefined) return undefined;
  return { vaultId, address: addressOf(content.linkUri), name, sealedSize: content.size, size, mimeType: mimeTypeOf(name) };
}

/** Reads a small text: encrypted names and ids of folders, which are not secret. */
async function textOf(linkUri: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(addressOf(linkUri), { signal });
  if (response.status === 404)
    throw new WordedError('This is a link of another computer, or its folder is damaged: nothing tells what is in it.');
  if (!response.ok) throw new WordedError('The vault could not be read from its storage. Please try again.');
  return response.text();
}
