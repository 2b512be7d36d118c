import { Readable } from 'node:stream';
import type { CallOptions, Body } from '../../core/connector.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import { bodyOf, collect } from '../../kit/body/body.ts';
import { type OracleItem, pathOf } from './api.ts';
import type { Documents } from './documents.ts';

/** Maximum bytes of a thumbnail. */
const largest = 4 * 1024 * 1024;
/** Magic numbers of image formats, hexadecimal. */
const signatures: Readonly<Record<string, string>> = {
  '89504e47': 'image/png',
  ffd8ff: 'image/jpeg',
  '47494638': 'image/gif',
  '52494646': 'image/webp',
};

/** Returns the image of a document's first page in the only size available; Oracle does not send its media type. */
export async function readThumbnail({ api }: Documents, item: OracleItem, { signal }: CallOptions): Promise<Body> {
  try {
    const response = await api.send({ method: 'GET', url: `${pathOf(item)}/data/thumbnail`, headers: { accept: '*/*' }, signal });
    const body = response.body();
    if ((body.size ?? 0) > largest) {
      body.cancel();
      throw new ConnectorError('unsupported', 'the picture is too large for a small one');
    }
    const bytes = await collect(body, largest);
    const begin = bytes.toString('hex', 0, 4);
    const mimeType = Object.entries(signatures).find(([signature]) => begin.startsWith(signature))?.[1];
    if (mimeType === undefined) throw new ConnectorError('unsupported', 'no picture of a known kind');
    return bodyOf(Readable.from([bytes]), { size: bytes.length, entry: { mimeType } });
  } catch (error) {
    // The file exists: its thumbnail is missing.
    if (isKind(error, 'notFound')) throw new ConnectorError('unsupported', 'there is no picture of this file', { cause: error });
    throw error;
  }
}
