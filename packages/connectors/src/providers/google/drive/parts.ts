import { Type } from 'typebox';
import type { CallOptions, Entry, WriteOptions } from '../../../core/connector.ts';
import { deadlines } from '../../../core/deadlines.ts';
import { ConnectorError, isKind } from '../../../core/error.ts';
import type { Leftovers } from '../../../core/leftovers.ts';
import type { FinishUploadOptions, ResumableUploads } from '../../../core/upload.ts';
import { collect } from '../../../kit/body/body.ts';
import { isOutcomeUnknown, retryWhileBusy } from '../../../kit/concurrency/retry-busy.ts';
import type { HttpResponse } from '../../../kit/http/http.ts';
import { nameOf, partialPathOf } from '../../../kit/names/path.ts';
import { leftoverOf, parseLeftover } from '../../../kit/object-store/leftover.ts';
import { sessionAs } from '../../../kit/object-store/object-uploads.ts';
import { unknownUpload, usualPartSize } from '../../../kit/object-store/partial-upload.ts';
import type { Api } from '../../../kit/rest/api.ts';
import { holdBack } from '../../../kit/rest/held-back.ts';
import { parseJson } from '../../../kit/rest/json.ts';
import { relatedParts } from '../apis/google-upload.ts';
import { DriveFile, type DriveItem, GeneratedIds } from './api.ts';
import type { DriveClient } from './client.ts';
import { discard } from './discarding.ts';
import { openFile } from './download.ts';
import { type Destination, beginSession, takeBack } from './upload.ts';

/** Destination of an upload. */
export interface Aim {
  readonly to: Destination;
  readonly parent: DriveItem;
  /** The file to replace, or a shortcut to it. */
  readonly there: DriveItem | undefined;
}

type Existing = CallOptions & Pick<WriteOptions, 'ifExists'>;

interface Options {
  readonly client: DriveClient;
  /** Rejects when the name is taken by an item that the upload must not replace. */
  readonly aimAt: (path: string, options: Existing) => Promise<Aim>;
  /** Checks that a stored file is the only one of its name, and returns its entry. */
  readonly settled: (path: string, stored: DriveFile, aim: Aim, options: Existing) => Promise<Entry>;
  readonly leftovers: Leftovers;
  /** Size of a part in bytes, a multiple of 256 KiB; 16 MiB by default. */
  readonly usualPart?: number;
}

/**
 * Every piece of an upload except the last must be a multiple of this:
 * https://developers.google.com/workspace/drive/api/guides/manage-uploads#resumable
 */
const block = 256 * 1024;
/** Seconds for which Drive keeps a session. */
const lifetime = 7 * 24 * 60 * 60;

const Session = Type.Object({
  address: Type.String({ pattern: '^https?://' }),
  to: Type.Union([Type.Object({ id: Type.String() }), Type.Object({ parent: Type.String(), name: Type.String() })]),
  size: Type.Integer({ minimum: 1 }),
  /** The hidden file with the last bytes. */
  tail: Type.Object({ id: Type.String({ minLength: 1 }), name: Type.String({ minLength: 1 }) }),
});
type Session = ReturnType<typeof sessionAs<typeof Session>>;

/**
 * Resumable uploads that another process can continue. The last bytes are held back in a hidden file in My Drive, because Drive creates the
 * file when it receives the last byte.
 */
