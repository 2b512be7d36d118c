import type { CryptomatorVault } from '@sheaf/vault';
import { type Range, fetched, unreadable } from './open-range.ts';
import type { SealedItem } from './requests.ts';

/** Maximum size of the files that describe a vault, in bytes. */
const mostText = 65_536;

/** Fetches a small text file of a Cryptomator vault. */
export async function fetchedText(address: string): Promise<string> {
  const response = await fetch(address);
  if (!response.ok) throw await unreadable(response);
  const text = await response.text();
  if (text.length > mostText) throw new Error('The file is too large.');
  return text;
}

/** Streams the clear bytes of a range. Fetches the header each time: the file may have been replaced, and chunks decrypt only with their own header. */
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

/** Decrypts names and sizes. Omits an item whose shortened name does not match its full name: the full name belongs to another item. */
export function openItems({ names, files }: CryptomatorVault, folderId: string, items: readonly SealedItem[]) {
  return items.map(({ sealed, stored, size }) => {
    const name = sealed === stored || names.isShortened(stored, sealed) ? names.decrypt(sealed, folderId) : undefined;
    return name === undefined ? undefined : { name, size: size === undefined ? undefined : files.clearSize(size) };
  });
}
