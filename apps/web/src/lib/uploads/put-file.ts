import { type ConflictRule, type Item, upload } from '@sheaf/contract';
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
}

/** Sends a file; calls `onSent` with the bytes that have left the browser. */
export type PutFile = (file: File, destination: Destination, onSent: (bytes: number) => void, signal: AbortSignal) => Promise<Item>;

/** Sends the file as the body of one request. XMLHttpRequest, because fetch reports no upload progress. */
export const putFile: PutFile = (file, destination, onSent, signal) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(upload.method, withQuery(upload.path, { ...destination, modified: file.lastModified }));
    request.setRequestHeader('x-rtag', rTag());
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.responseType = 'json';
    request.upload.addEventListener('progress', ({ loaded }) => onSent(loaded));
    request.addEventListener('load', () => {
      const answer = request.response as { data?: Item } | null;
      if (request.status === 200 && answer?.data) resolve(answer.data);
      else reject(errorOfAnswer(answer));
    });
    request.addEventListener('error', () => reject(faultError('noResponse')));
    request.addEventListener('abort', () => reject(new DOMException('The upload was cancelled.', 'AbortError')));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(file);
  });
