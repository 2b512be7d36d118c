import type { WriteOptions } from '../../core/connector.ts';
import { deadlines } from '../../core/deadlines.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import type { BodyReader } from '../../kit/body/body-reader.ts';
import { type Chunks, lengthOf } from '../../kit/body/chunks.ts';
import { inParallel } from '../../kit/concurrency/parallel.ts';
import { isOutcomeUnknown, retryWhileBusy, pauseBeforeRetry, uploadWait } from '../../kit/concurrency/retry-busy.ts';
import { type RunningHash, bodyHash, digestLater, withHash } from '../../kit/hash/content-hash.ts';
import type { ThreadHash } from '../../kit/hash/hash-thread.ts';
import { parseJson } from '../../kit/rest/json.ts';
import { type Node, type Part, Parts, Session, Uploaded, UploadedPart, timeText } from './api.ts';
import type { BoxClient } from './client.ts';
import { notYet, uploadError } from './errors.ts';
import { type Target, storedAs } from './target.ts';

/** Concurrent parts; each is held in memory so that its hash can be sent first and it can be retried. */
export const width = 3;
/** Parts per page, Box's maximum. */
const pageSize = 1000;
/** Maximum number of commit requests while Box assembles the file. */
const mostCommits = 200;

interface Piece {
  readonly bytes: Chunks;
  readonly offset: number;
  readonly size: number;
  /** SHA-1, in base64. */
  readonly hash: Promise<string>;
}

/** An open upload session and its result. */
export interface Opened {
  readonly session: Session;
  readonly target: Target;
}

/** Opens an upload session for a file of the given size. Box rejects a new file whose name is taken with `alreadyExists`. */
export async function beginSession(client: BoxClient, target: Target, size: number, signal: AbortSignal): Promise<Opened> {
  const { folder, name, file } = target;
  const [url, json] =
    file === undefined
      ? ['/files/upload_sessions', { folder_id: folder, file_name: name, file_size: size }]
      : [`/files/${file}/upload_sessions`, { file_size: size }];
  const session = await retryWhileBusy(signal, () => client.uploads.json(Session, { method: 'POST', url, json, signal }));
  return { session, target };
}

/** Sends the body in parts of the session's size and commits them. A failed session is aborted, so that Box deletes its parts. */
export async function uploadInSession(
  client: BoxClient,
  { session, target }: Opened,
  reader: BodyReader,
  size: number,
  ask: WriteOptions,
): Promise<Node> {
  try {
    const { parts, hash } = await withHash(bodyHash('sha1')(size), async (whole) => ({
      parts: await sendParts(client, session, reader, size, whole, ask.signal),
      hash: Buffer.from(await whole.digest(), 'hex'),
    }));
    return await commit(client, session, parts, hash, ask).catch((error: unknown) => committedAlready(client, target, hash, ask, error));
  } catch (error) {
    await giveUp(client, session, error);
    throw error;
  }
}

async function sendParts(
  client: BoxClient,
  session: Session,
  reader: BodyReader,
  size: number,
  whole: RunningHash | ThreadHash,
  signal: AbortSignal,
): Promise<readonly Part[]> {
  const parts: Part[] = [];

  async function* pieces(): AsyncGenerator<Piece> {
    for (let offset = 0; offset < size;) {
      const wanted = Math.min(session.part_size, size - offset);
      const piece = await withHash(bodyHash('sha1', 'base64')(size), async (part) => {
        const bytes = await reader.gather(wanted, (chunk) => Promise.all([part.update(chunk), whole.update(chunk)]));
        return { bytes, offset, size: lengthOf(bytes), hash: digestLater(part) };
      });
      if (piece.size < wanted) throw new ConnectorError('sizeDiffers', `${offset + piece.size} of ${size} bytes came`);
      yield piece;
      offset += piece.size;
    }
    if ((await reader.take(1)).byteLength > 0) throw new ConnectorError('sizeDiffers', `more than ${size} bytes came`);
  }

  await inParallel(pieces(), width, async ({ bytes, offset, size: length, hash }) => {
    parts.push(await putPart(client, session, { bytes, offset, size: length, hash: await hash, whole: size }, signal));
    reader.release(bytes);
  });
  return parts.sort((a, b) => a.offset - b.offset);
}

interface Sending {
  readonly bytes: Chunks;
  readonly offset: number;
  readonly size: number;
  /** SHA-1 of the bytes, in base64. */
  readonly hash: string;
  /** Size of the whole file in bytes. */
  readonly whole: number;
}

