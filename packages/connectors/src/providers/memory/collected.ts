import type { Readable } from 'node:stream';
import { ConnectorError } from '../../core/error.ts';
import { startSending } from '../../kit/body/upload-meter.ts';

/** Reads the whole body. Aborts at once, even while the body's source hangs. */
export function collected(body: Readable, signal: AbortSignal): Promise<Buffer> {
  const sending = startSending();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const stop = () => {
      reject(new ConnectorError('aborted', 'given up'));
      body.destroy();
    };
    const broken = (cause?: unknown) => reject(new ConnectorError('interrupted', 'the body broke off', { cause }));
    signal.addEventListener('abort', stop, { once: true });
    body.on('data', (chunk: Uint8Array | string) => {
      const bytes = Buffer.from(chunk);
      chunks.push(bytes);
      sending.add(bytes.byteLength);
    });
    body.once('end', () => resolve(Buffer.concat(chunks)));
    body.once('error', broken);
    body.once('close', () => {
      signal.removeEventListener('abort', stop);
      broken();
    });
  });
}
