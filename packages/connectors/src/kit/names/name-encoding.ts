import { type Segment, segmentOf } from '../../core/segment.ts';

/**
 * Object stores allow keys whose parts are no names: empty (`a//b`), `.` and `..`, and a file `a` beside a folder `a/`. Such parts are shown with this
 * mark (U+241B, "symbol for escape") in front, and every other part as it is. The encoding is a bijection: each name leads to one part and back.
 *
 * | part of a key          | name    |
 * | ---------------------- | ------- |
 * | empty                  | `␛`     |
 * | `.` and `..`, also before blanks | `␛.` `␛..` |
 * | folder beside file `a` | `␛:a`   |
 * | what reads as one of these | one more `␛` in front |
 */
const mark = '\u241b';

/** A segment of a key, and whether its name means the folder where a file has the same key. */
export interface KeyPart {
  readonly part: string;
  readonly folder: boolean;
}

/** Matches marks, and characters that a mark gives a meaning to; any other name stands for itself. */
const encoded = new RegExp(`^${mark}+(?:|\\.\\.?(?: [. ]*)?|:.*)$`, 's');
/** Forbidden names: Windows servers drop blanks after dots. */
const dots = /^\.\.?(?: [. ]*)?$/;
/** Names that {@link partOfName} refuses, or that a listing would show differently when no file has the same key. */
export const unwritable = /^\u241b(?::|\.\.?(?: [. ]*)?$)/;

/**
 * Returns the segment of a key for a name. Throws `badName` for `.` and `..`: such keys are listed, but a gateway in front of a file system
 * would follow them out of the folder. An empty segment stays in its folder everywhere, and keys such as `a//b` are common.
 */
export function partOfName(name: Segment): KeyPart {
  if (!encoded.test(name)) return { part: name, folder: false };
  const rest = name.slice(mark.length);
  const folder = rest.startsWith(':');
  const part = folder ? rest.slice(1) : rest;
  return { part: part === '' ? part : segmentOf(part), folder };
}

/** Returns the name for a segment of a key; `besideFile` for a folder with the same name as a file. */
export function nameOfPart(part: string, besideFile = false): string {
  if (besideFile) return `${mark}:${part}`;
  return part === '' || dots.test(part) || encoded.test(part) ? mark + part : part;
}
