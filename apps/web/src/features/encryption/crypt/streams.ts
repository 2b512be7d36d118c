import { WordedError } from '#/lib/http/error-text.ts';
import { failureSentence, askWorker } from './client.ts';
import type { PieceAnswer } from './open-range.ts';

/** A file of an open vault. */
export interface VaultFile {
  readonly vaultId: string;
  readonly linkUri: string;
  readonly name: string;
  /** Bytes of the encrypted and of the clear file. */
  readonly sealedSize: number;
  readonly size: number;
  readonly mimeType: string;
}

/** Files that the service worker may ask for, by the random last part of their address. */
const files = new Map<string, VaultFile>();
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
    const { vaultId, linkUri, sealedSize, size, mimeType, name } = file;
    port.postMessage({ size, mimeType, name });
    void askWorker('openRange', { vaultId, linkUri, size: sealedSize, start: data.start, end: data.end ?? size, port }, [port]).catch(
      () => undefined,
    );
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

/** An address of the clear file, for media and downloads of this page; undefined where the browser cannot stream. */
export async function streamOf(file: VaultFile): Promise<string | undefined> {
  if (!(await streamsAreReady())) return undefined;
  const token = crypto.randomUUID();
  files.set(token, file);
  return `${prefix}${token}`;
}

/** Most bytes that are read into memory where the browser cannot stream. */
export const mostInMemory = 512 * 1024 * 1024;

/** The clear file as a whole. Rejects with a WordedError for a damaged file, or one beyond `most` bytes. */
export async function readWhole({ vaultId, linkUri, sealedSize, size, mimeType }: VaultFile, most = mostInMemory): Promise<Blob> {
  if (size > most) throw new WordedError('This file is too large to be opened here.');
  const { port1, port2 } = new MessageChannel();
  await askWorker('openRange', { vaultId, linkUri, size: sealedSize, start: 0, end: size, port: port2 }, [port2]);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (;;) {
    const answer = await new Promise<PieceAnswer>((resolve) => {
      port1.onmessage = ({ data }: MessageEvent<PieceAnswer>) => resolve(data);
      port1.postMessage('next');
    });
    if ('failure' in answer) throw new WordedError(failureSentence(answer.failure));
    if ('end' in answer) return new Blob(parts, { type: mimeType });
    parts.push(answer.bytes as Uint8Array<ArrayBuffer>);
  }
}

/** Saves a clear file on this device. */
export async function download(file: VaultFile): Promise<void> {
  const address = await streamOf(file);
  if (address !== undefined) return downloadStream(`${address}?download`);
  const url = URL.createObjectURL(await readWhole(file));
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = file.name;
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
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
