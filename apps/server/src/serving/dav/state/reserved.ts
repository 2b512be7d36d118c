import type { Body } from '@sheaf/connectors';
import type { OpenFile } from '#/files/bodies/files.ts';
import { isRow } from '#/files/items/entry-at.ts';

const nothing: Body = { size: 0, entry: { size: 0 }, drain: () => Promise.resolve(), cancel: () => undefined };

/**
 * The file; an empty one where nothing is stored at an address that is reserved, which is what a lock on it makes (RFC 4918, section 7.3). davfs2 asks
 * for a file that it has locked more than a second ago, and takes one that is missing for deleted.
 */
export function orReserved(file: OpenFile, isReserved: () => Promise<boolean>): OpenFile {
  const unlessReserved = async <T>(asked: Promise<T>, empty: T): Promise<T> => {
    try {
      return await asked;
    } catch (error) {
      if (isRow(error, 'ITEM_NOT_FOUND') && (await isReserved())) return empty;
      throw error;
    }
  };
  return {
    ...file,
    stat: (signal) => unlessReserved(file.stat(signal), { name: file.name, kind: 'file', size: 0 }),
    read: (signal, ask) => unlessReserved(file.read(signal, ask), nothing),
  };
}
