import { Readable } from 'node:stream';
import { Type } from 'typebox';
import type { CallOptions } from '../../core/connector.ts';
import { deadlines } from '../../core/deadlines.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import type { HashName } from '../../core/hashes.ts';
import type { Leftovers } from '../../core/leftovers.ts';
import type { FinishUploadOptions, ResumableUploads, UploadOptions } from '../../core/upload.ts';
import { createBodyReader } from '../../kit/body/body-reader.ts';
import { collect } from '../../kit/body/body.ts';
import { partialPathOf } from '../../kit/names/path.ts';
import { leftoverOf, parseLeftover } from '../../kit/object-store/leftover.ts';
import { sessionAs } from '../../kit/object-store/object-uploads.ts';
import { unknownUpload } from '../../kit/object-store/partial-upload.ts';
import { holdBack } from '../../kit/rest/held-back.ts';
import { parseJson } from '../../kit/rest/json.ts';
import type { Graph } from './account/client.ts';
import { createFragment } from './account/fragment.ts';
import { retryWhileBusy } from './account/retry-busy.ts';
import { askSession, endSession, sendFragment } from './account/session.ts';
import { DriveItem, type GraphItem, type Place, addressOf, readItem } from './api.ts';
import { readContent } from './download.ts';
import { naming } from './errors.ts';
import { type DriveTree, childNamed, folderFor } from './items/items.ts';
import { newNameOf } from './items/names.ts';
import { type Target, addressOfTarget, driveOfTarget, openSession, putContent } from './items/target.ts';
import { undoWrite } from './items/undo.ts';
import { replacing, rewrites } from './upload.ts';

/** Every fragment except the last must be a multiple of this: https://learn.microsoft.com/graph/api/driveitem-createuploadsession */
const block = 320 * 1024;
/**
 * Size of a part in bytes: 15 MiB, which is a multiple of the block size and below the maximum fragment size of 60 MiB. A part is in memory
 * while it is sent, so that it can be retried.
 */
export const partSize = 48 * block;

const PlaceShape = Type.Object({ drive: Type.String(), id: Type.String() });
const Session = Type.Object({
  address: Type.String({ pattern: '^https?://' }),
  folder: PlaceShape,
  /** Name of the hidden file with the last bytes. */
  tail: Type.String({ minLength: 1 }),
  size: Type.Integer({ minimum: 1 }),
  /** The file to replace. */
  file: Type.Optional(PlaceShape),
});
type Session = ReturnType<typeof sessionAs<typeof Session>>;

interface Options {
  readonly graph: Graph;
  readonly tree: DriveTree;
  readonly leftovers: Leftovers;
}

/**
 * Upload sessions that another process can continue. The last bytes are held back in a hidden file, because a session ends with its last
 * byte.
 */
