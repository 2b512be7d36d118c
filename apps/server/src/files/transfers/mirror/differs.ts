import type { Entry } from '@sheaf/connectors';

/** Seconds by which times of one file may differ between storages: FAT keeps every other second. */
const tolerance = 2;

type Facts = Pick<Entry, 'size' | 'modified' | 'hashes'>;

/**
 * Whether a mirror has to copy a file again. Equal hashes decide; otherwise another size, or a later modification at the source. A destination that
 * does not store modification times reports the time of the upload, so a later time there means nothing. `isRewritten`: the destination changes files
 * of this type, so that only times can be compared.
 */
export function differs(source: Facts, there: Facts, isRewritten = false): boolean {
  if (!isRewritten) {
    const isSame = sameHashes(source, there);
    if (isSame !== undefined) return !isSame;
    if (source.size !== undefined && there.size !== undefined && source.size !== there.size) return true;
  }
  if (source.modified !== undefined && there.modified !== undefined) return source.modified > there.modified + tolerance;
  // Documents have neither a size nor a comparable time: copied again rather than left old.
  return isRewritten || source.size === undefined || there.size === undefined;
}

/** Whether the first hash that both report is equal; undefined without one. */
function sameHashes({ hashes: one = {} }: Facts, { hashes: other = {} }: Facts): boolean | undefined {
  for (const [name, value] of Object.entries(one)) {
    const there = other[name as keyof typeof other];
    if (there !== undefined) return there === value;
  }
  return undefined;
}
