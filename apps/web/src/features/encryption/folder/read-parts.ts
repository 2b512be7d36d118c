import { type ManifestPart, isManifestName, readPart } from '@sheaf/vault';
import { readWhole } from '../crypt/streams.ts';
import { fileOf } from './files.ts';
import type { ClearItem } from './listing.ts';

/** A part of a folder's manifest, as it lies at the storage. */
export interface StoredPart {
  readonly item: ClearItem;
  /** Undefined for one that cannot be read: what it records is unproven. */
  readonly part: ManifestPart | undefined;
}

/** Most bytes of a part that are read: some 200,000 names. */
const mostBytes = 32 * 1024 * 1024;

/** Parts that were read, by their addresses, as long as their sizes and times stay. */
const known = new Map<string, { readonly stamp: string; readonly part: ManifestPart | undefined }>();

export const isPart = ({ name, isFolder }: ClearItem): boolean => !isFolder && isManifestName(name);

/** Reads parts of a manifest. A part that cannot be read is no reason to refuse a folder. */
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
