import { isSegment, numberedName } from '@sheaf/contract';

/** Longest path that a zip supports, in UTF-8 bytes. */
export const longestPath = 65_535;

/**
 * A name that is safe to unpack anywhere, or undefined for one that no folder can contain: replaces by `_` what Windows would read as a separator or
 * a drive or would drop, and control characters.
 */
export function safeName(name: string): string | undefined {
  const wellFormed = name.toWellFormed();
  if (!isSegment(wellFormed)) return undefined;
  return (
    wellFormed
      // oxlint-disable-next-line no-control-regex -- these are meant
      .replace(/[\\\u0000-\u001f\u007f-\u009f]/g, '_')
      .replace(/^([A-Za-z]):/, '$1_')
      // Windows drops trailing dots and blanks, which would make `.. ` the parent folder.
      .replace(/^[. ]+$/, (dots) => '_'.repeat(dots.length))
  );
}

/** Makes names unique within one folder of the zip: a second item of the same name gets a number. */
export function createNames() {
  const given = new Set<string>();
  return (name: string, kind: 'file' | 'folder'): string => {
    let free = name;
    for (let number = 2; given.has(free); number++) free = numberedName(name, number, kind);
    given.add(free);
    return free;
  };
}
