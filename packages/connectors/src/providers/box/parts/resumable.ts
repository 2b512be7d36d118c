import { Type } from 'typebox';
import type { CallOptions, Entry } from '../../../core/connector.ts';
import { ConnectorError, isKind } from '../../../core/error.ts';
import type { ResumableUploads, SentPart } from '../../../core/upload.ts';
import { createBodyReader } from '../../../kit/body/body-reader.ts';
import { lengthOf } from '../../../kit/body/chunks.ts';
import { bodyHash, withHash } from '../../../kit/hash/content-hash.ts';
import { itemNameOf } from '../../../kit/id-tree/item-tree.ts';
import { nameOf, parentOf } from '../../../kit/names/path.ts';
import { indexOfPart, receiptsOf, sessionAs, sizeOfPart } from '../../../kit/object-store/object-uploads.ts';
import { unknownUpload } from '../../../kit/object-store/partial-upload.ts';
import { parseJson } from '../../../kit/rest/json.ts';
import { type Node, type Part, Session } from '../api.ts';
import type { BoxClient } from '../client.ts';
import { abort, beginSession, commit, committedAlready, partsOf, putPart, width } from '../session.ts';
import { aim } from '../target.ts';
import { aimed, sessionFrom } from '../upload.ts';

interface Options {
  /** Works on the folder that contains the path. */
  readonly inFolder: <Result>(path: string, ask: CallOptions, work: (folder: string) => Promise<Result>) => Promise<Result>;
  /** Returns the entry of a node in the folder. */
  readonly placed: (folder: string, node: Node) => Entry;
  readonly refuseRoot: (path: string) => void;
}

const StoredSession = Type.Object({
  target: Type.Object({ folder: Type.String(), name: Type.String(), file: Type.Optional(Type.String()) }),
  size: Type.Integer({ minimum: 1 }),
  session: Session,
});
const Receipt = Type.Object({ id: Type.String(), sha1: Type.String() });

/** Upload sessions that another process can continue: https://developer.box.com/guides/uploads/chunked */
export function createParts(client: BoxClient, { inFolder, placed, refuseRoot }: Options): ResumableUploads {
  const stored = (session: string) => sessionAs(StoredSession, session);

  /** Returns the sizes of the parts in the form that {@link indexOfPart} and the like expect. */
  const planOf = ({ size, session }: ReturnType<typeof stored>) => ({ size, partSize: session.part_size });

  async function state({ size, session }: ReturnType<typeof stored>, signal: AbortSignal): Promise<SentPart[]> {
    const parts: SentPart[] = [];
    for await (const part of partsOf(client, session, signal)) {
      const plan = { size, partSize: session.part_size };
      if (part.offset % plan.partSize === 0 && part.size === sizeOfPart(plan, part.offset / plan.partSize)) parts.push(toSent(part));
    }
    return parts;
  }

  return {
    async beginUpload(path, ask) {
      const { signal, size } = ask;
      refuseRoot(path);
      if (size < sessionFrom) throw new ConnectorError('unsupported', 'Box takes files from 20 MB on in parts');
      const { session, target } = await inFolder(path, ask, async (folder) => {
        const place = { folder, name: itemNameOf(nameOf(path)) };
        return aimed(client, place, await aim(client, place, ask), ask, (to) => beginSession(client, to, size, signal));
      });
      const expires = Math.floor(Date.parse(session.session_expires_at ?? '') / 1000);
      return {
        session: JSON.stringify({ target, size, session }),
        partSize: session.part_size,
        parallel: width,
        ...(Number.isFinite(expires) && { expires }),
        needs: ['sha1'],
        // Box deletes abandoned sessions by itself.
        kept: () => undefined,
      };
    },

    async sendPart(_path, body, { session: text, offset, size, signal }) {
      try {
        const upload = stored(text);
        indexOfPart(planOf(upload), { offset, size });
        const reader = createBodyReader(body, signal);
        return await withHash(bodyHash('sha1', 'base64')(size), async (running) => {
          const bytes = await reader.gather(size, (chunk) => running.update(chunk));
          const extra = lengthOf(bytes) === size ? await reader.gather(1) : [];
          if (lengthOf(bytes) + lengthOf(extra) !== size) throw new ConnectorError('sizeDiffers', `another length than ${size} bytes came`);
          const hash = await running.digest();
          const part = await putPart(client, upload.session, { bytes, offset, size, hash, whole: upload.size }, signal);
          reader.release(bytes);
          return toSent({ ...part, sha1: Buffer.from(hash, 'base64').toString('hex') }).receipt;
        });
      } finally {
        body.destroy();
      }
    },

    async uploadState(_path, { session, signal }) {
      return { parts: await state(stored(session), signal) };
    },

    async finishUpload(path, { session: text, parts, hashes, ...ask }) {
      const { signal } = ask;
      const upload = stored(text);
      const { session, target, size } = upload;
      const known = (): Promise<unknown> => state(upload, signal);
      const there = await inFolder(path, ask, (folder) => aim(client, { folder, name: target.name }, ask)).catch(async (error: unknown) => {
        // An earlier call may have finished this upload and its response was lost: then Box does not know the session.
        if (isKind(error, 'alreadyExists')) await known();
        throw error;
      });
      if (there.folder !== target.folder || there.file !== target.file) {
        // The session is useless: it would add a version to a file that was moved, or be refused because the name is taken.
        await abort(client, session, signal);
        throw unknownUpload();
      }
      const receipts = await receiptsOf(planOf(upload), parts, known);
      if (hashes.sha1 === undefined) throw new ConnectorError('unexpected', 'Box needs the SHA-1 of the file');
      const hash = Buffer.from(hashes.sha1, 'hex');
      const named = receipts.map((receipt, index) => {
        const { id, sha1 } = parseJson(Receipt, receipt);
        const offset = index * session.part_size;
        return { part_id: id, offset, size: sizeOfPart(planOf(upload), index), sha1 };
      });
      const node = await commit(client, session, named, hash, ask).catch((error: unknown) =>
        committedAlready(client, target, hash, ask, error),
      );
      if (node.entry.size !== size) throw new ConnectorError('damaged', `Box has ${node.entry.size} of ${size} bytes`);
      return { entry: placed(parentOf(path), node) };
    },

    abandonUpload: async (_path, { session, signal }) => abort(client, stored(session).session, signal),
  };
}

const toSent = ({ part_id, offset, size, sha1 }: Part): SentPart => ({
  offset,
  size,
  receipt: JSON.stringify({ id: part_id, sha1: sha1?.toLowerCase() ?? '' }),
});
