import { type Static, Type } from 'typebox';
import { deadlines } from '../../../core/deadlines.ts';
import { ConnectorError, isKind } from '../../../core/error.ts';
import type { Leftovers } from '../../../core/leftovers.ts';
import type { ResumableUploads, SentPart } from '../../../core/upload.ts';
import { parentOf } from '../../../kit/names/path.ts';
import { unknownUpload, usualPartSize } from '../../../kit/object-store/partial-upload.ts';
import { parseJson } from '../../../kit/rest/json.ts';
import { scanXml } from '../../../kit/xml/xml.ts';
import { propfind, toResource } from '../api.ts';
import type { DavClient } from '../client.ts';
import { refuse } from '../errors.ts';
import type { Places } from '../places.ts';
import type { Resources } from '../resources.ts';
import { type UploadSteps, timeHeaders } from '../upload.ts';
import { accountId, cloudRootOf } from './cloud.ts';

export interface ChunksDeps {
  readonly client: DavClient;
  /** Path of the link's start folder. */
  readonly base: string;
  readonly places: Places;
  readonly resources: Resources;
  readonly steps: UploadSteps;
  readonly leftovers: Leftovers;
}

const Session = Type.Object({
  /** The upload's folder: account id, and a name created by Sheaf. */
  folder: Type.String({ pattern: '^[^/]+/sheaf-[0-9a-f-]{36}$' }),
  partSize: Type.Integer({ minimum: 1 }),
  size: Type.Integer({ minimum: 0 }),
});

/** Maximum number of chunks; they are numbered from 1. */
const mostChunks = 10_000;
const mebibyte = 1024 * 1024;
/** Seconds without a chunk after which Nextcloud deletes an upload. */
const life = 24 * 3600;

/** Whether a session is one of an upload in chunks. */
export const isChunked = (session: string): boolean => session.includes('"folder"');

const partSizeOf = (size: number): number => Math.max(usualPartSize, Math.ceil(size / mostChunks / mebibyte) * mebibyte);

/**
 * Uploads in chunks, as supported by Nextcloud (version 2 of its chunking) and ownCloud 10: chunks go into a folder of the account's
 * uploads, in any order, and MOVE assembles the file.
 */
