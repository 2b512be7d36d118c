import { type ConflictRule, upload } from '@sheaf/contract';
import { errorOfAnswer, faultError } from '#/lib/http/call-error.ts';
import { rTag } from '#/lib/http/cookie.ts';
import { withQuery } from '#/lib/http/form-body.ts';

/** Target of a file, and what to do when its name is taken. */
export interface Destination {
  readonly parentLinkUri: string;
  readonly name: string;
  readonly conflict: ConflictRule;
  /** Identifies this try in questions about its progress. */
  readonly uploadId: string;
  /** By which what the file replaces comes back. */
  readonly undoId?: string;
  /** An upload that has begun at the server and is to be continued. */
  readonly continued?: string | undefined;
}

/** What is told while a file is sent. */
export interface PutHooks {
  /** Bytes that have left the browser. */
  readonly sent: (bytes: number) => void;
  /** The server has given the upload this id, by which it can be continued. */
  readonly begun: (uploadId: string) => void;
  /** The file has replaced another one, which comes back by this id. */
  readonly replaced?: (undoId: string) => void;
  /** The connection is cut, and the upload goes on as soon as it is back; or it does. */
  readonly held: (isHeld: boolean) => void;
}

/** Sends a file. */
export type PutFile = (file: File, destination: Destination, hooks: PutHooks, signal: AbortSignal) => Promise<unknown>;

/** Sends the file as the body of one request. XMLHttpRequest, because fetch reports no upload progress. */
export const putWhole: PutFile = (file, { parentLinkUri, name, conflict, uploadId, undoId }, hooks, signal) =>
  new Promise<void>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(upload.method, withQuery(upload.path, { parentLinkUri, name, conflict, uploadId, modified: file.lastModified, undoId }));
    request.setRequestHeader('x-rtag', rTag());
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.responseType = 'json';
    request.upload.addEventListener('progress', ({ loaded }) => hooks.sent(loaded));
    request.addEventListener('load', () => {
      const answer = request.response as { data?: unknown } | null;
      if (request.status === 200 && answer?.data !== undefined) {
        const { undoId: made } = answer.data as { undoId?: string };
        if (made !== undefined) hooks.replaced?.(made);
        resolve();
      } else reject(errorOfAnswer(answer));
    });
    request.addEventListener('error', () => reject(faultError('noResponse')));
    request.addEventListener('abort', () => reject(new DOMException('The upload was cancelled.', 'AbortError')));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(file);
  });
