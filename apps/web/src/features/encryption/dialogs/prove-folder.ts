import { type FirstPage, remoteUpdate } from '@sheaf/contract';
import type { NameOptions, Passwords } from '@sheaf/vault';
import { send } from '#/lib/http/send.ts';
import { askWorker } from '../crypt/client.ts';
import type { Proof } from '../crypt/requests.ts';
import { addressOf } from '../folder/files.ts';

/** `names`: the passwords are right, but names do not decrypt with these options. `unproven`: the folder has nothing to try them on. */
export type FolderProof = 'right' | 'wrong' | 'names' | 'unproven';

export const proofSentences: Readonly<Record<Exclude<FolderProof, 'right'>, string>> = {
  wrong: 'These passwords open nothing in this folder. They were tried in this browser; nothing was sent.',
  names: 'The passwords are right, but the names do not open. Please check how file names are encrypted and encoded.',
  unproven:
    'There is no file in this folder to try the passwords on, so they are unproven. A mistake in them would show with the first file.',
};

/** Limits of the search for a file: items of a folder, and depth. */
const mostItems = 200;
const deepest = 5;

/** Tests whether these passwords open the items of a folder. Clear names and passwords stay in this browser. */
export async function proveFolder(linkUri: string, passwords: Passwords, options: NameOptions): Promise<FolderProof> {
  let place: string | undefined = linkUri;
  let namesOpen = false;
  for (let depth = 0; depth < deepest && place !== undefined; depth++) {
    const { items }: FirstPage = await send(remoteUpdate, {
      linkUri: place,
      sort: 'name',
      order: 'asc',
      fresh: true,
      refresh: true,
      limit: mostItems,
    });
    const found = items.map((item) => ({
      name: item.name,
      isFolder: item.fileType === 'FOLDER',
      linkUri: item.linkUri,
      address: addressOf(item.linkUri),
      size: item.size,
    }));
    const proof: Proof = await askWorker('prove', { passwords, options, items: found });
    if (proof.content === true) return proof.names === 0 ? 'names' : 'right';
    if (proof.content === false) return 'wrong';
    if (proof.names === 0 && !namesOpen) return 'wrong';
    namesOpen ||= (proof.names ?? 0) > 0;
    place = proof.inner;
  }
  return namesOpen ? 'right' : 'unproven';
}
