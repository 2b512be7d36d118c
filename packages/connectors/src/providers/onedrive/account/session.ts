import type { Readable } from 'node:stream';
import { answerAfter, deadlines } from '../../../core/deadlines.ts';
import { ConnectorError, isKind } from '../../../core/error.ts';
import type { BodyReader } from '../../../kit/body/body-reader.ts';
import { setTaken } from '../../../kit/body/upload-meter.ts';
import type { HttpResponse } from '../../../kit/http/http.ts';
import { parseJson } from '../../../kit/rest/json.ts';
import { DriveItem, UploadStatus } from '../api.ts';
import type { Graph } from './client.ts';
import { type Fragment, createFragment } from './fragment.ts';
import { pauseAfter } from './retry-busy.ts';

/**
 * Bytes of a fragment: a multiple of 320 KiB below 60 MiB (https://learn.microsoft.com/graph/api/driveitem-createuploadsession). One at a
 * time is in memory, so that it can be retried.
 */
export const fragmentSize = 64 * 320 * 1024;

/** Statuses of a session that has ended, for whatever reason. */
const gone: readonly number[] = [401, 404, 410];

interface Upload {
  readonly body: Readable;
  readonly reader: BodyReader;
  readonly size: number;
  readonly onPiece: (piece: Uint8Array) => void;
  /** Opens a session and returns its URL. */
  readonly open: () => Promise<string>;
  /** Returns the file when it is complete although the response was lost. */
  readonly arrived: () => Promise<DriveItem | undefined>;
  readonly signal: AbortSignal;
}

/** Progress of a session: the next byte, done, or unknown to the service. */
type Progress = { readonly at: number } | { readonly item: DriveItem } | 'gone';

/** Sends a body of known size through an upload session, fragment by fragment; resumes after a failure. A failed session is cancelled. */
export async function sendInSession(graph: Graph, upload: Upload): Promise<DriveItem> {
  const { size } = upload;
  let url = await upload.open();
  try {
    for (let start = 0; start < size;) {
      const end = Math.min(start + fragmentSize, size);
      const fragment = createFragment({ ...upload, size: end - start, isLast: end === size });
      let progress = await sendFragment(graph, url, fragment, start, upload);
      if (progress === 'gone' && end === size) progress = await finished(upload);
      if (progress === 'gone' && start === 0) {
        // Nothing of the body has been released yet: it can be sent in another session.
        url = await upload.open();
        progress = await sendFragment(graph, url, fragment, start, upload);
      }
      fragment.release();
      if (progress === 'gone') throw new ConnectorError('interrupted', 'the service has lost the upload');
      if ('item' in progress) return progress.item;
      start = progress.at;
    }
    throw new ConnectorError('unexpected', 'the service has every byte and no file');
  } catch (error) {
    await cancel(graph, url);
    throw error;
  }
}

/** A session ends with the last byte: it may be gone because the file is complete. */
async function finished({ arrived }: Upload): Promise<Progress> {
  const item = await arrived();
  return item ? { item } : 'gone';
}

/** Sends a fragment; resumes after a failure. */
export async function sendFragment(
  graph: Graph,
  url: string,
  fragment: Fragment,
  start: number,
  { size, signal }: Pick<Upload, 'size' | 'signal'>,
): Promise<Progress> {
  const end = start + fragment.size;
  let at = start;
  for (let tries = 1; ;) {
    let failure: unknown;
    try {
      const progress = await progressOf(await put(graph, url, { fragment, start, at, size, signal }));
      if (progress === 'gone' || 'item' in progress || progress.at >= end) return progress;
      failure = new ConnectorError('unexpected', 'the service took a part of the fragment only');
      if (progress.at > at) tries = 1;
      at = within(progress.at, start, end);
    } catch (error) {
      if (fragment.failed() || !isKind(error, 'interrupted', 'unreachable', 'timeout', 'rateLimited', 'badRange')) throw error;
      failure = error;
    }
    await pauseAfter(failure, tries, signal);
    tries += 1;
    const status = await statusOf(graph, url, signal);
    if (status === undefined) continue;
    if (status === 'gone' || 'item' in status || status.at >= end) return status;
    if (status.at > at) tries = 1;
    at = within(status.at, start, end);
  }
}

/** Throws unless the byte is in this fragment: earlier bytes are no longer available. */
function within(at: number, start: number, end: number): number {
  if (at < start || at >= end) throw new ConnectorError('interrupted', 'the service asks for bytes that it had already');
  setTaken(at);
  return at;
}

interface Put {
  readonly fragment: Fragment;
  readonly start: number;
  readonly at: number;
  readonly size: number;
  readonly signal: AbortSignal;
}

const put = (graph: Graph, url: string, { fragment, start, at, size, signal }: Put): Promise<HttpResponse> =>
  graph.send({
    method: 'PUT',
    url,
    authorized: false,
    headers: {
      'content-type': 'application/octet-stream',
      'content-range': `bytes ${at}-${start + fragment.size - 1}/${size}`,
    },
    body: fragment.from(at - start),
    size: start + fragment.size - at,
    signal,
    accepts: gone,
    // The service assembles the whole file when it has the last fragment.
    headTimeout: answerAfter(size ?? 0),
  });

/** Asks the session for its progress. */
export const askSession = async (graph: Graph, url: string, signal: AbortSignal): Promise<Progress> =>
  progressOf(await graph.send({ method: 'GET', url, authorized: false, signal, accepts: gone }));

/** Returns the session's progress; undefined when it cannot be determined now. */
async function statusOf(graph: Graph, url: string, signal: AbortSignal): Promise<Progress | undefined> {
  try {
    return await askSession(graph, url, signal);
  } catch (error) {
    if (isKind(error, 'interrupted', 'unreachable', 'timeout', 'rateLimited')) return undefined;
    throw error;
  }
}

async function progressOf(response: HttpResponse): Promise<Progress> {
  const { status } = response;
  if (gone.includes(status)) {
    await response.discard();
    return 'gone';
  }
  const text = await response.text();
  const [range = ''] = parseJson(UploadStatus, text).nextExpectedRanges ?? [];
  const [, at] = /^(\d{1,15})-/.exec(range) ?? [];
  return at === undefined ? { item: parseJson(DriveItem, text) } : { at: Number(at) };
}

/** Cancels the session, unless it has ended. */
export const endSession = (graph: Graph, url: string, signal: AbortSignal): Promise<void> =>
  graph.done({ method: 'DELETE', url, authorized: false, signal, accepts: gone });

/** Cancels the session. One that cannot be reached expires at the service after some days. */
async function cancel(graph: Graph, url: string): Promise<void> {
  try {
    await endSession(graph, url, AbortSignal.timeout(deadlines.aside));
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
  }
}
