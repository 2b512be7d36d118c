import type { Entry } from '../../core/connector.ts';
import { nameOfPart, partOfName } from '../names/name-encoding.ts';
import { segmentsOf } from '../names/path.ts';
import type { StoredObject } from './object-store.ts';

/** What a connector path means in a flat store. */
export interface Place {
  /** The key of the file of this path; '' for the root. */
  readonly key: string;
  /** What the keys of the folder of this path begin with. */
  readonly prefix: string;
  /** Only the folder is meant, for there is a file of the same key. */
  readonly folderOnly: boolean;
}

/** The place of a connector path; throws `badName` for a part that could lead out of its folder. */
export function placeOf(path: string): Place {
  const parts = segmentsOf(path).map(partOfName);
  const key = parts.map(({ part }) => part).join('/');
  return { key, prefix: parts.length === 0 ? '' : `${key}/`, folderOnly: parts.length === 0 || (parts.at(-1)?.folder ?? false) };
}

/** An empty object whose key ends in `/` keeps a folder that has nothing else. One with content is a file with an empty name. */
export const isMarker = ({ key, size }: StoredObject): boolean => size === 0 && key.endsWith('/');

/** Seconds on either side of 1970 that a date can tell (ECMA-262, section 21.4.1.1). Some programs keep a file's time in nanoseconds. */
const longestTime = 8.64e12;

/** A file's entry; `name` as shown. */
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
  };
}

export const folderEntry = (name: string): Entry => ({ name, kind: 'folder' });

/**
 * Names the entries of one folder, piece by piece: gives a folder another name when a file has taken its own. Keys come in order, so that of the files of
 * earlier pages only those need to be kept that the page's last key begins with.
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
