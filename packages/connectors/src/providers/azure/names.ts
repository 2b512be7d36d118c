/**
 * Azure takes `\` for `/`, refuses control characters and drops dots at the end of a name's parts. Where a name has one of these, its blob has U+241B and the
 * character's code in two hexadecimal digits instead; a U+241B that would read as such is doubled. Every other character stands for itself.
 * https://learn.microsoft.com/rest/api/storageservices/naming-and-referencing-containers--blobs--and-metadata#blob-names
 */
const mark = '\u241b';

/** As strings, because the source of a regular expression holds no control characters. */
const controls = '\\u0000-\\u001f\\u007f';
const unfit = `[\\\\${controls}]|\\.(?=\\/|$)`;
const toEncode = new RegExp(`${unfit}|${mark}(?=${mark}|[0-9A-F]{2}|${unfit})`, 'g');
const toDecode = new RegExp(`${mark}(${mark}|[0-9A-F]{2})`, 'g');

/** The name of the blob that holds a key. */
export const blobNameOf = (key: string): string =>
  key.replace(toEncode, (character) =>
    character === mark ? mark + mark : mark + character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0'),
  );

/** The key that a blob holds. */
export const keyOfBlob = (name: string): string =>
  name.replace(toDecode, (_, code: string) => (code === mark ? mark : String.fromCharCode(Number.parseInt(code, 16))));
