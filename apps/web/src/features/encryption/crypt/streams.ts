import { WordedError, errorText } from '#/lib/http/error-text.ts';
import { saveFile } from '#/lib/http/send-for-file.ts';
import { notifyError } from '#/ui/feedback/notify.ts';
import { failureSentence, askWorker } from './client.ts';
import type { PieceAnswer } from './open-range.ts';

/** A file of an open vault. */
export interface VaultFile {
  readonly vaultId: string;
  /** Where its encrypted bytes are fetched from. */
  readonly address: string;
  readonly name: string;
  /** Bytes of the encrypted and of the clear file. */
  readonly sealedSize: number;
  readonly size: number;
  readonly mimeType: string;
  /** Base64 of the nonce of the content that is meant; with another one reading fails. */
  readonly nonce?: string;
}

/** A download that this page makes piece by piece, such as a zip. */
export interface MadeFile {
  readonly name: string;
  readonly size: number;
  readonly read: () => AsyncGenerator<Uint8Array<ArrayBuffer>>;
}

/** Files that the service worker may ask for, by the random last part of their address. */
const files = new Map<string, VaultFile | MadeFile>();
const prefix = '/vault-stream/';

let ready: Promise<boolean> | undefined;

/** Whether a service worker answers for this page; false where browsers allow none, such as on plain http. */
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
  // A service worker that hears nothing for half a minute is ended by the browser, together with what it streams.
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
    // Refused by the browser's settings: files are then read into memory.
    return false;
  }
}

/** Answers each message of the port with the next piece. */
function sendMade({ name, size, read }: MadeFile, port: MessagePort): void {
  const pieces = read();
  port.onmessage = ({ data }: MessageEvent<'next' | 'cancel'>) => {
    if (data === 'cancel') return void pieces.return(undefined);
    pieces.next().then(
      ({ done, value }) => port.postMessage(done === true ? { end: true } : { bytes: value }),
      (error: unknown) => {
        notifyError(`"${name}" could not be saved. ${errorText(error)}`);
        port.postMessage({ failure: 'unreadable' });
      },
    );
  };
  port.postMessage({ size, mimeType: 'application/octet-stream', name });
}

/** An address of the clear file, for media and downloads of this page; undefined where the browser cannot stream. */
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

/** Most bytes that are read into memory where the browser cannot stream. */
export const mostInMemory = 512 * 1024 * 1024;

/** The clear file, piece by piece. Rejects with a WordedError for a damaged file. */
export async function* piecesOf(file: VaultFile): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const { port1, port2 } = new MessageChannel();
  await askWorker('openRange', rangeOf(file, 0, file.size, port2), [port2]);
  try {
    for (;;) {
      const answer = await new Promise<PieceAnswer>((resolve) => {
        port1.onmessage = ({ data }: MessageEvent<PieceAnswer>) => resolve(data);
        port1.postMessage('next');
      });
      if ('failure' in answer) throw new WordedError(failureSentence(answer.failure));
      if ('end' in answer) return;
      yield answer.bytes as Uint8Array<ArrayBuffer>;
    }
  } finally {
    port1.postMessage('cancel');
    port1.close();
  }
}

/** The clear file as a whole. Rejects with a WordedError for a damaged file, or one beyond `most` bytes. */
export const readWhole = (file: VaultFile, most = mostInMemory): Promise<Blob> => collect(file.size, piecesOf(file), most, file.mimeType);

async function collect(size: number, pieces: AsyncIterable<Uint8Array<ArrayBuffer>>, most: number, type: string): Promise<Blob> {
  if (size > most) throw new WordedError('This file is too large to be opened here.');
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of pieces) parts.push(piece);
  return new Blob(parts, { type });
}

/** Saves a file that this page makes. */
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

/** A link that downloads would pass by the service worker; a frame asks it, and its answer is a download. */
function downloadStream(address: string): void {
  const frame = document.createElement('iframe');
  frame.hidden = true;
  frame.src = address;
  document.body.append(frame);
  // A frame that is removed at once may never have asked.
  setTimeout(() => frame.remove(), 60_000);
}
