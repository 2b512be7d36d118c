import { limits } from '../catalogue/limits.ts';
import { isBlank } from './blank-name.ts';
import { isSegment } from './link-uri.ts';

/** Whether a file or folder may have this name: one path segment of at most 255 UTF-8 bytes that is not blank. */
export const isFileName = (name: string): boolean => isSegment(name) && !isBlank(name) && utf8Length(name) <= limits.fileNameBytes;

/**
 * Splits a name at its extension, where a number goes and renaming selects: `report.tar.gz` gives `report` and `.tar.gz`; `.profile` and `v1.2 notes`
 * have no extension.
 */
export function splitExtension(name: string): { stem: string; extension: string } {
  const [, stem, extension] = /^(.+?)((?:\.tar)?\.[\p{L}\p{N}_-]{1,16})$/u.exec(name) ?? [];
  return stem === undefined || extension === undefined ? { stem: name, extension: '' } : { stem, extension };
}

/**
 * Inserts a number before the extension, or at the end for a folder: `a.txt`, 2 gives `a 2.txt`. Shortens the stem to keep within 255 bytes.
 */
export function numberedName(name: string, number: number, kind: 'file' | 'folder'): string {
  const { stem, extension } = kind === 'file' ? splitExtension(name) : { stem: name, extension: '' };
  const suffix = ` ${number}${extension}`;
  let shortened = stem;
  while (utf8Length(shortened + suffix) > limits.fileNameBytes) shortened = [...shortened].slice(0, -1).join('');
  return shortened + suffix;
}

/**
 * Folds a name for comparison: lower case, without accents of Latin, Greek and Cyrillic letters, composed. Spellings of one name become equal.
 */
export function foldName(name: string): string {
  const lower = name.toLowerCase();
  // oxlint-disable-next-line no-control-regex -- all of ASCII, which is only lower-cased
  if (/^[\u0000-\u007f]*$/.test(lower)) return lower;
  return lower
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC');
}

function utf8Length(text: string): number {
  return new TextEncoder().encode(text).byteLength;
}
