import { downloadWeblink } from '@sheaf/contract';
import { type ShareIndex, type SharedItem, sealedSize } from '@sheaf/vault';
import { withQuery } from '#/lib/http/form-body.ts';
import { downloadPieces, piecesOf } from '../crypt/streams.ts';
import { writeZip, zipLength } from '../crypt/zip.ts';
import { mimeTypeOf } from '../folder/files.ts';
import { type OpenFolder, type ReadOnlyFolder, byName } from '../folder/read-only.ts';

/** A folder of a share; its position is its number in the index. */
interface SharedFolder extends ReadOnlyFolder {
  readonly path: readonly string[];
}

interface OpenShared extends OpenFolder {
  readonly path: readonly string[];
  /** Total size of its contents, in bytes. */
  readonly size: number;
}

/** Address of the encrypted bytes of a file of the share. */
export const addressIn = (weblinkId: string, stored: string, inline: boolean): string =>
  withQuery(downloadWeblink.path, { weblinkId, path: stored, ...(inline && { inline }) });

const isBelow = (path: readonly string[], folder: readonly string[]): boolean =>
  path.length > folder.length && folder.every((name, index) => path[index] === name);

/** Returns the folder at a position of the index; the root of the share for an unknown position. */
export function folderAt(weblinkId: string, { name, items }: ShareIndex, at: string | undefined): OpenShared {
  const root: SharedFolder = { position: '', name, path: [] };
  const folders = items.flatMap(({ path, file }, index): SharedFolder[] =>
    file ? [] : [{ position: String(index), name: path.at(-1) ?? '', path }],
  );
  const here = folders.find(({ position }) => position === at) ?? root;
  const within = items.filter(({ path }) => isBelow(path, here.path));
  return {
    ...here,
    above: here === root ? [] : [root, ...folders.filter(({ path }) => isBelow(here.path, path))],
    folders: folders.filter(({ path }) => isBelow(path, here.path) && path.length === here.path.length + 1).toSorted(byName),
    files: within
      .filter(({ path }) => path.length === here.path.length + 1)
      .flatMap((item) => fileOf(weblinkId, item) ?? [])
      .toSorted(byName),
    size: within.reduce((sum, { file }) => sum + (file?.size ?? 0), 0),
  };
}

/** A file bound to the nonce and size in the index: reading other or cut content fails. */
function fileOf(weblinkId: string, { path, modified, file }: SharedItem) {
  if (!file) return undefined;
  const { stored, size, nonce } = file;
  const name = path.at(-1) ?? '';
  const known = { vaultId: weblinkId, name, sealedSize: sealedSize(size), size, mimeType: mimeTypeOf(name), nonce };
  return {
    name,
    modified,
    stamp: nonce,
    seen: { ...known, address: addressIn(weblinkId, stored, true) },
    saved: { ...known, address: addressIn(weblinkId, stored, false) },
  };
}

/** Saves a whole folder of the share as a zip, generated in this browser. */
export async function saveFolder(weblinkId: string, { items }: ShareIndex, { name, path }: OpenShared): Promise<void> {
  const entries = items
    .filter((item) => isBelow(item.path, path))
    .map((item) => {
      const file = fileOf(weblinkId, item);
      const within = item.path.slice(path.length).join('/');
      return file
        ? { path: within, size: file.saved.size, modified: item.modified, read: () => piecesOf(file.saved) }
        : { path: `${within}/`, size: 0, modified: item.modified, read: nothing };
    });
  await downloadPieces({ name: `${name}.zip`, size: zipLength(entries), read: () => writeZip(entries) });
}

async function* nothing(): AsyncGenerator<Uint8Array> {
  // A folder has no bytes.
}
