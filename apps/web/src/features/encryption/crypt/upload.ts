import { CallError, isFault } from '#/lib/http/call-error.ts';
import { metadataOf, tusRequests } from '#/lib/uploads/put-in-pieces.ts';
import { askWorker } from './client.ts';

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
 * Encrypts a file in the worker and sends it piece by piece. After a cut it goes on where the server says, with the same file and nonce; after a
 * reload the file has to be sent anew, because its nonce is gone with the page. Resolves with the nonce, in base64.
 */
export async function uploadSealed(
  vaultId: string,
  file: File,
  { parentLinkUri, name, conflict, onSent, signal }: Options,
): Promise<string> {
  const { uploadId: sealing, size, nonce } = await askWorker('beginUpload', { vaultId, file });
  let tusId: string | undefined;
  let failures = 0;
  try {
    for (let offset = -1; offset < size;) {
      try {
        if (tusId === undefined) {
          const metadata = metadataOf({ parentLinkUri, name, conflict, modified: String(file.lastModified) });
          const begun = await tusRequests.create(size, metadata, signal);
          [tusId, offset] = [begun.uploadId, begun.offset];
        } else if (offset === -1) ({ offset } = await tusRequests.state(tusId, signal));
        while (offset < size) {
          const at = offset;
          const bytes = new Blob([await askWorker('sealRange', { uploadId: sealing, start: at, end: Math.min(size, at + pieceSize) })]);
          ({ offset } = await tusRequests.send({ uploadId: tusId, offset: at, bytes, onSent: (sent) => onSent(at + sent, size), signal }));
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
    return nonce;
  } catch (error) {
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
