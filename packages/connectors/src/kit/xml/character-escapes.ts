/** U+241B, "symbol for escape". */
const mark = '\u241b';

/** The escaped characters, as sources of regular expressions. */
interface Unfit {
  /** Matches one character, up to U+00FF, that the store refuses or changes. */
  readonly character: string;
  /**
   * Matches the codes of exactly these characters except NUL, which no name can contain. Other codes are not decoded: an escape must never
   * become a slash.
   */
  readonly code: string;
}

/**
 * Replaces characters that a store refuses or changes in keys: writes each as U+241B and its code in two hexadecimal digits; doubles a
 * U+241B that would otherwise be read as an escape. Other characters are unchanged.
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
