import { WordedError, errorText } from '#/lib/http/error-text.ts';
import { saveFile } from '#/lib/http/send-for-file.ts';
import { notifyError } from '#/ui/feedback/notify.ts';
import { failureSentence, askWorker } from './client.ts';
import type { PieceAnswer, PieceRequest } from './open-range.ts';

/** A file of an open vault. */
export interface VaultFile {
  readonly vaultId: string;
  /** Address of its encrypted bytes. */
  readonly address: string;
  readonly name: string;
  /** Sizes of the encrypted and the clear file, in bytes. */
  readonly sealedSize: number;
  readonly size: number;
  readonly mimeType: string;
  /** Nonce (base64) of the expected content; reading other content fails. */
  readonly nonce?: string;
}

/** A download that this page generates piece by piece, such as a zip. */
export interface MadeFile {
  readonly name: string;
  readonly size: number;
  readonly read: () => AsyncGenerator<Uint8Array<ArrayBuffer>>;
}

/** Files that the service worker may request, by the random last segment of their address. */
const files = new Map<string, VaultFile | MadeFile>();
const prefix = '/vault-stream/';

let ready: Promise<boolean> | undefined;

/** Whether a service worker controls this page; false where browsers allow none, such as over plain HTTP. */
function streamsAreReady(): Promise<boolean> {
  ready ??= begin();
  return ready;
}

async function begin(): Promise<boolean> {
  const container = (navigator as { serviceWorker?: ServiceWorkerContainer }).serviceWorker;
  if (!container) return false;
  container.addEventListener('message', ({ data, ports: [port] }: MessageEvent<{ token: string; start: number; end: number | null }>) => {
    const file = files.get(data.token);
    if (!port) return;
    if (!file) return port.postMessage({ missing: true });
    if ('read' in file) return sendMade(file, port);
    const { size, mimeType, name } = file;
    port.postMessage({ size, mimeType, name });
    void askWorker('openRange', rangeOf(file, data.start, data.end ?? size, port), [port]).catch(() => undefined);
  });
  container.startMessages();
  // Browsers stop a service worker, and its streams, after 30 seconds without a message.
  setInterval(() => files.size > 0 && container.controller?.postMessage('go on'), 10_000);
  try {
    await container.register('/vault-service.js');
    await container.ready;
    if (container.controller) return true;
    return await new Promise((resolve) => {
      container.addEventListener('controllerchange', () => resolve(true), { once: true });
      setTimeout(() => resolve(container.controller !== null), 5000);
    });
  } catch {
    // The browser's settings forbid service workers: files are then read into memory.
    return false;
  }
}

/** Answers each request of the port with the next piece, copied to the buffer that came with the request. */
function sendMade({ name, size, read }: MadeFile, port: MessagePort): void {
  const pieces = read();
  port.onmessage = ({ data }: MessageEvent<PieceRequest>) => {
    if (data === 'cancel') return void pieces.return(undefined);
    const { room } = data;
    pieces.next().then(
      ({ done, value }) => {
        if (done === true) return port.postMessage({ end: true });
        const bytes = new Uint8Array(room && room.byteLength >= value.length ? room : new ArrayBuffer(value.length), 0, value.length);
        bytes.set(value);
        port.postMessage({ bytes }, [bytes.buffer]);
      },
      (error: unknown) => {
        notifyError(`"${name}" could not be saved. ${errorText(error)}`);
        port.postMessage({ failure: 'unreadable' });
      },
    );
  };
  port.postMessage({ size, mimeType: 'application/octet-stream', name });
}

/** Returns an address of the clear file, for media and downloads of this page; undefined if the browser cannot stream. */
export async function streamOf(file: VaultFile): Promise<string | undefined> {
  if (!(await streamsAreReady())) return undefined;
  const token = crypto.randomUUID();
  files.set(token, file);
  return `${prefix}${token}`;
}

const rangeOf = ({ vaultId, address, sealedSize, nonce }: VaultFile, start: number, end: number, port: MessagePort) => ({
  vaultId,
  address,
  size: sealedSize,
  start,
  end,
  port,
  ...(nonce !== undefined && { nonce }),
});

/** Maximum bytes read into memory if the browser cannot stream. */
export const mostInMemory = 512 * 1024 * 1024;

/** Streams the clear file. A piece is valid only until the next one is requested. Rejects with a WordedError for a damaged file. */
export async function* piecesOf(file: VaultFile): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const { port1, port2 } = new MessageChannel();
  await askWorker('openRange', rangeOf(file, 0, file.size, port2), [port2]);
  const send = (request: PieceRequest, transfer: Transferable[] = []): void => port1.postMessage(request, transfer);
  try {
    for (let room: ArrayBuffer | undefined; ;) {
      const answer = await new Promise<PieceAnswer>((resolve) => {
        port1.onmessage = ({ data }: MessageEvent<PieceAnswer>) => resolve(data);
        send({ room }, room ? [room] : []);
      });
      if ('failure' in answer) throw new WordedError(failureSentence(answer.failure));
      if ('end' in answer) return;
      yield answer.bytes;
      room = answer.bytes.buffer;
    }
  } finally {
    send('cancel');
    port1.close();
  }
}

/** Reads the clear file into memory. Rejects with a WordedError for a damaged file, or one above `most` bytes. */
export const readWhole = (file: VaultFile, most = mostInMemory): Promise<Blob> => collect(file.size, piecesOf(file), most, file.mimeType);

async function collect(size: number, pieces: AsyncIterable<Uint8Array<ArrayBuffer>>, most: number, type: string): Promise<Blob> {
  if (size > most) throw new WordedError('This file is too large to be opened here.');
  const whole = new Uint8Array(size);
  let filled = 0;
  for await (const piece of pieces) {
    whole.set(piece, filled);
    filled += piece.length;
  }
  return new Blob([whole.subarray(0, filled)], { type });
}

/** Saves a file that this page generates. */
export async function downloadPieces(made: MadeFile): Promise<void> {
  if (!(await streamsAreReady())) return saveFile(await collect(made.size, made.read(), mostInMemory, 'application/zip'), made.name);
  const token = crypto.randomUUID();
  files.set(token, made);
  downloadStream(`${prefix}${token}?download`);
}

/** Saves a clear file on this device. */
export async function download(file: VaultFile): Promise<void> {
  const address = await streamOf(file);
  if (address !== undefined) return downloadStream(`${address}?download`);
  saveFile(await readWhole(file), file.name);
}

/** Starts a download in a frame: a link with `download` would bypass the service worker. */
function downloadStream(address: string): void {
  const frame = document.createElement('iframe');
  frame.hidden = true;
  frame.src = address;
  document.body.append(frame);
  // Removed immediately, the frame might never send its request.
  setTimeout(() => frame.remove(), 60_000);
}
