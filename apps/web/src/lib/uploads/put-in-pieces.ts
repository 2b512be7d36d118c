import { tus } from '@sheaf/contract';
import { passingRefusals } from '#/lib/http/passing.ts';
import { CallError, errorOfAnswer, faultError, isFault } from '../http/call-error.ts';
import { rTag } from '../http/cookie.ts';
import { WordedError, loadErrorRows } from '../http/error-text.ts';
import type { Destination, PutHooks } from './put-file.ts';

/** The answer to a request of the protocol; it has no body. */
export interface TusAnswer {
  readonly offset: number;
  /** Bytes of a part, where the storage can continue an upload. */
  readonly partSize: number | undefined;
  /** Only of a new upload. */
  readonly uploadId: string;
  /** Undo id of a finished upload, which restores the file that it replaced. */
  readonly undoId?: string;
}

/** The requests of tus 1.0; each rejects with a {@link CallError}. */
export interface TusRequests {
  create(size: number, metadata: string, signal: AbortSignal): Promise<TusAnswer>;
  state(uploadId: string, signal: AbortSignal): Promise<TusAnswer>;
  send(ask: SentPiece): Promise<TusAnswer>;
  /** Ends an upload; the storage removes what it has of it. */
  end(uploadId: string): Promise<void>;
}

interface SentPiece {
  readonly uploadId: string;
  readonly offset: number;
  readonly bytes: Blob;
  readonly onSent: (bytes: number) => void;
  readonly signal: AbortSignal;
}

interface Deps {
  readonly requests: TusRequests;
  readonly now: () => number;
  /** Resolves after those milliseconds, or as soon as the browser is online again; rejects when the signal aborts. */
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** Bytes of a request: enough that the time between two does not count, and a cut costs little. */
const pieceSize = 64 * 1024 * 1024;
/** Milliseconds between two tries, by their number. */
const pauses = [500, 1000, 2000, 5000, 10_000, 20_000] as const;
/** Milliseconds for which a server that does not answer is tried again, and how often one that refuses. */
const patience = 600_000;
const mostRefusals = 3;

/** Sends a file in requests that follow each other, and continues after a cut from the byte that the server names. */
export function createPutInPieces({ requests, now, pause }: Deps) {
  return async function putInPieces(file: File, destination: Destination, hooks: PutHooks, signal: AbortSignal): Promise<void> {
    let { continued: uploadId } = destination;
    let heardAt = now();
    let fails = 0;
    let refusals = 0;
    let isSent = false;
    /** Waits after a failure that may pass; throws any other. */
    const wait = async (error: unknown): Promise<void> => {
      signal.throwIfAborted();
      if (isFault(error) ? now() - heardAt > patience : ++refusals > mostRefusals || !mayPass(error)) throw error;
      await checkReadable(file);
      hooks.held(true);
      await pause(pauses[Math.min(fails++, pauses.length - 1)] ?? 0, signal);
    };
    const heard = (answer: TusAnswer, last: number): TusAnswer => {
      heardAt = now();
      if (answer.offset > last) [fails, refusals] = [0, 0];
      hooks.held(false);
      return answer;
    };

    try {
      for (let at = -1; !isSent;) {
        try {
          let answer = await begin(uploadId);
          uploadId = answer.uploadId;
          hooks.begun(uploadId);
          heard(answer, at);
          while (answer.offset < file.size) {
            at = answer.offset;
            const end = endOfPiece(answer, file.size);
            const bytes = file.slice(at, end);
            const onSent = (sent: number): void => hooks.sent(at + sent);
            answer = { ...answer, ...heard(await requests.send({ uploadId, offset: at, bytes, onSent, signal }), at), uploadId };
          }
          if (answer.undoId !== undefined) hooks.replaced?.(answer.undoId);
          isSent = true;
        } catch (error) {
          if (error instanceof CallError && error.is('TRANSFER_GONE')) uploadId = undefined;
          await wait(error);
        }
      }
    } catch (error) {
      if (signal.aborted && uploadId !== undefined) void requests.end(uploadId).catch(() => undefined);
      throw error;
    }

    async function begin(known: string | undefined): Promise<TusAnswer> {
      if (known !== undefined) return { ...(await requests.state(known, signal)), uploadId: known };
      const { parentLinkUri, name, conflict, undoId } = destination;
      const facts = { parentLinkUri, name, conflict, modified: String(file.lastModified), ...(undoId !== undefined && { undoId }) };
      return requests.create(file.size, metadataOf(facts), signal);
    }
  };
}

/** Whether a refusal may be over after a while: the upload has moved on, or the storage or a proxy is in trouble. */
const mayPass = (error: unknown): boolean =>
  error instanceof CallError && (['TRANSFER_STATE', 'TRANSFER_GONE', ...passingRefusals] as const).some((code) => error.is(code));

function endOfPiece({ offset, partSize = 0 }: TusAnswer, size: number): number {
  const most = partSize === 0 ? pieceSize : Math.max(1, Math.floor(pieceSize / partSize)) * partSize;
  return Math.min(size, (Math.floor(offset / most) + 1) * most);
}

/** A browser reports a file that it can no longer read like a broken connection. */
async function checkReadable(file: File): Promise<void> {
  try {
    await file.slice(0, 1).arrayBuffer();
  } catch (error) {
    throw new WordedError(`"${file.name}" has changed or is no longer there. Please choose it again.`, { cause: error });
  }
}

/** `Upload-Metadata`: base64 of UTF-8. */
export const metadataOf = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([key, value]) => `${key} ${btoa(String.fromCodePoint(...new TextEncoder().encode(value)))}`)
    .join(',');

