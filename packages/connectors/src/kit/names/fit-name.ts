import { hash } from 'node:crypto';
import type { Entry } from '../../core/connector.ts';
import { splitExtension } from '../../core/segment.ts';
import { type LengthLimit, type NameRules, usualNameLength } from '../../core/storage-limits.ts';

/** Why a source cannot store a name: characters, a reserved word, the name's length, or the length of the whole path. */
export type NameFault = 'characters' | 'reserved' | 'length' | 'pathLength';

/** A name that the source can store. */
export interface FittedName {
  readonly name: string;
  /** Why it differs from the requested name; absent when it does not. */
  readonly fault?: NameFault;
}

const noRules: NameRules = {};

/**
 * Returns the name under which the source can store an item called `name` in that folder; undefined when the path leaves no room for it.
 * Depends only on its arguments: the same item gets the same name in each copy. Forbidden characters are replaced by similar ones, as
 * rclone does; a name that is too long is cut and gets a hash of the whole name, so that two long names stay different.
 */
export function fitName(rules: NameRules = noRules, name: string, kind: Entry['kind'] = 'file', folder = '/'): FittedName | undefined {
  let fitted = name;
  let fault: NameFault | undefined;
  const change = (to: string, why: NameFault): void => {
    if (to === fitted) return;
    fitted = to;
    fault ??= why;
  };
  const { forbidden, badStart, badEnd, reserved } = rules;
  if (forbidden) change(fitted.replace(forbidden, withSimilarEnd), 'characters');
  if (badStart?.test(fitted)) change(fitted.replace(/^./su, similar), 'characters');
  if (badEnd?.test(fitted)) change(fitted.replace(/.$/su, similar), 'characters');
  if (reserved?.test(fitted)) change(`_${fitted}`, 'reserved');
  const room = roomIn(rules, folder, kind);
  if (lengthOf(fitted, room.own) > room.own.most) change(shortened(fitted, kind, room.own, name), 'length');
  if (room.left && lengthOf(fitted, room.left) > room.left.most) {
    const short = shortened(fitted, kind, room.left, name);
    if (short === '') return undefined;
    change(short, 'pathLength');
  }
  return fault === undefined ? { name } : { name: fitted, fault };
}

/** Whether the source stores the name unchanged. */
export const fitsName = (rules: NameRules | undefined, name: string, kind?: Entry['kind'], folder?: string): boolean =>
  fitName(rules, name, kind, folder)?.name === name;

/**
 * Returns the name with a hash of `whole` before its extension, for an item whose name is taken by another one. The source must be able to
 * store `name`. Undefined when there is no room.
 */
export function taggedName(rules: NameRules = noRules, name: string, kind: Entry['kind'], folder = '/', whole = name): string | undefined {
  const { own, left } = roomIn(rules, folder, kind);
  const tagged = tag(name, kind, whole);
  const inFolder = lengthOf(tagged, own) > own.most ? shortened(name, kind, own, whole) : tagged;
  const short = left && lengthOf(inFolder, left) > left.most ? shortened(name, kind, left, whole) : inFolder;
  return short === '' ? undefined : short;
}

/** Returns a key that is equal for names of the same item of a folder. */
export function nameKey({ ignoresCase, ignoresForm }: NameRules = noRules, name: string): string {
  const cased = ignoresCase ? name.toLowerCase() : name;
  return ignoresForm ? cased.normalize('NFC') : cased;
}

/** Returns the rules for paths below a folder of the source. */
export function rulesBelow(rules: NameRules, folder: string): NameRules {
  const { pathLength } = rules;
  if (!pathLength || folder === '/') return rules;
  return { ...rules, pathLength: { ...pathLength, most: pathLength.most - lengthOf(folder, pathLength) } };
}

/** Returns the maximum length of the name, and what the folder's path leaves of the maximum path length, which may be negative. */
function roomIn({ length = usualNameLength, pathLength }: NameRules, folder: string, kind: Entry['kind']) {
  const above = folder === '/' ? '' : folder;
  const left = pathLength && { ...pathLength, most: pathLength.most - lengthOf(above, pathLength) - (kind === 'folder' ? 1 : 0) };
  return { own: length, left };
}

const lengthOf = (text: string, { unit }: LengthLimit): number =>
  unit === 'bytes' ? Buffer.byteLength(text) : unit === 'utf16' ? text.length : [...text].length;

const tag = (stem: string, kind: Entry['kind'], whole: string): string => {
  const { stem: own, extension } = kind === 'file' ? splitExtension(stem) : { stem, extension: '' };
  return `${own}${nameTag(whole)}${extension}`;
};
/** Returns a tag that distinguishes names made from different ones. */
export const nameTag = (whole: string): string => `~${hash('sha256', whole, 'hex').slice(0, 8)}`;

/** Returns the longest beginning for which there is room, with a tag and the extension; '' without room for one character. */
function shortened(name: string, kind: Entry['kind'], room: LengthLimit, whole: string): string {
  const { stem, extension } = kind === 'file' ? splitExtension(name) : { stem: name, extension: '' };
  const end = `${nameTag(whole)}${extension}`;
  let left = room.most - lengthOf(end, room);
  let kept = '';
  for (const character of stem) {
    left -= lengthOf(character, room);
    if (left < 0) break;
    kept += character;
  }
  return kept === '' ? '' : kept + end;
}

/** Changes only the last character of a forbidden sequence, which is enough. */
const withSimilarEnd = (found: string): string => found.replace(/.$/su, similar);

/**
 * Returns a character that looks alike: the full-width form of ASCII (Unicode block "Halfwidth and Fullwidth Forms"), the picture of a
 * control character or a blank ("Control Pictures"); `_` for others.
 */
function similar(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code <= 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return code < 0x7f ? String.fromCodePoint(0xfee0 + code) : '_';
}
