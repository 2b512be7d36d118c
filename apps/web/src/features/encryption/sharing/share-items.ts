import { addFolder, createWeblink, deleteObject, sealedIndexName } from '@sheaf/contract';
import { type SharedItem, newShareFolderName, writeShareIndex } from '@sheaf/vault';
import { WordedError } from '#/lib/http/error-text.ts';
import { send } from '#/lib/http/send.ts';
import { inParallel } from '#/lib/in-parallel.ts';
import { logError } from '#/lib/log.ts';
import type { ShareTermsChosen } from '#/lib/sharing/share-terms.ts';
import { askWorker } from '../crypt/client.ts';
import { touchVault } from '../crypt/state.ts';
import { sealedName } from '../folder/changes.ts';
import { fileOf } from '../folder/files.ts';
import { judge, warningOf } from '../folder/judge.ts';
import type { ClearFolder, ClearItem } from '../folder/listing.ts';
import type { Place } from '../folder/own-parts.ts';
import { walk } from '../folder/walk.ts';
import { uploadSealed } from '../sending/upload.ts';

/** Number of files re-encrypted concurrently. */
const width = 2;

interface Order {
  readonly place: Place;
  readonly folder: ClearFolder;
  readonly items: readonly ClearItem[];
  readonly name: string;
  readonly terms: ShareTermsChosen;
  /** Called with the encrypted and sent fraction of the bytes, from 0 to 1. */
  readonly onProgress: (part: number) => void;
  readonly signal: AbortSignal;
}

interface Found {
  readonly item: ClearItem;
  readonly folder: ClearFolder;
  readonly path: readonly string[];
}

/** Address of a share with its secret in the fragment, which browsers never send to a server. */
export const sharedAddress = (sharelinkurl: string, secret: string): string => `${sharelinkurl}#${secret}`;

/**
 * Shares items of an open vault: re-encrypts them, with keys of the share, into a folder within the vault. Resolves with the address. Removes the folder
 * on failure. Rejects with a WordedError for a file that is damaged or contradicts its record.
 */
export async function shareItems(order: Order): Promise<string> {
  const { place, name, terms, signal } = order;
  const { vaultId, rootUri } = place;
  const found = await everything(order);
  const shareId = `share ${crypto.randomUUID()}`;
  const { secret, sealed } = await askWorker('newShare', { vaultId, shareId, name });
  const folderName = await sealedName(vaultId, newShareFolderName(), true);
  const { linkUri } = await send(addFolder, { parentLinkUri: rootUri, folderName, conflict: 'fail' });
  const put = (source: Parameters<typeof uploadSealed>[1], stored: string, onSent: (sent: number) => void) =>
    uploadSealed(shareId, source, { parentLinkUri: linkUri, name: stored, conflict: 'fail', onSent, signal });
  try {
    const shared = await putAll(order, found, put);
    const index = new File([writeShareIndex({ name, items: shared })], sealedIndexName);
    await put(index, sealedIndexName, () => undefined);
    const { sharelinkurl } = await send(createWeblink, { ...terms, linkUri, sealed });
    return sharedAddress(sharelinkurl, secret);
  } catch (error) {
    await send(deleteObject, { linkUri }).catch((failure: unknown) => logError('What was encrypted for the share stays.', failure));
    throw error;
  } finally {
    void askWorker('lock', { vaultId: shareId });
  }
}

/** Collects the items and everything below them. */
async function everything({ place, folder, items, signal }: Order): Promise<Found[]> {
  const found: Found[] = [];
  for (const item of items) {
    found.push({ item, folder, path: [item.name] });
    if (!item.isFolder) continue;
    for await (const below of walk({ ...place, linkUri: item.item.linkUri }, signal))
      found.push({ item: below.item, folder: below.folder, path: [item.name, ...below.path] });
  }
  return found;
}

type Put = (source: NonNullable<ReturnType<typeof fileOf>>, stored: string, onSent: (sent: number) => void) => Promise<string>;

async function putAll({ place: { vaultId }, onProgress, signal }: Order, found: readonly Found[], put: Put): Promise<SharedItem[]> {
  const total = found.reduce((sum, { item }) => sum + (item.item.size ?? 0), 0);
  const sent = new Map<string, number>();
  const shared = new Map<Found, SharedItem>();
  let count = 0;
  await inParallel(found, width, async (one) => {
    signal.throwIfAborted();
    const { item, folder, path } = one;
    const { modified } = item.item;
    const known = { path, ...(modified !== undefined && { modified }) };
    if (item.isFolder) return void shared.set(one, known);
    const stored = String(++count);
    const file = fileOf(vaultId, item);
    if (!file) throw new WordedError(`"${item.name}" is damaged and cannot be shared.`);
    const judged = await judge(folder, file);
    const warning = warningOf(judged);
    if (warning !== undefined) throw new WordedError(`"${item.name}": ${warning}`);
    const nonce = await put(judged.file, stored, (bytes) => {
      touchVault(vaultId);
      sent.set(stored, bytes);
      onProgress([...sent.values()].reduce((sum, some) => sum + some, 0) / Math.max(1, total));
    });
    shared.set(one, { ...known, file: { stored, size: file.size, nonce } });
  });
  return found.flatMap((one) => shared.get(one) ?? []);
}
