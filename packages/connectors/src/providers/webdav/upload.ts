import { Readable, addAbortSignal } from 'node:stream';
import type { CallOptions, Entry, WriteOptions } from '../../core/connector.ts';
import { deadlines } from '../../core/deadlines.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import type { Hashes } from '../../core/hashes.ts';
import type { Leftovers } from '../../core/leftovers.ts';
import { lendLike } from '../../kit/body/body-memory.ts';
import { readWhole } from '../../kit/body/whole-body.ts';
import { joinPath, nameOf, parentOf, partialPathOf } from '../../kit/names/path.ts';
import { leftoverOf, parseLeftover } from '../../kit/object-store/leftover.ts';
import { atFreePath } from '../../kit/object-store/other-name.ts';
import type { DavClient } from './client.ts';
import { mayLackParent, refuse } from './errors.ts';
import type { Places } from './places.ts';
import { type Relocate, notDone } from './relocate.ts';
import type { Resources } from './resources.ts';

interface Deps {
  readonly client: DavClient;
  readonly places: Places;
  readonly resources: Resources;
  readonly relocate: Relocate;
  readonly leftovers: Leftovers;
  /** Whether to request a hash, because the server may be Nextcloud. */
  readonly asksHash: boolean;
}

/** Size of a stored file in bytes, and its hashes if the server reports them. */
interface Put {
  readonly sent: number;
  readonly hashes?: Hashes;
}

type PlaceOptions = Pick<WriteOptions, 'signal' | 'ifExists' | 'setAside'>;

/** Bodies up to this size are sent from memory, so that they can be repeated when the server requires another login. */
const smallBody = 64 * 1024;
/** Below this size, detecting a taken name afterwards is cheaper than checking before. */
const askFirst = 1024 * 1024;

/**
 * Stores files: PUT under a temporary name, then MOVE, so that a partial file is never visible. A server without MOVE gets the bytes
 * directly; then a failed upload loses the old file, and `If-None-Match: *` protects a file that must not be replaced.
 */
