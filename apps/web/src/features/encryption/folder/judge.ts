import { type Verdict, judgeFile } from '@sheaf/vault';
import { formatSize } from '#/lib/format.ts';
import { askWorker } from '../crypt/client.ts';
import type { VaultFile } from '../crypt/streams.ts';
import type { ClearFolder } from './listing.ts';

/** A file with the verdict on its content. */
export interface Seen {
  readonly file: VaultFile;
  readonly verdict: Verdict;
  /** The file to download, if it differs from the one to show. */
  readonly saved?: VaultFile | undefined;
}

/** A file bound to the judged content: reading other content fails. */
export interface Judged extends Seen {
  readonly file: VaultFile & { readonly nonce: string };
}

/** Reads the nonce of a file and compares it with the records of its folder. */
export async function judge({ manifest }: Pick<ClearFolder, 'manifest'>, file: VaultFile): Promise<Judged> {
  const { vaultId, address, name, size } = file;
  const nonce = await askWorker('nonceOf', { vaultId, address });
  return { file: { ...file, nonce }, verdict: judgeFile(manifest, name, nonce, size) };
}

/** Warning for a file that contradicts its record; undefined for a file that is proven, or only lacks a record. */
export function warningOf({ verdict, file }: Seen): string | undefined {
  if (verdict.kind === 'cut')
    return `The end of this file is missing: ${formatSize(file.size)} of ${formatSize(verdict.recorded)} are there. The storage has lost it, or somebody cut it off.`;
  if (verdict.kind === 'swapped')
    return `This is the content that was stored as “${verdict.as}”. Another program renamed it, or somebody exchanged the files.`;
  return undefined;
}

export const proofSentence = ({ verdict }: Seen): string => {
  if (verdict.kind === 'proven') return 'Proven: whole, and the content that was stored under this name.';
  if (verdict.kind === 'changed')
    return 'Not proven: it is another content than the one recorded here. Another program wrote it, or an older one was put back.';
  return 'Not proven: nothing is recorded of this file, so a missing end would not show.';
};
