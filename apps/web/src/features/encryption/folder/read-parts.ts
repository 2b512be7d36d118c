import { type ManifestPart, isManifestName, readPart } from '@sheaf/vault';
import { readWhole } from '../crypt/streams.ts';
import { fileOf } from './files.ts';
import type { ClearItem } from './listing.ts';

/** A stored part of a folder's manifest. */
export interface StoredPart {
  readonly item: ClearItem;
  /** Undefined if it cannot be read: its items are then unproven. */
  readonly part: ManifestPart | undefined;
}

/** Maximum size of a part that is read, in bytes; enough for about 200,000 names. */
const mostBytes = 32 * 1024 * 1024;

/** Cache of parts by address, valid while size and time stay the same. */
const known = new Map<string, { readonly stamp: string; readonly part: ManifestPart | undefined }>();

export const isPart = ({ name, isFolder }: ClearItem): boolean => !isFolder && isManifestName(name);

/** Reads parts of a manifest. An unreadable part does not fail the folder. */
export const readParts = (vaultId: string, items: readonly ClearItem[]): Promise<StoredPart[]> =>
  Promise.all(
    items.map(async (item) => {
      const { linkUri, size, modified } = item.item;
      const stamp = `${size ?? ''} ${modified ?? ''}`;
      const read = known.get(linkUri);
      if (read?.stamp === stamp) return { item, part: read.part };
      const file = fileOf(vaultId, item);
      const text =
        file &&
        (await readWhole(file, mostBytes).then(
          (blob) => blob.text(),
          () => undefined,
        ));
      const part = text === undefined ? undefined : readPart(text);
      if (part) known.set(linkUri, { stamp, part });
      return { item, part };
    }),
  );

export const forgetReadParts = (): void => known.clear();
