/** U+241B, "symbol for escape". */
const mark = '\u241b';

/**
 * Keeps characters that a store refuses or changes out of its keys: each is written as U+241B and its code in two hexadecimal digits; a U+241B that would
 * read as such is doubled. Every other character stands for itself. `unfit` is the source of a regular expression for one such character, up to U+00FF.
 */
export function characterEscapes(unfit: string): { readonly encode: (key: string) => string; readonly decode: (stored: string) => string } {
  const toEncode = new RegExp(`${unfit}|${mark}(?=${mark}|[0-9A-F]{2}|${unfit})`, 'g');
  const toDecode = new RegExp(`${mark}(${mark}|[0-9A-F]{2})`, 'g');
  return {
    encode: (key) =>
      key.replace(toEncode, (character) =>
        character === mark ? mark + mark : mark + character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0'),
      ),
    decode: (stored) =>
      stored.replace(toDecode, (_, code: string) => (code === mark ? mark : String.fromCharCode(Number.parseInt(code, 16)))),
  };
}
