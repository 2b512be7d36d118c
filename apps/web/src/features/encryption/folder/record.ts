import { deleteObject, parentUri } from '@sheaf/contract';
import { type ManifestRecord, newFolderId, writePart } from '@sheaf/vault';
import { errorText } from '#/lib/http/error-text.ts';
import { send } from '#/lib/http/send.ts';
import { queryClient } from '#/lib/query-client.ts';
import { putWhole } from '#/lib/uploads/put-file.ts';
import { notifyError } from '#/ui/feedback/notify.ts';
import { askWorker } from '../crypt/client.ts';
import { type ClearFolder, clearFolder } from './listing.ts';
import { type OwnPart, type Place, ownPart } from './own-parts.ts';

/** More parts of other writers than this are merged into one, after their writers have been idle for this many seconds. */
const mostParts = 4;
const restingTime = 3600;

export type Change = Omit<ManifestRecord, 'at'>;

/**
 * Records changes that this page made in a folder, in the background: if the write fails, the items are merely unproven. Calls during a write, and for
 * a while after a long one, are combined.
 */
export function record(place: Place, changes: readonly Change[]): void {
  if (changes.length === 0) return;
  const part = ownPart(place);
  for (const change of changes) part.records.set(change.name, { ...change, at: Date.now() });
  part.isDirty = true;
  // The changed folder may not be the one in view.
  void queryClient.invalidateQueries({ queryKey: clearFolder(place.vaultId, place.rootUri, place.linkUri).queryKey, refetchType: 'none' });
  part.writing ??= write(place, part);
}

async function write(place: Place, part: OwnPart): Promise<void> {
  try {
    while (part.isDirty) {
      part.isDirty = false;
      await writeOnce(place, part);
      await new Promise((resolve) => setTimeout(resolve, Math.min(5000, part.records.size * 10)));
    }
  } catch (error) {
    notifyError(`What was changed stays unproven: it could not be recorded. ${errorText(error)}`);
  } finally {
    part.writing = undefined;
  }
}

async function writeOnce(place: Place, part: OwnPart): Promise<void> {
  const { vaultId, linkUri } = place;
  const folder = await folderNow(place);
  part.folder ??= await folderIdOf(place, folder);
  part.sealed ??= await askWorker('sealName', { vaultId, name: part.name, isFolder: false });
  const joined = joinable(folder, part);
  for (const { records } of joined.map((one) => one.part))
    for (const old of records) {
      const known = part.records.get(old.name);
      if (!known || known.at < old.at) part.records.set(old.name, old);
    }
  const file = new File([writePart({ folder: part.folder, records: [...part.records.values()] })], part.name);
  const { uploadId, size } = await askWorker('beginUpload', { vaultId, source: file });
  try {
    const room = new ArrayBuffer(size);
    const sealed = new File([(await askWorker('sealRange', { uploadId, start: 0, end: size, room }, [room])).room], '');
    const destination = { parentLinkUri: linkUri, name: part.sealed ?? '', conflict: 'replace', uploadId: crypto.randomUUID() } as const;
    await putWhole(sealed, destination, { sent: ignore, begun: ignore, held: ignore }, new AbortController().signal);
  } finally {
    void askWorker('endUpload', { uploadId });
  }
  for (const { item } of joined) await send(deleteObject, { linkUri: item.item.linkUri });
}

const ignore = (): void => undefined;

/** The folder as last read: only its parts and its id are needed. */
const folderNow = async ({ vaultId, rootUri, linkUri }: Place): Promise<ClearFolder> => {
  const query = clearFolder(vaultId, rootUri, linkUri);
  return queryClient.getQueryData(query.queryKey) ?? queryClient.fetchQuery(query);
};

/** Returns the id of a folder; a folder without one gets a new id, recorded in its parent. */
async function folderIdOf(place: Place, { folderId, parts, path }: ClearFolder): Promise<string> {
  if (folderId !== undefined) return folderId;
  const id = parts.find(({ part }) => part)?.part?.folder ?? newFolderId();
  const above = parentUri(place.linkUri);
  if (above !== undefined) record({ ...place, linkUri: above }, [{ name: path.at(-1) ?? '', folder: id }]);
  return id;
}

/** Parts to merge into this page's part, once there are too many and their writers have been idle for an hour. */
function joinable({ parts }: ClearFolder, own: OwnPart) {
  const others = parts.flatMap(({ item, part }) => (part && part.folder === own.folder ? [{ item, part }] : []));
  if (others.length <= mostParts) return [];
  const before = Date.now() / 1000 - restingTime;
  return others.filter(({ item }) => (item.item.modified ?? Infinity) < before);
}
