import { WordedError } from '#/lib/http/error-text.ts';
import { queryClient } from '#/lib/query-client.ts';
import { downloadPieces, piecesOf } from '../crypt/streams.ts';
import { type ZipEntry, writeZip, zipLength } from '../crypt/zip.ts';
import type { OpenFolder } from '../folder/read-only.ts';
import { cryptomatorFolder } from './listing.ts';

/** A folder of a Cryptomator vault. */
export interface CryptomatorPlace {
  readonly rootUri: string;
  readonly vaultName: string;
  /** Its position, as in page addresses; undefined for the root of the vault. */
  readonly at: string | undefined;
}

/** A folder of a walk, with the clear names from below the start of the walk to it. */
interface Walked {
  readonly folder: OpenFolder;
  readonly path: readonly string[];
}

/** Yields a folder and all folders below it, breadth first. */
export async function* foldersFrom({ rootUri, vaultName, at }: CryptomatorPlace, signal: AbortSignal): AsyncGenerator<Walked> {
  const waiting: { at: string | undefined; path: readonly string[] }[] = [{ at, path: [] }];
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    signal.throwIfAborted();
    const { path } = next;
    const folder = await queryClient.fetchQuery(cryptomatorFolder(rootUri, vaultName, next.at));
    yield { folder, path };
    waiting.push(...folder.folders.map(({ position, name }) => ({ at: position, path: [...path, name] })));
  }
}

/** Saves a whole folder as a zip, generated in this browser. Rejects with a WordedError for a file that cannot be read. */
export async function saveCryptomatorZip(place: CryptomatorPlace, signal: AbortSignal): Promise<void> {
  const entries: ZipEntry[] = [];
  let name = place.vaultName;
  for await (const { folder, path } of foldersFrom(place, signal)) {
    if (path.length === 0) name = folder.name;
    for (const below of folder.folders)
      entries.push({ path: `${[...path, below.name].join('/')}/`, size: 0, modified: undefined, read: nothing });
    for (const { name: fileName, modified, saved } of folder.files) {
      const within = [...path, fileName].join('/');
      if (!saved) throw new WordedError(`"${within}" is damaged and cannot be read.`);
      entries.push({ path: within, size: saved.size, modified, read: () => piecesOf(saved) });
    }
  }
  await downloadPieces({ name: `${name}.zip`, size: zipLength(entries), read: () => writeZip(entries) });
}

async function* nothing(): AsyncGenerator<Uint8Array> {
  // A folder has no bytes.
}