export function createParts({
  graph,
  tree,
  leftovers,
}: Options): ResumableUploads & { clearUp(leftover: string, ask: CallOptions): Promise<void> } {
  const held = holdBack<Session>({
    block,
    async stored({ address }, { signal }) {
      const progress = await askSession(graph, address, signal);
      if (progress === 'gone' || 'item' in progress) throw unknownUpload();
      return progress.at;
    },
    async send({ address, size }, { reader, body }, { offset, size: length, signal }) {
      const fragment = createFragment({ reader, body, size: length, isLast: false, onPiece: () => undefined });
      const progress = await sendFragment(graph, address, fragment, offset, { size, signal });
      if (progress === 'gone') throw unknownUpload();
      fragment.release();
      if ('item' in progress) throw new ConnectorError('unexpected', 'the service took the upload for whole before it was');
      if (progress.at !== offset + length) throw new ConnectorError('interrupted', 'the service has other bytes than were sent');
    },
    async putTail({ folder, tail }, bytes, ask) {
      await retryWhileBusy(ask.signal, () => putContent(graph, { folder, name: tail, conflict: 'replace' }, bytes, ask));
    },
    tailSize: async ({ folder, tail }, ask) => (await childNamed(graph, folder, tail, ask))?.entry.size,
  });

  async function removeTail(folder: Place, tail: string, ask: CallOptions): Promise<void> {
    const found = await childNamed(graph, folder, tail, ask);
    if (found) await graph.done({ method: 'DELETE', url: addressOf(found.facts.self), signal: ask.signal, accepts: [404] });
  }

  /** Deletes the hidden file, now or later with the help of its note. */
  async function removeRest({ folder, tail }: Session): Promise<void> {
    const note = leftovers.note(leftoverOf({ place: JSON.stringify(folder), partialName: tail }));
    await note.kept;
    try {
      await removeTail(folder, tail, { signal: AbortSignal.timeout(deadlines.aside) });
      note.gone();
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      note.stays();
    }
  }

  async function abandon(session: Session, { signal }: CallOptions): Promise<void> {
    await endSession(graph, session.address, signal);
    await removeRest(session);
  }

  /** Runs a step; deletes the hidden file when the service no longer knows the session. */
  async function known<Result>(session: Session, step: () => Promise<Result>): Promise<Result> {
    try {
      return await step();
    } catch (error) {
      if (isKind(error, 'notFound')) await removeRest(session);
      throw error;
    }
  }

  /** Returns the upload's current target; abandons the session when it is no longer the one for which the session was opened. */
  async function targetOf(path: string, session: Session, ask: FinishUploadOptions): Promise<Target> {
    const name = newNameOf(path);
    const folder = await folderFor(tree, path, ask);
    const isSame = folder.drive === session.folder.drive && folder.id === session.folder.id;
    // The service itself refuses a taken name. A lookup could return the upload itself: drives of organisations reserve a name for its
    // session.
    if (isSame && ask.ifExists === 'fail') return { folder, name, conflict: 'fail' };
    const target = await aim(graph, { folder, name }, ask);
    const file = 'file' in target ? target.file.facts.inside : undefined;
    // A file that has appeared in the meantime is replaced by name.
    if (isSame && (session.file === undefined || session.file.id === file?.id)) return target;
    await abandon(session, ask);
    throw unknownUpload();
  }

  /** Sends the last bytes, which complete the upload. */
  async function end(session: Session, target: Target, ask: FinishUploadOptions): Promise<DriveItem> {
    const { signal } = ask;
    const tail = await childNamed(graph, session.folder, session.tail, ask);
    if (!tail) throw new ConnectorError('interrupted', 'the last bytes are gone', { retryable: true });
    const bytes = await collect(await readContent(graph, tail, undefined, signal), block);
    const start = held.frontOf(session);
    const body = Readable.from([bytes]);
    const reader = createBodyReader(body, signal);
    const fragment = createFragment({ reader, body, size: bytes.byteLength, isLast: true, onPiece: () => undefined });
    const progress = await naming(sendFragment(graph, session.address, fragment, start, { size: session.size, signal }));
    fragment.release();
    if (progress !== 'gone' && 'item' in progress) return progress.item;
    if (progress !== 'gone') throw new ConnectorError('interrupted', 'the upload is not over after its last byte');
    // The response was lost: the file may be complete.
    const url = addressOfTarget(target);
    const there = await graph.json(DriveItem, { method: 'GET', url, signal });
    const hashes = readItem(there, driveOfTarget(target))?.entry.hashes ?? {};
    const isSame = Object.entries(hashes).some(([name, value]) => ask.hashes[name as HashName] === value);
    if (there.size !== session.size || !isSame) throw unknownUpload();
    return there;
  }

  return {
    async beginUpload(path, ask) {
      const { signal, size } = ask;
      if (size === 0) throw new ConnectorError('unsupported', 'an empty file has no parts');
      const name = newNameOf(path);
      const folder = await folderFor(tree, path, ask);
      const target = await aim(graph, { folder, name }, ask);
      const { url, expires = '' } = await naming(retryWhileBusy(signal, () => openSession(graph, target, ask)));
      const until = Math.floor(Date.parse(expires) / 1000);
      const session: Session = {
        address: url,
        folder,
        tail: partialPathOf('/').slice(1),
        size,
        ...('file' in target && { file: target.file.facts.inside }),
      };
      return {
        session: JSON.stringify(session),
        partSize,
        parallel: 1,
        ...(Number.isFinite(until) && { expires: until }),
        kept: () => undefined,
      };
    },

    async sendPart(_path, body, { session: text, ...part }) {
      const session = sessionAs(Session, text);
      return known(session, () => held.sendPart(session, body, part));
    },

    async uploadState(_path, { session: text, ...ask }) {
      const session = sessionAs(Session, text);
      return { offset: await known(session, () => held.offset(session, ask)) };
    },

    async finishUpload(path, ask) {
      const session = sessionAs(Session, ask.session);
      await known(session, () => held.mustBeWhole(session, ask));
      const target = await targetOf(path, session, ask);
      const item = readItem(await known(session, () => end(session, target, ask)), driveOfTarget(target));
      await removeRest(session);
      if (!item) throw new ConnectorError('unexpected', 'an upload became something else than a file');
      const replaced = 'file' in target ? target.file : undefined;
      try {
        if (!rewrites(newNameOf(path))) mustHold(item, ask);
      } catch (error) {
        await undoWrite(graph, item, replaced);
        tree.forget(path);
        throw error;
      }
      const self = replaced ? { ...item, id: replaced.id, facts: { ...item.facts, self: replaced.facts.self } } : item;
      return { entry: tree.learnt(path, self) };
    },

    abandonUpload: async (_path, { session, signal }: UploadOptions) => abandon(sessionAs(Session, session), { signal }),

    async clearUp(leftover, ask) {
      const { place, partialName } = parseLeftover(leftover);
      await removeTail(parseJson(PlaceShape, place), partialName, ask);
    },
  };
}

/** Returns the destination; rejects with `alreadyExists` and others when the name cannot be used. */
async function aim(
  graph: Graph,
  place: { readonly folder: Place; readonly name: string },
  ask: CallOptions & { readonly ifExists: 'fail' | 'replace' },
): Promise<Target> {
  if (ask.ifExists === 'replace') return replacing(graph, place, ask);
  if (await retryWhileBusy(ask.signal, () => childNamed(graph, place.folder, place.name, ask)))
    throw new ConnectorError('alreadyExists', 'the name is taken');
  return { ...place, conflict: 'fail' };
}

/** Rejects with `damaged` when the size or a hash of the stored file differs from the bytes that were sent. */
function mustHold({ entry }: GraphItem, { size, hashes }: FinishUploadOptions): void {
  if (entry.size !== size) throw new ConnectorError('damaged', `the service has ${entry.size} of ${size} bytes`);
  for (const [name, stored] of Object.entries(entry.hashes ?? {})) {
    const sent = hashes[name as HashName];
    if (sent !== undefined && sent !== stored)
      throw new ConnectorError('damaged', `the stored file has another ${name} than the bytes sent`);
  }
}
