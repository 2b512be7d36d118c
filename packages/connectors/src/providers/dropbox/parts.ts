import { Type } from 'typebox';
import type { CallOptions, Entry } from '../../core/connector.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import type { ResumableUploads, UploadState } from '../../core/upload.ts';
import { createBodyReader } from '../../kit/body/body-reader.ts';
import { lengthOf } from '../../kit/body/chunks.ts';
import { retryWhileBusy, uploadWait } from '../../kit/concurrency/retry-busy.ts';
import { blockHashes, hashOfBlocks } from '../../kit/hash/dropbox-hash.ts';
import { sessionAs } from '../../kit/object-store/object-uploads.ts';
import { unknownUpload, usualPartSize } from '../../kit/object-store/partial-upload.ts';
import { Metadata, Nothing, Session, toEntry } from './api.ts';
import type { DropboxClient } from './client.ts';
import { commitOf } from './upload.ts';

const StoredSession = Type.Object({ id: Type.String({ minLength: 1 }) });

/**
 * Seconds for which Dropbox keeps a session: https://www.dropbox.com/developers/documentation/http/documentation#files-upload_session-start
 */
const lifetime = 7 * 24 * 60 * 60;
const always = (): boolean => true;

/**
 * Uploads in sequential sessions, the only ones that report their progress. Each part is held in memory, so that its hash can be sent
 * first.
 */
export function resumableUploads(client: DropboxClient): ResumableUploads {
  const append = (id: string, offset: number, more: object, bytes: Uint8Array[], { signal }: CallOptions): Promise<unknown> => {
    const arg = { cursor: { session_id: id, offset }, ...more };
    return retryWhileBusy(signal, () => client.upload(Nothing, 'files/upload_session/append_v2', arg, bytes, signal), always, uploadWait);
  };

  /** Returns the number of bytes that the session has, from the refusal of a wrong offset. */
  const offsetIn = (error: unknown): number | undefined => {
    const found = isKind(error, 'interrupted') ? /^at (\d+)$/.exec(error.details.code ?? '') : null;
    return found ? Number(found[1]) : undefined;
  };

  /** Rejects unless the name is available for a file. */
  async function mustBeFree(path: string, { ifExists, signal }: CallOptions & { readonly ifExists: 'replace' | 'fail' }): Promise<void> {
    const there = await findEntry(path, { signal });
    if (there?.kind === 'folder') throw new ConnectorError(ifExists === 'fail' ? 'alreadyExists' : 'isAFolder', 'a folder has that name');
    if (there && ifExists === 'fail') throw new ConnectorError('alreadyExists', 'the name is taken');
  }

  async function findEntry(path: string, { signal }: CallOptions): Promise<Entry | undefined> {
    try {
      return toEntry(await client.call(Metadata, 'files/get_metadata', { path }, signal));
    } catch (error) {
      if (isKind(error, 'notFound')) return undefined;
      throw error;
    }
  }

  return {
    async beginUpload(path, ask) {
      const { signal, size } = ask;
      if (size === 0) throw new ConnectorError('unsupported', 'an empty file has no parts');
      await mustBeFree(path, ask);
      const start = () => client.upload(Session, 'files/upload_session/start', {}, [], signal);
      const { session_id: id } = await retryWhileBusy(signal, start, always);
      return {
        session: JSON.stringify({ id }),
        partSize: usualPartSize,
        parallel: 1,
        expires: Math.floor(Date.now() / 1000) + lifetime,
        needs: ['dropbox'],
        kept: () => undefined,
      };
    },

    async sendPart(_path, body, { session, offset, size, signal }) {
      const { id } = sessionAs(StoredSession, session);
      const blocks = blockHashes(size);
      const reader = createBodyReader(body, signal);
      try {
        const bytes = await reader.gather(size, blocks.update);
        const extra = lengthOf(bytes) === size ? await reader.gather(1) : [];
        if (lengthOf(bytes) + lengthOf(extra) !== size) throw new ConnectorError('sizeDiffers', `another length than ${size} bytes came`);
        const hash = hashOfBlocks(await blocks.digest());
        await append(id, offset, { content_hash: hash }, [...bytes], { signal }).catch((error: unknown) => {
          // The response to an earlier attempt was lost.
          if (offsetIn(error) !== offset + size) throw sessionLost(error);
        });
        reader.release(bytes);
        return '';
      } finally {
        blocks.cancel();
        body.destroy();
      }
    },

    /** Appends nothing at offset 0: a session that has bytes refuses that and reports its offset. */
    async uploadState(_path, { session, signal }): Promise<UploadState> {
      try {
        await append(sessionAs(StoredSession, session).id, 0, {}, [], { signal });
        return { offset: 0 };
      } catch (error) {
        const offset = offsetIn(error);
        if (offset === undefined) throw sessionLost(error);
        return { offset };
      }
    },

    async finishUpload(path, { session, size, hashes, ...ask }) {
      const { signal } = ask;
      const { id } = sessionAs(StoredSession, session);
      await mustBeFree(path, ask).catch(async (error: unknown) => {
        // An earlier call may have finished this upload and its response was lost: then the session is unknown.
        await this.uploadState(path, { session, signal });
        throw error;
      });
      const arg = { cursor: { session_id: id, offset: size }, commit: commitOf(path, ask) };
      const finish = () => client.upload(Metadata, 'files/upload_session/finish', arg, [], signal);
      const metadata = await retryWhileBusy(signal, finish, () => ask.ifExists === 'replace', uploadWait).catch((error: unknown) => {
        throw sessionLost(error);
      });
      const entry = toEntry(metadata, 'file');
      const expected = hashes.dropbox;
      if (entry.size !== size || (expected !== undefined && entry.hashes?.dropbox !== expected))
        throw new ConnectorError('damaged', 'Dropbox has other bytes than were sent');
      return { entry };
    },

    /** Dropbox removes sessions by itself; a closed one accepts no more bytes. */
    async abandonUpload(path, ask) {
      try {
        const state = await this.uploadState(path, ask);
        if ('offset' in state) await append(sessionAs(StoredSession, ask.session).id, state.offset, { close: true }, [], ask);
      } catch (error) {
        if (!isKind(error, 'notFound')) throw error;
      }
    },
  };
}

/** The error for a session that has expired, was finished, or was closed by `abandonUpload`. */
const sessionLost = (error: unknown): unknown => {
  const isEnded = isKind(error, 'interrupted') && ['closed', 'gone'].includes(error.details.code ?? '');
  return isEnded || isKind(error, 'notFound') ? unknownUpload(error) : error;
};
