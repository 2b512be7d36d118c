import { CallError, isFault } from '#/lib/http/call-error.ts';
import { passingRefusals } from '#/lib/http/passing.ts';
import { metadataOf, tusRequests } from '#/lib/uploads/put-in-pieces.ts';
import { askWorker } from '../crypt/client.ts';
import type { VaultFile } from '../crypt/streams.ts';
import { sendApart } from './send-apart.ts';
import { forgetUpload, keepUpload, keptUpload } from './upload-notes.ts';

/** Encrypted bytes of one request; one such buffer is in memory. */
const pieceSize = 16 * 1024 * 1024;
const mostFailures = 8;

interface Options {
  readonly parentLinkUri: string;
  /** Encrypted name. */
  readonly name: string;
  readonly conflict: 'fail' | 'replace';
  /** Called with the encrypted bytes sent so far, and in total. */
  readonly onSent: (sent: number, size: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Encrypts a file in the worker and sends it piece by piece. After a broken connection it resumes at the server's offset, with the same file and nonce;
 * after a reload too, if the same file is chosen again. Resolves with the nonce, in base64.
 */
export async function uploadSealed(vaultId: string, source: File | VaultFile, options: Options): Promise<string> {
  const place = { vaultId, parentLinkUri: options.parentLinkUri, name: options.name };
  if (!(source instanceof File) || !('locks' in navigator)) return send(vaultId, source, options, false);
  // Two pages must not resume the same upload.
  return navigator.locks.request(`vault upload ${JSON.stringify(place)}`, { ifAvailable: true }, (lock) =>
    send(vaultId, source, options, lock !== null),
  );
}

async function send(
  vaultId: string,
  source: File | VaultFile,
  { parentLinkUri, name, conflict, onSent, signal }: Options,
  isKept: boolean,
): Promise<string> {
  const place = { vaultId, parentLinkUri, name };
  const kept = isKept ? keptUpload(place) : undefined;
  const begun = await askWorker('beginUpload', { vaultId, source, ...(kept && { note: kept.note }) });
  const { uploadId: sealing, size, nonce } = begun;
  let tusId = begun.goesOn ? kept?.tusId : undefined;
  if (kept && !begun.goesOn) {
    forgetUpload(place);
    void tusRequests.end(kept.tusId).catch(() => undefined);
  }
  let failures = 0;
  /** One buffer is transferred to the worker and back for each piece. A new one each time would stay until garbage collection. */
  let room: ArrayBuffer | undefined;
  const sealed = (start: number, end: number) => {
    const lent = room ?? new ArrayBuffer(Math.min(size, pieceSize));
    room = undefined;
    return askWorker('sealRange', { uploadId: sealing, start, end, room: lent }, [lent]);
  };
  try {
    for (let offset = -1; offset < size;) {
      try {
        if (tusId === undefined) {
          const modified = source instanceof File ? { modified: String(source.lastModified) } : {};
          const created = await tusRequests.create(size, metadataOf({ parentLinkUri, name, conflict, ...modified }), signal);
          [tusId, offset] = [created.uploadId, created.offset];
        } else if (offset === -1) ({ offset } = await tusRequests.state(tusId, signal));
        while (offset < size) {
          const at = offset;
          const end = Math.min(size, at + pieceSize);
          const { room: filled, note } = await sealed(at, end);
          // Stored before the bytes are sent: a later page may reuse the nonce only for bytes that it can compare with all bytes sent.
          if (isKept && note !== undefined) keepUpload(place, { tusId, note });
          ({ offset } = await sendApart({
            uploadId: tusId,
            offset: at,
            room: filled,
            length: end - at,
            onRoom: (returned) => (room = returned),
            onSent: (sent) => onSent(at + sent, size),
            signal,
          }));
          failures = 0;
        }
      } catch (error) {
        signal.throwIfAborted();
        if (!mayPass(error) || ++failures > mostFailures) throw error;
        if (error instanceof CallError && error.is('TRANSFER_GONE')) tusId = undefined;
        offset = -1;
        await new Promise((resolve) => setTimeout(resolve, Math.min(20_000, 500 * 2 ** failures)));
      }
    }
    if (isKept) forgetUpload(place);
    return nonce;
  } catch (error) {
    if (isKept) forgetUpload(place);
    if (tusId !== undefined) void tusRequests.end(tusId).catch(() => undefined);
    throw error;
  } finally {
    void askWorker('endUpload', { uploadId: sealing });
  }
}

const mayPass = (error: unknown): boolean =>
  isFault(error) ||
  (error instanceof CallError && (['TRANSFER_STATE', 'TRANSFER_GONE', ...passingRefusals] as const).some((code) => error.is(code)));
