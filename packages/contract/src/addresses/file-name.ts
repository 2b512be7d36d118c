import { limits } from '../catalogue/limits.ts';
import { isBlank } from './blank-name.ts';
import { isSegment } from './link-uri.ts';

/** Whether a user may give this name to a file or folder: one path segment of at most 255 UTF-8 bytes with something to see in it. */
export const isFileName = (name: string): boolean => isSegment(name) && !isBlank(name) && utf8Length(name) <= limits.fileNameBytes;

/**
 * A name cut in two where its number goes and where renaming selects: `report.tar.gz` gives `report` and `.tar.gz`, `.profile` and
 * `v1.2 notes` have no extension.
 */
export function splitExtension(name: string): { stem: string; extension: string } {
  const [, stem, extension] = /^(.+?)((?:\.tar)?\.[\p{L}\p{N}_-]{1,16})$/u.exec(name) ?? [];
  return stem === undefined || extension === undefined ? { stem: name, extension: '' } : { stem, extension };
}

/** `name` with a number before its extension, or at its end for a folder: `a.txt`, 2 gives `a 2.txt`; shortened where 255 bytes are not enough. */
export function numberedName(name: string, number: number, kind: 'file' | 'folder'): string {
  const { stem, extension } = kind === 'file' ? splitExtension(name) : { stem: name, extension: '' };
  const suffix = ` ${number}${extension}`;
  let shortened = stem;
  while (utf8Length(shortened + suffix) > limits.fileNameBytes) shortened = [...shortened].slice(0, -1).join('');
  return shortened + suffix;
}

/**
 * A name as it is compared when case does not matter: lower case, accents of Latin, Greek and Cyrillic letters dropped, composed form.
 * Two spellings of one name give the same text.
 */
export function foldName(name: string): string {
  const lower = name.toLowerCase();
  // oxlint-disable-next-line no-control-regex -- the whole of ASCII, which needs nothing further
  if (/^[\u0000-\u007f]*$/.test(lower)) return lower;
  return lower
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC');
}

function utf8Length(text: string): number {
  return new TextEncoder().encode(text).byteLength;
}
