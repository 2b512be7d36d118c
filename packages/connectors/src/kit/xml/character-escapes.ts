/** U+241B, "symbol for escape". */
const mark = '\u241b';

/** Which characters are escaped, as sources of regular expressions. */
interface Unfit {
  /** One character, up to U+00FF, that the store refuses or changes. */
  readonly character: string;
  /** The codes of exactly these characters but NUL, which no name can have. No other code is decoded: an escape must never become a slash. */
  readonly code: string;
}

/**
 * Keeps characters that a store refuses or changes out of its keys: each is written as U+241B and its code in two hexadecimal digits; a U+241B that would
 * read as such is doubled. Every other character stands for itself.
 */
export function characterEscapes({ character: unfit, code: codes }: Unfit): {
  readonly encode: (key: string) => string;
  readonly decode: (stored: string) => string;
} {
  const toEncode = new RegExp(`${unfit}|${mark}(?=${mark}|${codes}|${unfit})`, 'g');
  const toDecode = new RegExp(`${mark}(${mark}|${codes})`, 'g');
  return {
    encode: (key) =>
      key.replace(toEncode, (character) =>
        character === mark ? mark + mark : mark + character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0'),
      ),
    decode: (stored) =>
      stored.replace(toDecode, (_, code: string) => (code === mark ? mark : String.fromCharCode(Number.parseInt(code, 16)))),
  };
}