export function chunkUploads({ client, base, places, resources, steps, leftovers }: ChunksDeps) {
  const addressOf = (folder: string, name = ''): string => `${cloudRootOf(base) ?? ''}/remote.php/dav/uploads/${folder}/${name}`;
  /** Returns the file's URL below `files`: the server treats the older endpoint `webdav` as another tree. */
  const destinationOf = (file: string, folder: string): string =>
    places.destination(file, 'file').replace(/\/remote\.php\/webdav(?=\/)/, `/remote.php/dav/files/${folder.split('/')[0]}`);

  async function remove(folder: string, signal: AbortSignal): Promise<void> {
    const response = await client.send({ method: 'DELETE', path: addressOf(folder), signal });
    if (![200, 202, 204, 404].includes(response.status)) return refuse(response);
    await response.discard();
  }

  /** Returns the complete chunks that the server has. */
  async function partsOf({ folder, partSize, size }: Static<typeof Session>, signal: AbortSignal): Promise<readonly SentPart[]> {
    const headers = { depth: '1', 'content-type': 'application/xml; charset=utf-8' };
    const response = await client.send({ method: 'PROPFIND', path: addressOf(folder), headers, body: propfind, signal });
    if (response.status !== 207) return refuse(response);
    const parts: SentPart[] = [];
    for await (const elements of scanXml(response.stream(), ['response']))
      for (const element of elements) {
        const { entry } = toResource(element) ?? {};
        if (!entry || !/^\d{1,5}$/.test(entry.name)) continue;
        const offset = (Number(entry.name) - 1) * partSize;
        const expected = Math.min(partSize, size - offset);
        if (offset >= 0 && entry.size === expected) parts.push({ offset, size: expected, receipt: receiptOf(offset, expected) });
      }
    return parts.sort((one, other) => one.offset - other.offset);
  }

  const uploads: ResumableUploads = {
    async beginUpload(file, { signal, ifExists, size }) {
      await steps.requireFree(file, { signal, ifExists });
      const { kind } = await resources.stat(parentOf(file), signal);
      if (kind !== 'folder') throw new ConnectorError('notFound', 'the parent is a file');
      const account = await accountId(client, base, signal);
      if (account === undefined) throw new ConnectorError('unsupported', 'the server does not tell the id of the account');
      const folder = `${account}/sheaf-${crypto.randomUUID()}`;
      const note = leftovers.note(JSON.stringify(['', folder]));
      await note.kept;
      try {
        const headers = { destination: destinationOf(file, folder) };
        const response = await client.send({ method: 'MKCOL', path: addressOf(folder), headers, signal });
        if (response.status !== 201) {
          await response.discard();
          throw new ConnectorError('unsupported', `the server takes no chunks: ${response.status}`);
        }
        await response.discard();
      } catch (error) {
        note.stays();
        throw error;
      }
      const partSize = partSizeOf(size);
      const session = JSON.stringify({ folder, partSize, size } satisfies Static<typeof Session>);
      return { session, partSize, parallel: 4, expires: Math.floor(Date.now() / 1000) + life, kept: () => note.gone('now') };
    },

    async sendPart(file, body, { signal, session, offset, size }) {
      try {
        const { folder, partSize, size: total } = parsed(session);
        if (offset % partSize !== 0) throw new ConnectorError('badRange', `a part begins at ${offset}, chunks have ${partSize} bytes`);
        const headers = {
          'content-type': 'application/octet-stream',
          destination: destinationOf(file, folder),
          'oc-total-length': String(total),
        };
        const path = addressOf(folder, String(offset / partSize + 1).padStart(5, '0'));
        const response = await client.send({ method: 'PUT', path, headers, body, size, signal });
        if (![200, 201, 204].includes(response.status)) return await refuse(response);
        await response.discard();
        return receiptOf(offset, size);
      } finally {
        body.destroy();
      }
    },

    async uploadState(_file, { signal, session }) {
      return { parts: await partsOf(parsed(session), signal) };
    },

    async finishUpload(file, { signal, session, size, ifExists, setAside, modified, hashes }) {
      const upload = parsed(session);
      const { folder } = upload;
      const there = (await partsOf(upload, signal)).reduce((sum, part) => sum + part.size, 0);
      if (there !== size) throw new ConnectorError('sizeDiffers', `the server has ${there} of ${size} bytes`);
      await steps.requireFree(file, { signal, ifExists });
      await steps.cleared(file, { signal, ifExists, ...(setAside && { setAside }) });
      const headers = {
        destination: destinationOf(file, folder),
        overwrite: ifExists === 'replace' ? 'T' : 'F',
        'oc-total-length': String(size),
        ...timeHeaders(modified),
      };
      const request = { method: 'MOVE', path: addressOf(folder, '.file'), headers, signal, headTimeout: deadlines.longWork };
      const response = await client.send(request);
      if (response.status !== 201 && response.status !== 204) return refuse(response);
      await response.discard();
      const entry = await resources.stat(file, signal);
      if (entry.size !== size) throw new ConnectorError('damaged', `the server made a file of ${entry.size} bytes instead of ${size}`);
      if (entry.hashes?.sha1 !== undefined && hashes.sha1 !== undefined && entry.hashes.sha1 !== hashes.sha1)
        throw new ConnectorError('damaged', 'the server reports another hash');
      return { entry };
    },

    abandonUpload: (_file, { signal, session }) => remove(parsed(session).folder, signal),
  };
  return { uploads, remove };
}

const receiptOf = (offset: number, size: number): string => `${offset}-${offset + size}`;

function parsed(session: string) {
  try {
    return parseJson(Session, session);
  } catch (error) {
    if (isKind(error, 'unexpected')) throw unknownUpload(error);
    throw error;
  }
}

/**
 * Returns the folder of chunks in a note; undefined for the note of another kind of upload. Throws `unexpected` for a folder that no upload
 * has created.
 */
export function chunksIn([place, folder]: readonly [string, string]): string | undefined {
  if (place !== '') return undefined;
  if (!/^[^/]+\/sheaf-[0-9a-f-]{36}$/.test(folder)) throw new ConnectorError('unexpected', 'a leftover that no upload has made');
  return folder;
}
