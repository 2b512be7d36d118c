import { characterEscapes } from '../../kit/xml/character-escapes.ts';

/**
 * Azure treats `\` as `/`, refuses control characters and drops trailing dots of path segments.
 * https://learn.microsoft.com/rest/api/storageservices/naming-and-referencing-containers--blobs--and-metadata#blob-names
 */
const escapes = characterEscapes({
  character: '(?:[\\\\\\u0001-\\u001f\\u007f]|\\.(?=\\/|$))',
  code: '(?:5C|0[1-9A-F]|1[\\dA-F]|7F|2E(?=\\/|$))',
});

/** Returns the blob name for a key. */
export const blobNameOf = escapes.encode;

/** Returns the key for a blob name. */
export const keyOfBlob = escapes.decode;
