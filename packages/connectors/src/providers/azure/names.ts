import { characterEscapes } from '../../kit/xml/character-escapes.ts';

/**
 * Azure takes `\` for `/`, refuses control characters and drops dots at the end of a name's parts.
 * https://learn.microsoft.com/rest/api/storageservices/naming-and-referencing-containers--blobs--and-metadata#blob-names
 */
const escapes = characterEscapes({
  character: '(?:[\\\\\\u0001-\\u001f\\u007f]|\\.(?=\\/|$))',
  code: '(?:5C|0[1-9A-F]|1[\\dA-F]|7F|2E(?=\\/|$))',
});

/** The name of the blob that holds a key. */
export const blobNameOf = escapes.encode;

/** The key that a blob holds. */
export const keyOfBlob = escapes.decode;
