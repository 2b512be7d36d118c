import { Readable } from 'node:stream';
import { Type } from 'typebox';
import type { CallOptions } from '../../../core/connector.ts';
import { deadlines } from '../../../core/deadlines.ts';
import { ConnectorError, isKind } from '../../../core/error.ts';
import type { Leftovers } from '../../../core/leftovers.ts';
import type { PartOptions, UploadOptions } from '../../../core/upload.ts';
import { createBodyReader } from '../../../kit/body/body-reader.ts';
import { collect } from '../../../kit/body/body.ts';
import { isOutcomeUnknown } from '../../../kit/concurrency/retry-busy.ts';
import type { HttpResponse } from '../../../kit/http/http.ts';
import { partialPathOf } from '../../../kit/names/path.ts';
import { leftoverOf } from '../../../kit/object-store/leftover.ts';
import type { ObjectStore, StoredObject } from '../../../kit/object-store/object-store.ts';
import { type ObjectUploads, sessionAs } from '../../../kit/object-store/object-uploads.ts';
import { unknownUpload, usualPartSize } from '../../../kit/object-store/partial-upload.ts';
import type { Api } from '../../../kit/rest/api.ts';
import { parseJson } from '../../../kit/rest/json.ts';
import { CloudObject, hashHeader, toObject } from './api.ts';
import { beginSession } from './upload.ts';

interface Options {
  readonly api: Api;
  /** URL for uploads to the bucket. */
  readonly url: string;
  readonly store: Pick<ObjectStore, 'get' | 'head' | 'put'>;
  /** Deletes an object; with `generation` permanently, even where the bucket keeps old versions. Rejects with `notFound`. */
  readonly remove: (key: string, ask: CallOptions & { readonly generation?: string }) => Promise<void>;
  readonly leftovers: Leftovers;
  /** Size of a part in bytes, a multiple of 256 KiB; 16 MiB by default. */
  readonly usualPart: number | undefined;
}

const Session = Type.Object({
  address: Type.String({ pattern: '^https?://' }),
  tail: Type.String({ minLength: 1 }),
  size: Type.Integer({ minimum: 1 }),
});

/** Until the upload ends, the service keeps only whole blocks: https://cloud.google.com/storage/docs/performing-resumable-uploads */
const block = 256 * 1024;
/** Seconds for which the service keeps a session. */
const lifetime = 7 * 24 * 60 * 60;

/** Returns the number of bytes in the whole blocks of an object or a part. */
const inBlocks = (size: number): number => size - (size % block);

/**
 * Resumable uploads that another process can continue. The service does not keep a last, incomplete block: its bytes are held back in a
 * small object with a hidden name until the upload is finished.
 */
