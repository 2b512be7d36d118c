import { WordedError } from '#/lib/http/error-text.ts';
import { type VaultFile, downloadPieces, piecesOf } from '../crypt/streams.ts';
import { type ZipEntry, writeZip, zipLength } from '../crypt/zip.ts';
import { fileOf } from './files.ts';
import { judge, warningOf } from './judge.ts';
import type { ClearFolder, ClearItem } from './listing.ts';
import type { Place } from './own-parts.ts';
import { walk } from './walk.ts';

type Chosen = { place: Place; folder: ClearFolder; items: readonly ClearItem[]; vaultName: string };

/** Saves items as a zip, generated in this browser. Rejects with a WordedError for a file that is damaged or contradicts its record. */
export async function saveZip({ place, folder, items, vaultName }: Chosen, signal: AbortSignal): Promise<void> {
  const entries: ZipEntry[] = [];
  const add = (item: ClearItem, within: ClearFolder, path: readonly string[]): void => {
    const name = path.join('/');
    const { modified } = item.item;
    if (item.isFolder) return void entries.push({ path: `${name}/`, size: 0, modified, read: nothing });
    const file = fileOf(place.vaultId, item);
    if (!file) throw new WordedError(`"${name}" is damaged and cannot be read.`);
    entries.push({ path: name, size: file.size, modified, read: () => provenPieces(within, file) });
  };
  for (const item of items) {
    add(item, folder, [item.name]);
    if (!item.isFolder) continue;
    for await (const below of walk({ ...place, linkUri: item.item.linkUri }, signal))
      add(below.item, below.folder, [item.name, ...below.path]);
  }
  const name = `${items.length === 1 ? items[0]?.name : (folder.path.at(-1) ?? vaultName)}.zip`;
  await downloadPieces({ name, size: zipLength(entries), read: () => writeZip(entries) });
}

async function* nothing(): AsyncGenerator<Uint8Array> {
  // A folder has no bytes.
}

/** Fails for a cut or swapped file: a zip cannot show its warning. */
async function* provenPieces(folder: ClearFolder, file: VaultFile): AsyncGenerator<Uint8Array> {
  const judged = await judge(folder, file);
  const warning = warningOf(judged);
  if (warning !== undefined) throw new WordedError(`"${file.name}": ${warning}`);
  yield* piecesOf(judged.file);
}
