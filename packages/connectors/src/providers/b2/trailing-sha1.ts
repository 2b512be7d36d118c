import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { lendLike } from '../../kit/body/body-memory.ts';
import type { Part } from '../../kit/object-store/upload-parts.ts';

/** Length of a hexadecimal SHA-1 appended to a streamed body. */
const digits = 40;

export const isStream = (body: Part['body']): body is Readable => body instanceof Readable;

/**
 * Returns the part with its SHA-1: in a header when it is in memory, appended to the bytes when it is streamed. Call `sha1` only after all
 * bytes were sent. https://www.backblaze.com/apidocs/b2-upload-file
 */
export function withSha1({ body, size }: Part) {
  const hash = createHash('sha1');
  if (!isStream(body)) {
    const told = hash.update(body).digest('hex');
    return { body, size, headers: { 'x-bz-content-sha1': told }, sha1: () => told };
  }
  let told = '';
  async function* followed(source: Readable): AsyncGenerator<Uint8Array> {
    for await (const chunk of source as AsyncIterable<Uint8Array>) {
      hash.update(chunk);
      yield chunk;
    }
    told = hash.digest('hex');
    yield Buffer.from(told);
  }
  const stream = lendLike(Readable.from(followed(body), { objectMode: false }), body);
  stream.on('close', () => body.destroy());
  return { body: stream, size: size + digits, headers: { 'x-bz-content-sha1': 'hex_digits_at_end' }, sha1: () => told };
}