/** Stores one part. Box accepts each part once: when a response was lost, it refuses the part on retry, but lists it. */
export async function putPart(client: BoxClient, session: Session, part: Sending, signal: AbortSignal): Promise<Part> {
  const { bytes, offset, size, hash, whole } = part;
  const headers = {
    digest: `sha=${hash}`,
    'content-range': `bytes ${offset}-${offset + size - 1}/${whole}`,
    'content-type': 'application/octet-stream',
  };
  const url = session.session_endpoints.upload_part;
  const send = async (): Promise<Part | undefined> => {
    const response = await client.uploads.send({ method: 'PUT', url, headers, body: bytes, signal, accepts: [409] });
    if (response.status !== 409) return parseJson(UploadedPart, await response.text()).part;
    const refusal = uploadError(response, await response.text());
    if (isKind(refusal, 'rateLimited')) throw refusal;
    return undefined;
  };
  const stored = await retryWhileBusy(signal, send, () => true, uploadWait);
  if (stored) return stored;
  const sha1 = Buffer.from(hash, 'base64').toString('hex');
  for await (const known of partsOf(client, session, signal))
    if (known.offset === offset && known.size === size && known.sha1?.toLowerCase() === sha1) return known;
  throw new ConnectorError('interrupted', 'Box has other bytes in the place of a part', { retryable: true });
}

/** Lists the parts that Box has, in any order. */
export async function* partsOf(client: BoxClient, { session_endpoints }: Session, signal: AbortSignal): AsyncGenerator<Part> {
  for (let offset = 0; ;) {
    const query = { offset, limit: pageSize };
    const list = () => client.uploads.json(Parts, { method: 'GET', url: session_endpoints.list_parts, query, signal });
    const { entries, total_count } = await retryWhileBusy(signal, list, isOutcomeUnknown, uploadWait);
    yield* entries;
    offset += entries.length;
    if (entries.length === 0 || offset >= total_count) return;
  }
}

/** Assembles the file from its parts. `hash` is the SHA-1 of all bytes. */
export async function commit(
  client: BoxClient,
  { session_endpoints }: Session,
  parts: readonly Part[],
  hash: Buffer,
  { signal, modified }: Pick<WriteOptions, 'signal' | 'modified'>,
): Promise<Node> {
  const attributes = modified === undefined ? {} : { attributes: { content_modified_at: timeText(modified) } };
  const headers = { digest: `sha=${hash.toString('base64')}` };
  for (let attempt = 1; attempt <= mostCommits; attempt += 1) {
    const send = () =>
      client.uploads.send({ method: 'POST', url: session_endpoints.commit, headers, json: { parts, ...attributes }, signal });
    const response = await retryWhileBusy(signal, send, undefined, uploadWait);
    if (response.status !== 202) return storedAs(parseJson(Uploaded, await response.text()).entries, hash.toString('hex'));
    await response.discard();
    if (!(await pauseBeforeRetry(1, notYet(response), signal, uploadWait))) break;
  }
  throw new ConnectorError('timeout', 'Box does not put the parts together');
}

/** Returns the committed file when only the response was lost; otherwise rejects with the error. */
export async function committedAlready(
  client: BoxClient,
  { folder, name }: Target,
  hash: Buffer,
  { signal }: Pick<WriteOptions, 'signal'>,
  error: unknown,
): Promise<Node> {
  if (!isKind(error, 'interrupted', 'timeout')) throw error;
  const there = await client.occupant(folder, name, undefined, signal);
  const node = there?.type === 'file' ? await client.get('file', there.id, signal) : undefined;
  if (node?.facts.sha1 !== hash.toString('hex')) throw error;
  return node;
}

/** Deletes an upload session and its parts, unless it has ended or expired. */
export const abort = (client: BoxClient, { session_endpoints }: Session, signal: AbortSignal): Promise<void> =>
  client.uploads.done({ method: 'DELETE', url: session_endpoints.abort, signal, accepts: [404, 410] });

/** Aborts an upload session. When that also fails, the error contains both failures. */
async function giveUp(client: BoxClient, session: Session, reason: unknown): Promise<void> {
  try {
    await abort(client, session, AbortSignal.timeout(deadlines.aside));
  } catch (error) {
    const kind = reason instanceof ConnectorError ? reason.kind : 'interrupted';
    throw new ConnectorError(kind, 'an upload failed and could not be given up', { cause: new AggregateError([reason, error]) });
  }
}
