import type { Readable } from 'node:stream';
import { ConnectorError, isKind } from '../../../core/error.ts';
import type { BodyReader } from '../../../kit/body/body-reader.ts';
import type { HttpResponse } from '../../../kit/http/http.ts';
import { parseJson } from '../../../kit/rest/json.ts';
import { DriveItem, UploadStatus } from '../api.ts';
import type { Graph } from './client.ts';
import { type Fragment, createFragment } from './fragment.ts';
import { pauseAfter } from './patience.ts';

/**
 * Bytes of a fragment: a multiple of 320 KiB and under 60 MiB (https://learn.microsoft.com/graph/api/driveitem-createuploadsession). One is in memory at a
 * time, so that it can be sent again.
 */
export const fragmentSize = 64 * 320 * 1024;
/** ms for the service to put a whole file in its place. */
const commitTimeout = 120_000;
/** ms to tell the service that nothing more will come. */
const cancelTimeout = 10_000;

/** Answers of a session that has ended, in whatever way. */
const gone: readonly number[] = [401, 404, 410];

interface Upload {
  readonly body: Readable;
  readonly reader: BodyReader;
  readonly size: number;
  readonly onPiece: (piece: Uint8Array) => void;
  /** Opens a session and gives its address. */
  readonly open: () => Promise<string>;
  /** The file, when all of it has arrived though the answer has not. */
  readonly arrived: () => Promise<DriveItem | undefined>;
  readonly signal: AbortSignal;
}

/** How far the service is: at a byte, done, or it does not know the session any more. */
type Progress = { readonly at: number } | { readonly item: DriveItem } | 'gone';

/** Sends a body of known size through an upload session, fragment by fragment; goes on where the service is after a break. A session that fails is cancelled. */
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
        // Nothing of the body has been let go yet: another session can have it.
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

/** A session ends when the last byte has come: then it is gone because the file is there. */
async function finished({ arrived }: Upload): Promise<Progress> {
  const item = await arrived();
  return item ? { item } : 'gone';
}

async function sendFragment(graph: Graph, url: string, fragment: Fragment, start: number, { size, signal }: Upload): Promise<Progress> {
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

/** A byte of this fragment: what came before it is not here any more. */
function within(at: number, start: number, end: number): number {
  if (at >= start && at < end) return at;
  throw new ConnectorError('interrupted', 'the service asks for bytes that it had already');
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
    headTimeout: commitTimeout,
  });

/** Where the service is; undefined when it cannot tell just now. */
async function statusOf(graph: Graph, url: string, signal: AbortSignal): Promise<Progress | undefined> {
  try {
    return await progressOf(await graph.send({ method: 'GET', url, authorized: false, signal, accepts: gone }));
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

/** Drops what has arrived. A session that cannot be reached now is dropped by the service itself, some days later. */
async function cancel(graph: Graph, url: string): Promise<void> {
  try {
    await graph.done({ method: 'DELETE', url, authorized: false, signal: AbortSignal.timeout(cancelTimeout), accepts: gone });
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
  }
}
