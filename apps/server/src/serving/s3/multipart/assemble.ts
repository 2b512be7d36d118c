import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { type Connector, joinPath } from '@sheaf/connectors';
import { streamOf } from '#/files/transfers/copying/body-stream.ts';
import { S3Error } from '../errors.ts';
import type { PartRow } from './store.ts';

/**
 * Joins the bytes of parts. The MD5 of each part is checked before the next one begins and before the stream ends. A part is opened when its turn
 * comes.
 */
export function assembled(connector: Connector, folder: string, parts: readonly PartRow[], signal: AbortSignal) {
  let failure: unknown;
  async function* bytes(): AsyncGenerator<Buffer> {
    let held: Buffer | undefined;
    try {
      for (const { file, size, etag } of parts) {
        const hash = createHash('md5');
        if (size > 0) {
          const body = await connector.read(joinPath(folder, file), { signal, known: { size } });
          for await (const chunk of streamOf(body, () => undefined) as AsyncIterable<Buffer>) {
            hash.update(chunk);
            // The last bytes are held until the checksum of their part is right.
            if (held) yield held;
            held = chunk;
          }
        }
        if (hash.digest('hex') !== etag) throw new S3Error('InternalError', 'The storage has changed the bytes of a part.');
      }
      if (held) yield held;
    } catch (error) {
      failure = error;
      throw error;
    }
  }
  const body = Readable.from(bytes(), { objectMode: false });
  body.on('error', () => undefined);
  return { body, failure: (): unknown => failure };
}
