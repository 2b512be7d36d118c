import { CallError, isFault } from '#/lib/http/call-error.ts';
import { metadataOf, tusRequests } from '#/lib/uploads/put-in-pieces.ts';
import { askWorker } from './client.ts';
import type { VaultFile } from './streams.ts';
import { forgetUpload, keepUpload, keptUpload } from './upload-notes.ts';

/** Encrypted bytes of one request. */
const pieceSize = 16 * 1024 * 1024;
const mostFailures = 8;

interface Options {
  readonly parentLinkUri: string;
  /** As the storage sees it. */
  readonly name: string;
  readonly conflict: 'fail' | 'replace';
  /** Encrypted bytes that have left the browser, and all of them. */
  readonly onSent: (sent: number, size: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Encrypts a file in the worker and sends it piece by piece. After a cut it goes on where the server says, with the same file and nonce; after a reload,
 * too, if the same file is chosen again. Resolves with the nonce, in base64.
 */
export async function uploadSealed(vaultId: string, source: File | VaultFile, options: Options): Promise<string> {
  const place = { vaultId, parentLinkUri: options.parentLinkUri, name: options.name };
  if (!(source instanceof File) || !('locks' in navigator)) return send(vaultId, source, options, false);
  // Two pages must not go on with one upload.
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
          const { bytes, note } = await askWorker('sealRange', { uploadId: sealing, start: at, end: Math.min(size, at + pieceSize) });
          // Before the bytes leave: what a later page encrypts under the nonce is compared with all that left.
          if (isKept && note !== undefined) keepUpload(place, { tusId, note });
          const piece = {
            uploadId: tusId,
            offset: at,
            bytes: new Blob([bytes]),
            onSent: (sent: number) => onSent(at + sent, size),
            signal,
          };
          ({ offset } = await tusRequests.send(piece));
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
  (error instanceof CallError &&
    (['TRANSFER_STATE', 'TRANSFER_GONE', 'TRANSFER_CUT', 'SOURCE_TIMEOUT', 'SOURCE_BUSY', 'LINK_BUSY'] as const).some((code) =>
      error.is(code),
    ));
