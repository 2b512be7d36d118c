import { ConnectorError } from '../../core/error.ts';
import type { Leftovers } from '../../core/leftovers.ts';
import type { ResumableUploads } from '../../core/upload.ts';
import { markHandled } from '../../kit/concurrency/mark-handled.ts';
import { nameOf, partialPathOf } from '../../kit/names/path.ts';
import { certainOffset, parseSession, sessionOf, unknownUpload, usualPartSize } from '../../kit/object-store/partial-upload.ts';
import { type Attrs, toEntry } from './api.ts';
import { type Placing, clearUpload, noteOf, placingOf, restored } from './clearing.ts';
import type { GrowingDigests } from './digest.ts';
import { aborted } from './errors.ts';
import type { ServerPath } from './paths.ts';
import type { Commands } from './session/commands.ts';
import type { Connection } from './session/connection.ts';
import { sendBody } from './session/outflow.ts';
import { found, mustBeFree } from './session/questions.ts';
import { created, explaining, finished, modeOf, putInPlace, targetOf, timeOf } from './upload.ts';

interface Options {
  readonly call: <T>(signal: AbortSignal, work: (commands: Commands, connection: Pick<Connection, 'run'>) => Promise<T>) => Promise<T>;
  readonly serverPath: ServerPath;
  readonly leftovers: Leftovers;
  readonly digests: GrowingDigests;
}

/** Permission bit that lets the owner open the partial file again, whatever the mode of the file that it replaces. */
const ownerMayWrite = 0o200;

/**
 * Uploads into a partial file, whose size shows their progress. Each part is synced to disk before it is confirmed, where the server
 * supports it.
 */
export function resumableUploads({ call, serverPath, leftovers, digests }: Options): ResumableUploads {
  return {
    beginUpload: (path, { signal, ifExists }) =>
      call(signal, async (commands) => {
        const { target, before } = await targetOf(commands, serverPath(path), ifExists);
        const partialName = nameOf(partialPathOf(path));
        const placing = placingOf(target, partialName);
        const note = leftovers.note(noteOf(target, partialName));
        const { mode } = before ? modeOf(before) : {};
        const attrs = mode === undefined ? {} : { mode: mode | ownerMayWrite };
        const handle = await created(commands, placing.partial, attrs, note).catch(explaining(commands, placing));
        try {
          await commands.close(handle);
          if (signal.aborted) throw aborted();
        } catch (error) {
          note.stays();
          throw error;
        }
        const session = sessionOf({ place: target.toString('latin1'), partialName, partSize: usualPartSize });
        return { session, partSize: usualPartSize, parallel: 1, kept: () => note.gone('now') };
      }),

    async sendPart(_path, body, { signal, session, offset, size, digest: isDigested = false }) {
      try {
        return await call(signal, async (commands, connection) => {
          const placing = placed(session);
          // In one packet: each round trip between two parts is a pause.
          const looking = markHandled(mustReach(commands, placing.partial, offset));
          const handle = await commands.openWrite(placing.partial);
          let closed: Promise<void> | undefined;
          const close = () => (closed ??= commands.close(handle));
          try {
            await looking;
            const sent = await sendBody(commands.session, { handle, body, signal, from: offset, most: size }).catch(
              explaining(commands, placing),
            );
            if (sent !== size) throw new ConnectorError('sizeDiffers', `${sent} bytes came, ${size} were announced`);
            await finished({ ...commands, close }, handle, {}).catch(explaining(commands, placing));
            if (isDigested) digests.add(session, { connection, path: placing.partial, offset, size });
            return String(offset + size);
          } catch (error) {
            digests.drop(session);
            await Promise.allSettled([close()]);
            throw error;
          }
        });
      } finally {
        body.destroy();
      }
    },

    uploadState: (_path, { signal, session }) =>
      call(signal, async (commands) => {
        const { size = 0 } = await partialOf(commands, placed(session));
        return { offset: certainOffset(size, parseSession(session).partSize) };
      }),

    finishUpload: (path, { signal, session, size, ifExists, setAside, modified, hashes }) =>
      call(signal, async (commands) => {
        const placing = placed(session);
        const { partial, target } = placing;
        const stored = await partialOf(commands, placing);
        if (stored.size !== undefined && stored.size !== size)
          throw new ConnectorError('sizeDiffers', `the server has ${stored.size} of ${size} bytes`);
        const before = await found(commands.lstat(target));
        if (before && ifExists === 'fail') throw new ConnectorError('alreadyExists', 'something has that name');
        await finished(commands, await commands.openWrite(partial), { ...modeOf(before ?? {}), ...timeOf(modified) });
        const after = await commands.lstat(partial);
        const sha256 = await digests.end(session, size, signal);
        if (ifExists === 'fail') await mustBeFree(commands, target);
        if (signal.aborted) throw aborted();
        try {
          await putInPlace(commands, placing, { ifExists, ...(setAside && { setAside }) }, serverPath);
        } catch (error) {
          await restored(commands, placing);
          throw error;
        }
        // Another hash than that of the sent bytes proves nothing: the complete file is then hashed, or read back.
        const isProven = sha256 !== undefined && sha256 === hashes.sha256;
        return {
          entry: toEntry(nameOf(path), { ...after, size }),
          ...(isProven && { proof: { algorithm: 'sha256', computed: sha256, stored: sha256 } }),
        };
      }),

    abandonUpload: (_path, { signal, session }) => {
      digests.drop(session);
      return call(signal, (commands) => clearUpload(commands, placed(session)));
    },
  };
}

function placed(session: string): Placing {
  const { place, partialName } = parseSession(session);
  return placingOf(Buffer.from(place, 'latin1'), partialName);
}

async function partialOf(commands: Commands, { partial }: Placing): Promise<Attrs> {
  const attrs = await found(commands.lstat(partial));
  if (!attrs) throw unknownUpload();
  return attrs;
}

/** Rejects a part that begins past the end of the file: it would leave a hole. */
async function mustReach(commands: Commands, partial: Buffer, offset: number): Promise<void> {
  const { size } = await commands.lstat(partial);
  if (size !== undefined && size < offset)
    throw new ConnectorError('badRange', `the server has ${size} bytes, the part begins at ${offset}`);
}