export function createParts({
  client,
  aimAt,
  settled,
  leftovers,
  usualPart = usualPartSize,
}: Options): ResumableUploads & { clearUp(leftover: string, options: CallOptions): Promise<void> } {
  const { api, uploads } = client;

  const send = (
    { address, size }: Session,
    range: string,
    options: Pick<Parameters<Api['send']>[0], 'body' | 'size' | 'headTimeout'> & CallOptions,
  ): Promise<HttpResponse> =>
    api.send({
      method: 'PUT',
      url: address,
      authorized: false,
      accepts: [308, 404, 410, 499],
      headers: { 'content-range': `bytes ${range}/${size}`, 'content-type': 'application/octet-stream' },
      ...options,
    });

  /** Parses a response of the session: the number of bytes that Drive has, in whole blocks, or the finished file. */
  async function outcome(response: HttpResponse): Promise<number | DriveFile> {
    const { status, headers } = response;
    if (status < 300) return parseJson(DriveFile, await response.text());
    await response.discard();
    if (status !== 308) throw unknownUpload();
    const stored = Number(/^bytes=0-(\d{1,15})$/.exec(headers['range'] ?? '')?.[1] ?? -1) + 1;
    return stored - (stored % block);
  }

  const ask = async (session: Session, { signal }: CallOptions): Promise<number | DriveFile> =>
    outcome(await send(session, '*', { signal }));

  async function tailOf({ tail }: Session, options: CallOptions): Promise<DriveFile | undefined> {
    const found = await client.file(tail.id, options);
    return found?.trashed ? undefined : found;
  }

  const held = holdBack<Session>({
    block,
    async stored(session, options) {
      const stored = await ask(session, options);
      if (typeof stored !== 'number') throw unknownUpload();
      return stored;
    },
    async send(session, { reader }, { offset, size, signal }) {
      const options = { signal, body: reader.stream(size), size };
      const stored = await outcome(await send(session, `${offset}-${offset + size - 1}`, options));
      if (stored !== offset + size) throw new ConnectorError('interrupted', 'Drive has not taken the whole part', { retryable: true });
    },
    async putTail({ tail }, bytes, { signal }) {
      const query = { supportsAllDrives: true, fields: 'id', uploadType: 'multipart' };
      const put = (method: 'POST' | 'PATCH', url: string, metadata: object): Promise<HttpResponse> => {
        const { type, body } = relatedParts(metadata, 'application/octet-stream', bytes);
        const request = { method, url, query, headers: { 'content-type': type }, body, signal, accepts: [409] };
        return retryWhileBusy(signal, () => api.send(request), isOutcomeUnknown);
      };
      const made = await put('POST', uploads, { id: tail.id, name: tail.name, parents: ['root'] });
      await made.discard();
      // An earlier attempt has created the file.
      if (made.status === 409) await (await put('PATCH', `${uploads}/${encodeURIComponent(tail.id)}`, {})).discard();
    },
    async tailSize(session, options) {
      const found = await tailOf(session, options);
      return found && Number(found.size);
    },
  });

  async function removeTail(id: string, name: string, options: CallOptions): Promise<void> {
    if ((await client.file(id, options))?.name === name) await discard(client, id);
  }

  /** Deletes the hidden file, now or later with the help of its note. */
  async function removeRest({ tail: { id, name } }: Session): Promise<void> {
    const note = leftovers.note(leftoverOf({ place: id, partialName: name }));
    await note.kept;
    try {
      await removeTail(id, name, { signal: AbortSignal.timeout(deadlines.aside) });
      note.gone();
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      note.stays();
    }
  }

  async function abandon(session: Session, { signal }: CallOptions): Promise<void> {
    await api.done({ method: 'DELETE', url: session.address, signal, authorized: false, accepts: [404, 410, 499] });
    await removeRest(session);
  }

  /** Runs a step; deletes the hidden file when Drive no longer knows the session. */
  async function known<Result>(session: Session, step: () => Promise<Result>): Promise<Result> {
    try {
      return await step();
    } catch (error) {
      if (isKind(error, 'notFound')) await removeRest(session);
      throw error;
    }
  }

  /** Sends the last bytes, which complete the upload. */
  async function end(session: Session, { signal }: CallOptions): Promise<DriveFile> {
    const tail = await client.item(session.tail.id, { signal });
    if (!tail) throw new ConnectorError('interrupted', 'the last bytes are gone', { retryable: true });
    const bytes = await collect(await openFile(client, tail, { signal }), block);
    const last = { signal, body: bytes, headTimeout: deadlines.longWork };
    const stored = await send(session, `${held.frontOf(session)}-${session.size - 1}`, last)
      .then(outcome)
      .catch(async (error: unknown) => {
        if (!isOutcomeUnknown(error) || signal.aborted) throw error;
        // The response may be lost although the file is complete.
        const now = await ask(session, { signal });
        if (typeof now === 'number') throw error;
        return now;
      });
    if (typeof stored === 'number') throw new ConnectorError('interrupted', 'the upload is not over after its last byte');
    return stored;
  }

  return {
    async beginUpload(path, options) {
      const { signal, size } = options;
      if (size === 0) throw new ConnectorError('unsupported', 'an empty file has no parts');
      const { to } = await aimAt(path, options);
      const query = { count: 1, space: 'drive', fields: 'ids' };
      const request = { method: 'GET', url: '/drive/v3/files/generateIds', query, signal };
      const [id = ''] = (await api.json(GeneratedIds, request)).ids;
      const address = await retryWhileBusy(signal, () => beginSession(client, to, options));
      if (!URL.canParse(address)) throw new ConnectorError('unexpected', 'an upload was begun without an address');
      const session: Session = { address, to, size, tail: { id, name: nameOf(partialPathOf('/')) } };
      const expires = Math.floor(Date.now() / 1000) + lifetime;
      return { session: JSON.stringify(session), partSize: usualPart, parallel: 1, expires, kept: () => undefined };
    },

    async sendPart(_path, body, { session: text, ...part }) {
      const session = sessionAs(Session, text);
      return known(session, () => held.sendPart(session, body, part));
    },

    async uploadState(_path, { session: text, ...options }) {
      const session = sessionAs(Session, text);
      return { offset: await known(session, () => held.offset(session, options)) };
    },

    async finishUpload(path, options) {
      const session = sessionAs(Session, options.session);
      const { to } = session;
      await known(session, () => held.mustBeWhole(session, options));
      const aim = await aimAt(path, options);
      if (!isSame(aim.to, to)) {
        // The session would write to a file that was moved, or create a second file of the name.
        await abandon(session, options);
        throw unknownUpload();
      }
      const stored = await known(session, () => end(session, options));
      await removeRest(session);
      client.learn(stored);
      try {
        mustHold(stored, options);
      } catch (error) {
        await takeBack(client, stored, !('id' in to), error);
        throw error;
      }
      return { entry: await settled(path, stored, aim, options) };
    },

    abandonUpload: async (_path, { session, signal }) => abandon(sessionAs(Session, session), { signal }),

    async clearUp(leftover, options) {
      const { place, partialName } = parseLeftover(leftover);
      await removeTail(place, partialName, options);
    },
  };
}

function isSame(one: Destination, other: Destination): boolean {
  if ('id' in one || 'id' in other) return 'id' in one && 'id' in other && one.id === other.id;
  return one.parent === other.parent && one.name === other.name;
}

/** Rejects with `damaged` when the size or a hash of the stored file differs from the bytes that were sent. */
function mustHold(
  { size: stored, md5Checksum, sha1Checksum }: DriveFile,
  { size, hashes: { md5 = md5Checksum, sha1 = sha1Checksum } }: FinishUploadOptions,
): void {
  if (Number(stored) !== size) throw new ConnectorError('damaged', `Drive has ${stored} of ${size} bytes`);
  if ((md5Checksum !== undefined && md5 !== md5Checksum) || (sha1Checksum !== undefined && sha1 !== sha1Checksum))
    throw new ConnectorError('damaged', 'the stored file has another hash than the bytes sent');
}
