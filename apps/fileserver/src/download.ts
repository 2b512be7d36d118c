import type { IncomingMessage, ServerResponse } from 'node:http';
import { etagOf } from './listing/entry.ts';
import type { Exported } from './listing/exported.ts';
import { Refusal } from './refusal.ts';
import type { Segments } from './wire-path.ts';
import { written } from './written.ts';

/** Bytes per read from the disk; a download uses two such buffers. */
const readSize = 1024 * 1024;

/** Sends a file's bytes, or the one requested range (RFC 9110, section 14). Ends the connection when the file shrinks meanwhile. */
export async function sendFile(exported: Exported, path: Segments, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { handle, stats } = await exported.openFile(path);
  try {
    const etag = etagOf(stats);
    const range = rangeOf(request, etag, stats.size);
    const { start, end } = range ?? { start: 0, end: stats.size };
    response.writeHead(range ? 206 : 200, {
      'content-type': 'application/octet-stream',
      'content-length': end - start,
      'accept-ranges': 'bytes',
      etag,
      'last-modified': new Date(stats.mtimeMs).toUTCString(),
      ...(range && { 'content-range': `bytes ${start}-${end - 1}/${stats.size}` }),
    });
    const buffers = [Buffer.allocUnsafeSlow(Math.min(readSize, end - start)), Buffer.allocUnsafeSlow(Math.min(readSize, end - start))];
    let writing: Promise<void> = Promise.resolve();
    for (let at = start, turn = 0; at < end && !response.destroyed; turn += 1) {
      const buffer = buffers[turn % 2] ?? Buffer.allocUnsafeSlow(readSize);
      const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, end - at), at);
      await writing;
      if (bytesRead === 0) {
        response.destroy();
        return;
      }
      writing = written(response, buffer.subarray(0, bytesRead));
      at += bytesRead;
    }
    await writing;
    response.end();
  } finally {
    await handle.close();
  }
}

interface Span {
  readonly start: number;
  /** End of the range, exclusive. */
  readonly end: number;
}

/** RFC 9110, section 14.2: ignores anything but a single byte range, and a range of another version (section 13.1.5). */
function rangeOf({ headers }: IncomingMessage, etag: string, size: number): Span | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.range ?? '') ?? [];
  const ifRange = headers['if-range'];
  if ((first === '' && last === '') || (ifRange !== undefined && ifRange !== etag)) return undefined;
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1);
  if (start < end) return { start, end };
  throw new Refusal('badRange', 'the range begins past the end', { headers: { 'content-range': `bytes */${size}` } });
}
