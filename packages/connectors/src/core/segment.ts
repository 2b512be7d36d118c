import { isSegment } from '@sheaf/contract';
import { ConnectorError } from './error.ts';

export { isSegment, splitExtension } from '@sheaf/contract';

declare const checked: unique symbol;

/** A path segment checked by {@link segmentOf}. Encoders accept nothing else, so that no name reaches a server unchecked. */
export type Segment = string & { readonly [checked]: true };

/** Throws `badName` unless the name is a single path segment that cannot lead out of its folder. */
export function segmentOf(name: string): Segment {
  if (!isChecked(name)) throw new ConnectorError('badName', 'the name is no single path segment');
  return name;
}

const isChecked = (name: string): name is Segment => isSegment(name);

/** Whether each part of a connector path is a segment; `/` has no parts. */
export const isPath = (path: string): boolean => path === '/' || (path.startsWith('/') && path.slice(1).split('/').every(isSegment));

/** Prefix of the names of temporary files that uploads create at a source. Reserved: no other item may have it. */
export const partialPrefix = '.sheaf-partial-';

/** The folder in which Sheaf keeps deleted items of sources without a bin. Only the methods of `Bin` reach it. */
export const binFolder = '.sheaf-bin';

/** Whether an entry of that name is a hidden bin. */
export const isBinName = (name: string): boolean => name.length === binFolder.length && name.toLowerCase() === binFolder;

/**
 * Whether a path may lead into a hidden bin on any server: some compare names without case, by their compatibility forms, without invisible
 * letters, or without trailing dots and spaces (macOS, Windows), or also accept short names (`SHEAF-~1`).
 */
export function leadsToBin(path: string): boolean {
  if (!/sheaf-|[^ -~]/i.test(path)) return false;
  return path.split('/').some((name) => {
    const plain = name
      .normalize('NFKC')
      .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
      .toLowerCase()
      .replace(/[:\\].*$/, '')
      .replace(/[. ]+$/, '');
    return plain === binFolder || /^sheaf-~\d+$/.test(plain);
  });
}

/**
 * Prefix of the names of folders that hold the parts of a file until they are joined. Sources and connectors treat them as any other
 * folder.
 */
export const partsPrefix = '.sheaf-parts-';

/** Whether a name, or the last segment of a path, is that of an upload's temporary file or folder. */
export function isTemporary(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.startsWith(partialPrefix) || name.startsWith(partsPrefix);
}
