import { tus } from '@sheaf/contract';
import { faultError } from '#/lib/http/call-error.ts';
import { type TusAnswer, answerOf, pieceHeaders, uploadAddress } from '#/lib/uploads/put-in-pieces.ts';

/** Message to the worker: it sends the first `length` bytes of the buffer. */
export interface Sending {
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly room: ArrayBuffer;
  readonly length: number;
}
/** Messages of the worker: the buffer, returned immediately; the bytes sent so far; the result. */
export type Told =
  | { readonly room: ArrayBuffer }
  | { readonly sent: number }
  | { readonly status: number; readonly headers: string; readonly body: unknown }
  | { readonly isFault: true };

interface Piece {
  readonly uploadId: string;
  readonly offset: number;
  readonly room: ArrayBuffer;
  readonly length: number;
  /** Called when the buffer can be reused. */
  readonly onRoom: (room: ArrayBuffer) => void;
  readonly onSent: (bytes: number) => void;
  readonly signal: AbortSignal;
}

/** Sends bytes of an upload in a separate worker. Rejects with a CallError. */
export function sendApart({ uploadId, offset, room, length, onRoom, onSent, signal }: Piece): Promise<TusAnswer> {
  const worker = new Worker(new URL('./send-worker.ts', import.meta.url), { type: 'module', name: 'vault upload' });
  const over = new AbortController();
  const answered = new Promise<TusAnswer>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<Told>) => {
      if ('room' in data) onRoom(data.room);
      else if ('sent' in data) onSent(data.sent);
      else if ('isFault' in data) reject(faultError('noResponse'));
      else {
        const headers = new Headers(data.headers.split('\r\n').flatMap((line) => headerOf(line)));
        try {
          resolve(answerOf(data.status, (name) => headers.get(name), data.body));
        } catch (error) {
          reject(error as Error);
        }
      }
    });
    worker.addEventListener('error', () => reject(faultError('noResponse')));
    signal.addEventListener('abort', () => reject(new DOMException('The upload was cancelled.', 'AbortError')), { signal: over.signal });
    const headers = pieceHeaders(offset);
    worker.postMessage({ address: uploadAddress(tus.path, uploadId), headers, room, length } satisfies Sending, [room]);
  });
  // Terminating the worker also aborts its request.
  return answered.finally(() => {
    over.abort();
    worker.terminate();
  });
}

function headerOf(line: string): [name: string, value: string][] {
  const at = line.indexOf(':');
  return at < 1 ? [] : [[line.slice(0, at), line.slice(at + 1).trim()]];
}
