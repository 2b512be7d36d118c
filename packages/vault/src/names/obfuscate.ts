/** The `obfuscate` mode of rclone: rotates characters within their kind. It hides names from casual looks only; it is not encryption. */

const quote = '!';

interface Kind {
  readonly first: number;
  readonly count: number;
  readonly distance: (rotation: number) => number;
}
const kindOf = (code: number): Kind | undefined => {
  if (code >= 48 && code <= 57) return { first: 48, count: 10, distance: (rotation) => (rotation % 9) + 1 };
  if (code >= 0xa0 && code <= 0xff) return { first: 0xa0, count: 96, distance: (rotation) => (rotation % 95) + 1 };
  if (code >= 0x100) return { first: code - (code % 256), count: 256, distance: (rotation) => (rotation % 127) + 1 };
  return undefined;
};
/** Index of a letter in A to Z, a to z. */
const letterAt = (code: number): number | undefined => {
  if (code >= 65 && code <= 90) return code - 65;
  if (code >= 97 && code <= 122) return code - 97 + 26;
  return undefined;
};
const letterOf = (position: number): number => (position < 26 ? 65 + position : 97 + position - 26);
const isValid = (code: number): boolean => code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);

const sumOf = (numbers: Iterable<number>): number => {
  let sum = 0;
  for (const number of numbers) sum += number;
  return sum;
};
const codesOf = (text: string): number[] => [...text].map((letter) => letter.codePointAt(0) ?? 0);

/** Returns the rotated code point; `direction` 1 hides, -1 reveals. Undefined if the result is not a character. */
function moved(code: number, rotation: number, direction: 1 | -1): number | undefined {
  const letter = letterAt(code);
  if (letter !== undefined) return letterOf((letter + direction * ((rotation % 25) + 1) + 52) % 52);
  const kind = kindOf(code);
  if (!kind) return code;
  const result = kind.first + ((code - kind.first + direction * kind.distance(rotation) + kind.count) % kind.count);
  return isValid(result) ? result : undefined;
}

/** Obfuscates a name. `keySum`: sum of the bytes of the name key. */
export function obfuscate(name: string, keySum: number): string {
  if (name === '') return '';
  const codes = codesOf(name);
  const told = sumOf(codes) % 256;
  const hidden = codes.map((code) => {
    const letter = String.fromCodePoint(code);
    if (letter === quote) return quote + quote;
    const result = moved(code, told + keySum, 1);
    return result === undefined ? quote + letter : String.fromCodePoint(result);
  });
  return `${told}.${hidden.join('')}`;
}

/** Returns undefined for a name that is not obfuscated. */
export function reveal(name: string, keySum: number): string | undefined {
  if (name === '') return '';
  const dot = name.indexOf('.');
  const [told, hidden] = [name.slice(0, Math.max(dot, 0)), name.slice(dot + 1)];
  // rclone marks names that are not UTF-8 this way, and leaves them clear.
  if (told === quote) return hidden;
  if (dot === -1 || !/^\d+$/.test(told)) return undefined;
  let isQuoted = false;
  let text = '';
  for (const letter of hidden) {
    if (!isQuoted && letter === quote) isQuoted = true;
    else {
      text += isQuoted ? letter : String.fromCodePoint(moved(letter.codePointAt(0) ?? 0, Number(told) + keySum, -1) ?? 0xfffd);
      isQuoted = false;
    }
  }
  return text;
}