export function createParts({ api, url, store, remove, leftovers, usualPart = usualPartSize }: Options): ObjectUploads {
  const send = (address: string, range: string, more: Partial<Parameters<Api['send']>[0]> & CallOptions): Promise<HttpResponse> =>
    api.send({
      method: 'PUT',
      url: address,
      authorized: false,
      accepts: [308, 400, 404, 410, 499],
      ...more,
      headers: { ...more.headers, 'content-range': range, 'content-type': 'application/octet-stream' },
    });

  /** Parses a response of the session: the number of bytes that the service has, or the finished object. */
  async function outcome(response: HttpResponse): Promise<number | StoredObject> {
    const { status, headers } = response;
    if (status < 300) return toObject(parseJson(CloudObject, await response.text()));
    await response.discard();
    if (status === 400) throw new ConnectorError('damaged', 'Cloud Storage refuses the bytes');
    if (status !== 308) throw unknownUpload();
    const last = /^bytes=0-(\d+)$/.exec(headers['range'] ?? '')?.[1];
    return last === undefined ? 0 : Number(last) + 1;
  }

  /** Requests the session's progress. The last asterisk must not be the length: the request would then end the upload. */
  const whereIs = async (address: string, { signal }: CallOptions): Promise<number | StoredObject> =>
    outcome(await send(address, 'bytes */*', { signal }));

  const tailOf = async (
    { tail, size }: { readonly tail: string; readonly size: number },
    ask: CallOptions,
  ): Promise<StoredObject | undefined> => {
    const found = await store.head(tail, ask);
    return found?.size === size % block ? found : undefined;
  };

  /** Deletes the object with the last bytes, now or later with the help of its note. */
  async function removeTail(key: string, tail: string): Promise<void> {
    const note = leftovers.note(leftoverOf({ place: key, partialName: nameIn(tail) }));
    await note.kept;
    try {
      const ask = { signal: AbortSignal.timeout(deadlines.aside) };
      const found = await store.head(tail, ask);
      if (found) await remove(tail, { ...ask, ...(found.etag !== undefined && { generation: found.etag }) });
      note.gone();
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      if (error.kind === 'notFound') note.gone();
      else note.stays();
    }
  }

  /** Sends whole blocks, and stores the incomplete last one. */
  async function sendBytes(
    body: Readable,
    { address, tail }: { readonly address: string; readonly tail: string },
    { signal, offset, size }: PartOptions,
  ) {
    const blocks = inBlocks(size);
    const reader = blocks === size ? undefined : createBodyReader(body, signal);
    if (blocks > 0) {
      const sent = { signal, body: reader?.stream(blocks) ?? body, size: blocks };
      const stored = await outcome(await send(address, `bytes ${offset}-${offset + blocks - 1}/*`, sent));
      if (stored !== offset + blocks) throw new ConnectorError('interrupted', 'the service has not taken the whole part');
    } else if (typeof (await whereIs(address, { signal })) !== 'number') throw unknownUpload();
    if (!reader) return;
    const rest = await reader.take(size - blocks + 1);
    if (rest.byteLength !== size - blocks) throw new ConnectorError('sizeDiffers', `another length than ${size} bytes came`);
    await store.put(tail, Readable.from([rest]), { signal, size: rest.byteLength });
  }

  return {
    async begin(key, ask) {
      const { signal, size } = ask;
      const tail = partialPathOf(`/${key}`).slice(1);
      // Checks the delete permission: without it, the last bytes could not be removed.
      await remove(tail, { signal }).catch((error: unknown) => {
        if (isKind(error, 'forbidden'))
          throw new ConnectorError('unsupported', 'uploads in parts need the right to delete', { cause: error });
        if (!isKind(error, 'notFound')) throw error;
      });
      const address = await beginSession({ api, url }, key, ask);
      if (!URL.canParse(address)) throw new ConnectorError('unexpected', 'an upload was begun without an address');
      const expires = Math.floor(Date.now() / 1000) + lifetime;
      return { session: JSON.stringify({ address, tail, size }), partSize: usualPart, parallel: 1, expires, kept: () => undefined };
    },

    async sendPart(_key, body, { session, ...part }) {
      const upload = sessionAs(Session, session);
      const end = part.offset + part.size;
      const fits = part.offset % block === 0 && part.size > 0 && (end === upload.size || (end < upload.size && part.size % block === 0));
      if (!fits) throw new ConnectorError('sizeDiffers', `${part.size} bytes from ${part.offset} on are no part of this upload`);
      await sendBytes(body, upload, { ...part, session });
      return String(end);
    },

    async state(key, { signal, session }) {
      const upload = sessionAs(Session, session);
      const stored = await whereIs(upload.address, { signal });
      if (typeof stored !== 'number') {
        await removeTail(key, upload.tail);
        throw unknownUpload();
      }
      const offset = inBlocks(stored);
      const isWhole = offset === inBlocks(upload.size) && (offset === upload.size || (await tailOf(upload, { signal })));
      return { offset: isWhole ? upload.size : offset };
    },

    async finish(key, { signal, session, hashes }) {
      const upload = sessionAs(Session, session);
      const { address, tail, size } = upload;
      const stored = await whereIs(address, { signal });
      if (typeof stored !== 'number') {
        await removeTail(key, tail);
        throw unknownUpload();
      }
      const start = inBlocks(size);
      const found = start === size ? undefined : await tailOf(upload, { signal });
      if (stored < start || (start < size && !found)) throw new ConnectorError('sizeDiffers', 'the last part was not sent');
      const rest = found ? await collect((await store.get(tail, { signal })).body(), block) : Buffer.alloc(0);
      const range = found ? `bytes ${start}-${size - 1}/${size}` : `bytes */${size}`;
      const sent = { signal, headers: hashHeader(hashes), body: rest };
      const object = await send(address, range, sent)
        .then(outcome)
        .catch(async (error: unknown) => {
          const now = isOutcomeUnknown(error) && !signal.aborted ? await whereIs(address, { signal }) : 0;
          if (typeof now === 'number') throw error;
          return now;
        });
      if (typeof object === 'number') throw new ConnectorError('interrupted', 'the upload is not over after its last byte');
      if (found) await removeTail(key, tail);
      return { object };
    },

    async isFinished(key, { signal, session }) {
      const { address, tail } = sessionAs(Session, session);
      if (typeof (await whereIs(address, { signal })) === 'number') return false;
      await removeTail(key, tail);
      return true;
    },

    async abandon(key, { signal, session }: UploadOptions) {
      const { address, tail } = sessionAs(Session, session);
      await api.done({ method: 'DELETE', url: address, signal, authorized: false, accepts: [404, 410, 499] });
      await removeTail(key, tail);
    },
  };
}

const nameIn = (key: string): string => key.slice(key.lastIndexOf('/') + 1);
