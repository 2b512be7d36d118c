import { isSegment, numberedName } from '@sheaf/contract';

/** Longest path that a zip can hold, in UTF-8 bytes. */
export const longestPath = 65_535;

/**
 * A name under which an item is safe to unpack wherever that happens, or undefined for one that no folder can hold: what Windows would read as a
 * separator, a drive or nothing at all, and what a terminal would obey, becomes `_`.
 */
export function safeName(name: string): string | undefined {
  const wellFormed = name.toWellFormed();
  if (!isSegment(wellFormed)) return undefined;
  return (
    wellFormed
      // oxlint-disable-next-line no-control-regex -- these are meant
      .replace(/[\\\u0000-\u001f\u007f-\u009f]/g, '_')
      .replace(/^([A-Za-z]):/, '$1_')
      // Windows drops dots and blanks at the end, which makes `.. ` the folder above.
      .replace(/^[. ]+$/, (dots) => '_'.repeat(dots.length))
  );
}

/** Gives each name of one folder of the zip once; a second item of the same name gets a number. */
export function createNames() {
  const given = new Set<string>();
  return (name: string, kind: 'file' | 'folder'): string => {
    let free = name;
    for (let number = 2; given.has(free); number++) free = numberedName(name, number, kind);
    given.add(free);
    return free;
  };
}
