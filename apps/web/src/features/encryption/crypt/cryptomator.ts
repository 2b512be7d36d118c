import type { CryptomatorVault } from '@sheaf/vault';
import { type Range, fetched, unreadable } from './open-range.ts';
import type { SealedItem } from './requests.ts';

/** Most bytes of the files that describe a vault. */
const mostText = 65_536;

/** A small file of a vault of Cryptomator. */
export async function fetchedText(address: string): Promise<string> {
  const response = await fetch(address);
  if (!response.ok) throw await unreadable(response);
  const text = await response.text();
  if (text.length > mostText) throw new Error('The file is too large.');
  return text;
}

/** The clear bytes of a range. The header is read anew each time: the chunks that follow open with that of their own content only. */
export async function* cryptomatorBytes(
  { files }: CryptomatorVault,
  { address, size, start, end }: Range,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const sealed: number[] = [];
  for await (const piece of fetched(address, 0, files.headerSize, signal)) sealed.push(...piece);
  const header = files.openHeader(Uint8Array.from(sealed));
  yield* files.read((at, length) => fetched(address, at, length, signal), { size, header, start, end });
}

/** Clear names and sizes. A shortened name that is not that of the whole one next to it belongs to another item: it is left out. */
export function openItems({ names, files }: CryptomatorVault, folderId: string, items: readonly SealedItem[]) {
  return items.map(({ sealed, stored, size }) => {
    const name = sealed === stored || names.isShortened(stored, sealed) ? names.decrypt(sealed, folderId) : undefined;
    return name === undefined ? undefined : { name, size: size === undefined ? undefined : files.clearSize(size) };
  });
}