const tusHeaders = (more: Readonly<Record<string, string>> = {}) => ({ 'tus-resumable': tus.version, 'x-rtag': rTag(), ...more });

/** Headers of a request that sends bytes. */
export const pieceHeaders = (offset: number): Readonly<Record<string, string>> =>
  tusHeaders({ 'content-type': tus.bodyType, 'upload-offset': String(offset) });
/** Where an upload at `path` takes its bytes. */
export const uploadAddress = (path: string, uploadId: string): string => `${path}/${encodeURIComponent(uploadId)}`;

/** Statuses by which proxies say that the server behind them does not answer. */
const behindProxy: readonly number[] = [502, 503, 504];

/** What an answer says. Throws CallError for a refusal. */
export function answerOf(status: number, header: (name: string) => string | null, body: unknown): TusAnswer {
  if (status >= 200 && status < 300) {
    const partSize = Number(header(tus.partSizeHeader) ?? 0);
    const uploadId = header('location')?.split('/').at(-1) ?? '';
    const undoId = header(tus.undoIdHeader);
    return {
      offset: Number(header('upload-offset') ?? 0),
      partSize: partSize > 0 ? partSize : undefined,
      uploadId,
      ...(undoId !== null && { undoId }),
    };
  }
  const error = errorOfAnswer(body);
  throw isFault(error) && behindProxy.includes(status) ? faultError('noResponse') : error;
}

async function ask(method: string, path: string, headers: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<TusAnswer> {
  let response: Response;
  try {
    response = await fetch(path, { method, headers: tusHeaders(headers), ...(signal && { signal }) });
  } catch (error) {
    signal?.throwIfAborted();
    throw faultError('noResponse', error);
  }
  // A refused HEAD has no body, so no sentence of its own either: its status tells that the upload has ended.
  if (!response.ok) await loadErrorRows();
  const body: unknown = response.ok ? undefined : await response.json().catch(() => undefined);
  if (response.status === 404 && body === undefined)
    throw new CallError({ errorCode: 796, messageCode: 'TRANSFER_GONE', message: '', details: {} });
  return answerOf(response.status, (name) => response.headers.get(name), body);
}

/** The requests as a browser sends them to uploads at `path`. XMLHttpRequest for the bytes, because fetch reports no upload progress. */
export const createTusRequests = (path: string): TusRequests => {
  const addressOf = (uploadId: string): string => uploadAddress(path, uploadId);
  return {
    create: (size, metadata, signal) => ask('POST', path, { 'upload-length': String(size), 'upload-metadata': metadata }, signal),
    state: (uploadId, signal) => ask('HEAD', addressOf(uploadId), {}, signal),
    end: async (uploadId) => void (await ask('DELETE', addressOf(uploadId), {})),
    send: ({ uploadId, offset, bytes, onSent, signal }) =>
      new Promise((resolve, reject) => {
        const request = new XMLHttpRequest();
        request.open('PATCH', addressOf(uploadId));
        for (const [name, value] of Object.entries(pieceHeaders(offset))) request.setRequestHeader(name, value);
        request.responseType = 'json';
        request.upload.addEventListener('progress', ({ loaded }) => onSent(loaded));
        request.addEventListener('load', () => {
          try {
            resolve(answerOf(request.status, (name) => request.getResponseHeader(name), request.response));
          } catch (error) {
            reject(error);
          }
        });
        request.addEventListener('error', () => reject(faultError('noResponse')));
        request.addEventListener('abort', () => reject(new DOMException('The upload was cancelled.', 'AbortError')));
        signal.addEventListener('abort', () => request.abort(), { once: true });
        request.send(bytes);
      }),
  };
};

/** The requests for files of the signed-in user. */
export const tusRequests = createTusRequests(tus.path);
