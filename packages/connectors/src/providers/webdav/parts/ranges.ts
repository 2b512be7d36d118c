import type { Entry } from '../../../core/connector.ts';
import { ConnectorError, isKind } from '../../../core/error.ts';
import type { Leftovers } from '../../../core/leftovers.ts';
import type { ResumableUploads } from '../../../core/upload.ts';
import { collect } from '../../../kit/body/body.ts';
import { joinPath, nameOf, parentOf, partialPathOf } from '../../../kit/names/path.ts';
import { leftoverOf } from '../../../kit/object-store/leftover.ts';
import { certainOffset, parseSession, sessionOf, unknownUpload, usualPartSize } from '../../../kit/object-store/partial-upload.ts';
import type { DavClient } from '../client.ts';
import type { createDownload } from '../download.ts';
import { refuse } from '../errors.ts';
import type { Places } from '../places.ts';
import type { Resources } from '../resources.ts';
import type { UploadSteps } from '../upload.ts';

export interface RangesDeps {
  readonly client: DavClient;
  readonly places: Places;
  readonly resources: Resources;
  readonly read: ReturnType<typeof createDownload>;
  readonly steps: UploadSteps;
  readonly leftovers: Leftovers;
  /** Whether the server accepts ranges, as stored; undefined when it was never probed. */
  isKnown(): Promise<boolean | undefined>;
  know(takesRanges: boolean | undefined): Promise<void>;
}

/**
 * Uploads into a partial file by PUT with Content-Range, as Apache and lighttpd accept it. A server that does not support this may replace
 * the file with the part (RFC 9110, section 14.5). It is therefore probed once per link with two bytes, sent only for partial files, and
 * the file's size is checked after each part.
 */
export function rangeUploads({ client, places, resources, read, steps, leftovers, isKnown, know }: RangesDeps): ResumableUploads {
  async function putRange(path: string, body: NonNullable<Parameters<DavClient['send']>[0]['body']>, range: Range): Promise<void> {
    const { offset, size, signal } = range;
    const headers = { 'content-type': 'application/octet-stream', 'content-range': `bytes ${offset}-${offset + size - 1}/*` };
    const response = await client.send({ method: 'PUT', path: places.address(path, 'file'), headers, body, size, signal });
    if (![200, 201, 204].includes(response.status)) return refuse(response);
    await response.discard();
  }

  const putWhole = (path: string, text: string, signal: AbortSignal) =>
    steps.putBytes(path, Buffer.from(text), { signal, ifExists: 'replace' });

  /** Probes with a partial file of two bytes whether the second byte can be replaced. */
  async function takesRanges(partial: string, signal: AbortSignal): Promise<boolean> {
    await putWhole(partial, 'ab', signal);
    try {
      await putRange(partial, Buffer.from('c'), { offset: 1, size: 1, signal });
    } catch (error) {
      // nginx responds with 501, others with 400.
      if (isKind(error, 'unsupported', 'badName', 'badRange', 'forbidden', 'failed', 'unexpected')) return false;
      throw error;
    }
    return (await collect(await read(partial, { signal }))).toString() === 'ac';
  }

  async function tried(partial: string, signal: AbortSignal): Promise<boolean> {
    const known = await isKnown();
    if (known !== undefined) return known;
    const found = await takesRanges(partial, signal);
    await know(found);
    return found;
  }

  async function partialOf(session: string, signal: AbortSignal): Promise<Entry & { readonly size: number }> {
    const entry = await resources.find(uploadOf(session).partial, signal);
    if (!entry) throw unknownUpload();
    if (entry.size === undefined) throw new ConnectorError('unexpected', 'the server does not report the size of a file');
    return { ...entry, size: entry.size };
  }

  return {
    async beginUpload(file, { signal, ifExists }) {
      await steps.requireFree(file, { signal, ifExists });
      const partial = partialPathOf(file);
      const leftover = { place: file, partialName: nameOf(partial) };
      const note = leftovers.note(leftoverOf(leftover));
      await note.kept;
      try {
        if (!(await tried(partial, signal))) throw new ConnectorError('unsupported', 'the server takes no part of a file');
        await putWhole(partial, '', signal);
        const session = sessionOf({ ...leftover, partSize: usualPartSize });
        return { session, partSize: usualPartSize, parallel: 1, kept: () => note.gone('now') };
      } catch (error) {
        if (await steps.cleanedUp(partial)) note.gone();
        else note.stays();
        throw error;
      }
    },

    async sendPart(_file, body, { signal, session, offset, size }) {
      try {
        const { partial } = uploadOf(session);
        const before = (await partialOf(session, signal)).size;
        if (before < offset) throw new ConnectorError('badRange', `the server has ${before} bytes, the part begins at ${offset}`);
        await putRange(partial, body, { offset, size, signal });
        const after = (await partialOf(session, signal)).size;
        if (after < Math.max(before, offset + size)) {
          // The server has replaced the file: its content is unknown.
          await know(undefined);
          await steps.remove(partial, signal);
          throw new ConnectorError('interrupted', `the server kept ${after} of ${offset + size} bytes`);
        }
        return String(offset + size);
      } finally {
        body.destroy();
      }
    },

    async uploadState(_file, { signal, session }) {
      return { offset: certainOffset((await partialOf(session, signal)).size, uploadOf(session).partSize) };
    },

    async finishUpload(file, { signal, session, size, ifExists, setAside }) {
      const entry = await partialOf(session, signal);
      if (entry.size !== size) throw new ConnectorError('sizeDiffers', `the server has ${entry.size} of ${size} bytes`);
      await steps.requireFree(file, { signal, ifExists });
      await steps.place(uploadOf(session).partial, file, size, { signal, ifExists, ...(setAside && { setAside }) });
      return { entry: { ...entry, name: nameOf(file) } };
    },

    async abandonUpload(_file, { signal, session }) {
      await steps.remove(uploadOf(session).partial, signal);
    },
  };
}

interface Range {
  readonly offset: number;
  readonly size: number;
  readonly signal: AbortSignal;
}

function uploadOf(session: string) {
  const { place, partialName, partSize } = parseSession(session);
  return { partial: joinPath(parentOf(place), partialName), partSize };
}
