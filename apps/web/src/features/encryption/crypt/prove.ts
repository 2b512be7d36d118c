import { type Vault, headerSize, isDamage, openVault, sealedBlockSize, tagSize } from '@sheaf/vault';
import { fetched } from './open-range.ts';
import type { FoundItem, Proof, Requests } from './requests.ts';

/** Number of files whose first block is tried: several, because one may be damaged or foreign. */
const mostFiles = 3;

/** Tries passwords on the items of a folder. The first block of a file proves them for certain, encrypted names nearly so. */
export async function prove({ passwords, options, items }: Requests['prove']['ask']): Promise<Proof> {
  const vault = await openVault(passwords, options);
  try {
    const { names } = vault;
    const opens = ({ name, isFolder }: FoundItem): boolean =>
      (isFolder ? names.decryptFolder(name) : names.decryptFile(name)) !== undefined;
    const isSealed = ({ isFolder }: FoundItem): boolean =>
      options.filename_encryption === 'standard' && (!isFolder || options.directory_name_encryption);
    const sealed = items.filter(isSealed);
    const files = items.filter(({ isFolder, size }) => !isFolder && size !== undefined && size > headerSize + tagSize);
    const likely = [...files].sort((a, b) => Number(opens(b)) - Number(opens(a))).slice(0, mostFiles);
    let content: boolean | undefined;
    for (const file of likely) {
      const isOpen = await opensContent(vault, file);
      if (isOpen !== undefined) content = isOpen;
      if (isOpen === true) break;
    }
    return {
      content,
      names: sealed.length === 0 ? undefined : sealed.filter(opens).length,
      inner: items.find((item) => item.isFolder && opens(item))?.linkUri,
    };
  } finally {
    vault.wipe();
  }
}

/** Whether the first block decrypts; undefined for a file that is not of a vault. */
async function opensContent(vault: Vault, { address, size = 0 }: FoundItem): Promise<boolean | undefined> {
  const life = new AbortController();
  const length = Math.min(size, headerSize + sealedBlockSize);
  const bytes = new Uint8Array(length);
  let filled = 0;
  for await (const piece of fetched(address, 0, length, life.signal)) {
    bytes.set(piece, filled);
    filled += piece.length;
  }
  async function* read(start: number, count: number): AsyncGenerator<Uint8Array> {
    yield bytes.subarray(start, start + count);
  }
  try {
    const nonce = vault.nonceOf(bytes.subarray(0, headerSize));
    for await (const _ of vault.files.read(read, { size: length, nonce, start: 0, end: 1 })) return true;
    return false;
  } catch (error) {
    if (!isDamage(error)) throw error;
    return error.damage === 'foreign' ? undefined : false;
  }
}
