import type { Entry } from '../../core/connector.ts';
import { nameOfPart, partOfName } from '../names/name-encoding.ts';
import { segmentsOf } from '../names/path.ts';
import type { StoredObject } from './object-store.ts';

/** A connector path in a flat store. */
export interface Place {
  /** Key of the file at this path; '' for the root. */
  readonly key: string;
  /** Prefix of the keys in the folder at this path. */
  readonly prefix: string;
  /** Whether only the folder is meant, because a file has the same key. */
  readonly folderOnly: boolean;
}

/** Returns the place of a connector path; throws `badName` for a segment that could lead out of its folder. */
export function placeOf(path: string): Place {
  const parts = segmentsOf(path).map(partOfName);
  const key = parts.map(({ part }) => part).join('/');
  return { key, prefix: parts.length === 0 ? '' : `${key}/`, folderOnly: parts.length === 0 || (parts.at(-1)?.folder ?? false) };
}

/**
 * Whether an object is a marker, which keeps an otherwise empty folder: it is empty and its key ends in `/`. One with content is a file
 * with an empty name.
 */
export const isMarker = ({ key, size }: StoredObject): boolean => size === 0 && key.endsWith('/');

/**
 * Maximum of a date in seconds on either side of 1970 (ECMA-262, section 21.4.1.1). Some programs store a file's time in nanoseconds, which
 * exceeds it.
 */
const longestTime = 8.64e12;

/** Returns a file's entry; `name` as shown. */
export function fileEntry(object: StoredObject, name: string): Entry {
  const { fileTime = Number.NaN } = object;
  const modified = Math.abs(fileTime) <= longestTime ? fileTime : object.modified;
  return {
    name,
    kind: 'file',
    size: object.size,
    ...(modified !== undefined && { modified }),
    ...(object.etag !== undefined && { etag: object.etag }),
    ...(object.mimeType !== undefined && { mimeType: object.mimeType }),
    ...(object.hashes && { hashes: object.hashes }),
  };
}

export const folderEntry = (name: string): Entry => ({ name, kind: 'folder' });

/**
 * Names the entries of one folder, page by page: renames a folder that has the same name as a file. Keys are sorted, so that of earlier
 * pages only those files are kept whose keys are prefixes of the page's last key.
 */
export function createNaming(prefix: string) {
  let files = new Set<string>();
  return {
    file(object: StoredObject): Entry {
      const part = object.key.slice(prefix.length);
      files.add(part);
      return fileEntry(object, nameOfPart(part));
    },
    folder(folderPrefix: string): Entry {
      const part = folderPrefix.slice(prefix.length, -1);
      return folderEntry(nameOfPart(part, files.has(part)));
    },
    endPage(lastKeys: readonly string[]): void {
      files = new Set([...files].filter((part) => lastKeys.some((key) => key.startsWith(prefix + part))));
    },
  };
}