export function createUpload({ client, places, resources, relocate, leftovers, asksHash }: Deps) {
  let movable: boolean | undefined;
  /** Whether a MOVE of this link has been verified to work. */
  let movesTruly = false;

  /**
   * RFC 4918, section 10.1: the methods allowed at the link's root. A server that lists none is assumed to support MOVE, as the standard
   * requires.
   */
  async function canMove(signal: AbortSignal): Promise<boolean> {
    if (movable !== undefined) return movable;
    const response = await client.send({ method: 'OPTIONS', path: places.address('/', 'folder'), signal });
    await response.discard();
    const allowed = response.headers['allow'];
    movable = response.status >= 300 || allowed === undefined || /(?:^|[\s,])MOVE(?:$|[\s,])/i.test(allowed);
    return movable;
  }

  async function put(path: string, body: Readable, ask: WriteOptions, fresh: boolean): Promise<Put> {
    const { size, signal } = ask;
    let sent = 0;
    const bytes =
      size === undefined ? counted(body, (count) => (sent += count)) : size <= smallBody ? await gather(body, size, signal) : body;
    const hashes = await putBytes(path, bytes, ask, fresh);
    return { sent: size ?? sent, ...(hashes && { hashes }) };
  }

  async function putBytes(path: string, bytes: Readable | Uint8Array, ask: WriteOptions, fresh = false): Promise<Hashes | undefined> {
    const { size, signal } = ask;
    const headers = {
      'content-type': ask.mimeType ?? 'application/octet-stream',
      ...(fresh && { 'if-none-match': '*' }),
      ...timeHeaders(ask.modified),
      // Nextcloud returns the hash of the stored file for this header; other servers ignore it.
      ...(asksHash && { 'x-hash': 'sha256' }),
    };
    const request = { method: 'PUT', path: places.address(path, 'file'), headers, signal, body: bytes };
    const response = await client.send({ ...request, ...(size !== undefined && { size }) });
    if (![200, 201, 204].includes(response.status)) {
      // RFC 4918, section 9.7.1, defines 409 for a missing parent; nginx answers 500.
      if (mayLackParent.includes(response.status)) await resources.stat(parentOf(path), signal);
      if (response.status === 404 || response.status === 409)
        throw new ConnectorError('forbidden', `the server takes no file: ${response.status}`);
      return refuse(response);
    }
    await response.discard();
    const sha256 = response.headers['x-hash-sha256'];
    return sha256 !== undefined && /^[0-9a-f]{64}$/.test(sha256) ? { sha256 } : undefined;
  }

  /** Verifies that the server has all bytes. */
  async function verified(path: string, { sent, hashes }: Put, signal: AbortSignal): Promise<Entry> {
    const entry = await resources.stat(path, signal);
    if (entry.size !== undefined && entry.size !== sent)
      throw new ConnectorError('interrupted', `the server has ${entry.size} of ${sent} bytes`, { retryable: true });
    return { ...entry, size: sent, ...(hashes && { hashes: { ...entry.hashes, ...hashes } }) };
  }

  async function requireFree(path: string, ask: PlaceOptions): Promise<void> {
    const there = await resources.find(path, ask.signal);
    if (there && ask.ifExists === 'fail') throw new ConnectorError('alreadyExists', 'the name is taken');
    if (there?.kind === 'folder') throw new ConnectorError('isAFolder', 'a folder has that name');
  }

  /** Lets the caller move the file that is about to be replaced. */
  async function cleared(file: string, { signal, ifExists, setAside }: PlaceOptions): Promise<void> {
    if (ifExists === 'fail' || !setAside) return;
    const old = await resources.find(file, signal);
    if (old?.kind === 'file')
      await setAside((to) => relocate.send('MOVE', { from: file, to, kind: 'file', size: old.size, overwrite: false, signal }));
  }

  async function putInPlace(partial: string, file: string, size: number, ask: PlaceOptions): Promise<void> {
    const { signal } = ask;
    await cleared(file, ask);
    try {
      await relocate.send('MOVE', { from: partial, to: file, kind: 'file', size, overwrite: false, signal });
    } catch (error) {
      if (ask.ifExists === 'fail' || !isKind(error, 'alreadyExists')) throw error;
      // MOVE overwrites anything, including a folder with all its contents.
      await requireFree(file, ask);
      await relocate.send('MOVE', { from: partial, to: file, kind: 'file', size, overwrite: true, signal });
    }
  }

  async function requireMoved(partial: string, signal: AbortSignal): Promise<void> {
    if (!movesTruly && (await resources.find(partial, signal))) throw notDone('MOVE');
    movesTruly = true;
  }

  async function place(partial: string, file: string, size: number, ask: PlaceOptions): Promise<void> {
    await putInPlace(partial, file, size, ask);
    await requireMoved(partial, ask.signal);
  }

  async function storeBeside(file: string, body: Readable, ask: WriteOptions): Promise<Entry> {
    const partial = partialPathOf(file);
    const note = leftovers.note(leftoverOf({ place: file, partialName: nameOf(partial) }));
    await note.kept;
    try {
      const stored = await put(partial, body, ask, false);
      const entry = await verified(partial, stored, ask.signal);
      const placed = await atFreePath(file, ask, (at) => putInPlace(partial, at, stored.sent, ask));
      await requireMoved(partial, ask.signal);
      note.gone();
      return { ...entry, name: nameOf(placed.path) };
    } catch (error) {
      if (await cleanedUp(partial)) note.gone();
      else note.stays();
      if (isKind(error, 'unsupported')) movable = false;
      throw error;
    }
  }

  /** Deletes the temporary file; returns whether it is gone. The caller reports the original error either way. */
  async function cleanedUp(partial: string): Promise<boolean> {
    try {
      await remove(partial, AbortSignal.timeout(deadlines.aside));
      return true;
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      return false;
    }
  }

  async function remove(partial: string, signal: AbortSignal): Promise<void> {
    const response = await client.send({ method: 'DELETE', path: places.address(partial, 'file'), signal });
    if (![200, 202, 204, 404].includes(response.status)) return refuse(response);
    await response.discard();
  }

  /** Deletes the temporary file of an orphaned-upload note. */
  async function clearUp(leftover: string, { signal }: CallOptions): Promise<void> {
    const { place, partialName } = parseLeftover(leftover);
    await remove(joinPath(parentOf(place), partialName), signal);
  }

  async function write(file: string, body: Readable, ask: WriteOptions): Promise<Entry> {
    // A body may fail while other requests run; reading it reports the error.
    body.on('error', () => undefined);
    try {
      if (file === '/') throw new ConnectorError('isAFolder', 'the root is a folder');
      const beside = await canMove(ask.signal);
      const isSeenFree = ask.seenFree === true && ask.ifExists === 'fail';
      const isLarge = ask.size === undefined || ask.size > askFirst;
      const asksFirst = !beside || (isLarge && !isSeenFree);
      const at = asksFirst ? (await atFreePath(file, ask, (path) => requireFree(path, ask))).path : file;
      if (beside) return await storeBeside(at, body, ask);
      return await verified(at, await put(at, body, ask, ask.ifExists === 'fail'), ask.signal);
    } finally {
      body.destroy();
    }
  }

  return { write, clearUp, steps: { canMove, putBytes, requireFree, cleared, place, remove, cleanedUp } };
}

/** The steps of an upload that continues in later requests. */
export type UploadSteps = ReturnType<typeof createUpload>['steps'];

/** `X-OC-Mtime` is for ownCloud and Nextcloud, `Date` for nginx (ngx_http_dav_module); each ignores the other. */
export const timeHeaders = (modified: number | undefined): Record<string, string> =>
  modified === undefined ? {} : { 'x-oc-mtime': String(Math.floor(modified)), date: new Date(modified * 1000).toUTCString() };

/** Passes the bytes through and counts them. */
function counted(body: Readable, onBytes: (count: number) => void): Readable {
  async function* passing(): AsyncGenerator<Uint8Array> {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      onBytes(chunk.byteLength);
      yield chunk;
    }
  }
  return lendLike(Readable.from(passing(), { objectMode: false, highWaterMark: 1024 * 1024 }), body);
}

/** Buffers a small body; rejects with `sizeDiffers` when its size differs from the announced one. */
async function gather(body: Readable, size: number, signal: AbortSignal): Promise<Uint8Array> {
  const differs = (length: string) => new ConnectorError('sizeDiffers', `${length} instead of ${size} bytes came`);
  let bytes: Buffer;
  try {
    bytes = await readWhole(addAbortSignal(signal, body) as AsyncIterable<Uint8Array>, size, () => differs('more'));
  } catch (cause) {
    if (signal.aborted) throw new ConnectorError('aborted', 'given up', { cause });
    throw cause instanceof ConnectorError ? cause : new ConnectorError('interrupted', 'the bytes to be sent stopped coming', { cause });
  }
  if (bytes.length !== size) throw differs(String(bytes.length));
  return bytes;
}
