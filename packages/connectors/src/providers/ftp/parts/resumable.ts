import { Readable } from 'node:stream';
import { deadlines } from '../../../core/deadlines.ts';
import type { Env } from '../../../core/definition.ts';
import { ConnectorError } from '../../../core/error.ts';
import type { ResumableUploads } from '../../../core/upload.ts';
import { nameOf, partialPathOf } from '../../../kit/names/path.ts';
import { certainOffset, parseSession, sessionOf, unknownUpload, usualPartSize } from '../../../kit/object-store/partial-upload.ts';
import { clearUpload, filesOf, noteOf, noted, restored } from '../clearing.ts';
import { find, look } from '../listing/lookup.ts';
import type { Session } from '../session.ts';
import { type StoreDeps, type Storing, putInPlace, refuseUnwritable, stamp, tidy } from '../store.ts';
import { createTrial, sendInto } from './sending.ts';
import { verify } from './verification.ts';

interface Deps extends StoreDeps {
  readonly env: Partial<Pick<Env, 'recall' | 'remember'>>;
}

/**
 * Uploads into a partial file, whose size shows their progress. `beginUpload` rejects with `unsupported` where the server cannot resume a
 * file; this is probed once per link.
 */
export function resumableUploads({ pool, dialer, mutex, leftovers, env }: Deps): ResumableUploads {
  const trial = createTrial(dialer, env);

  return {
    async beginUpload(file, { signal, ifExists }) {
      const storing: Storing = { files: filesOf(file, partialPathOf(file)) };
      const { files } = storing;
      try {
        return await pool.use(signal, async (session) => {
          await refuseUnwritable(session, file, { signal, ifExists });
          const note = (storing.note = leftovers.note(noteOf(files)));
          await note.kept;
          await sendInto(session, dialer, files, Readable.from([]), { signal, way: 'restart', offset: 0, size: 0 });
          const way = await trial.way(session, { files, signal });
          if (way === 'none') throw new ConnectorError('unsupported', 'the server cannot continue a file');
          const upload = { place: file, partialName: nameOf(files.partial), partSize: usualPartSize };
          const text = sessionOf({ ...upload, ...(way === 'append' && { appends: true }) });
          return { session: text, partSize: usualPartSize, parallel: 1, kept: () => note.gone('now') };
        });
      } catch (error) {
        await tidy(pool, storing);
        throw error;
      }
    },

    async sendPart(_file, body, { signal, session: text, offset, size }) {
      try {
        return await pool.use(signal, async (session) => {
          const { files, appends } = uploadOf(text);
          const before = await sizeOf(session, files.partial, signal);
          if (before < offset || (appends && before > offset))
            throw new ConnectorError('badRange', `the server has ${before} bytes, the part begins at ${offset}`);
          await sendInto(session, dialer, files, body, { signal, way: appends ? 'append' : 'restart', offset, size });
          const after = await sizeOf(session, files.partial, signal);
          if (after < offset + size) {
            // The server has replaced the file: its content is now unknown.
            await trial.forget();
            await clearUpload(session, files, signal);
            throw new ConnectorError('interrupted', `the server kept ${after} of ${offset + size} bytes`);
          }
          return String(offset + size);
        });
      } finally {
        body.destroy();
      }
    },

    uploadState: (_file, { signal, session: text }) =>
      pool.use(signal, async (session) => {
        const { files, partSize, appends } = uploadOf(text);
        const size = await sizeOf(session, files.partial, signal);
        return { offset: appends ? size : certainOffset(size, partSize) };
      }),

    async finishUpload(file, { signal, session: text, size, ifExists, setAside, modified, hashes: expected }) {
      const storing: Storing = { files: uploadOf(text).files };
      const { partial } = storing.files;
      try {
        return await pool.use(signal, async (session) => {
          const stored = await sizeOf(session, partial, signal);
          if (stored !== size) throw new ConnectorError('sizeDiffers', `the server has ${stored} of ${size} bytes`);
          await refuseUnwritable(session, file, { signal, ifExists });
          const hashes = await verify(session, { path: partial, size, expected, signal });
          await stamp(session, partial, modified, signal);
          await mutex(file, () => putInPlace(session, storing, file, { signal, ifExists, ...(setAside && { setAside }) }));
          return { entry: { ...(await look(session, file, signal)), size, ...(hashes && { hashes }) } };
        });
      } catch (error) {
        const within = AbortSignal.timeout(deadlines.aside);
        if (storing.hasStepped) await pool.use(within, (session) => restored(session, storing.files, within));
        throw error;
      }
    },

    abandonUpload: (_file, { signal, session: text }) => pool.use(signal, (session) => clearUpload(session, uploadOf(text).files, signal)),
  };
}

function uploadOf(text: string) {
  const { partSize, appends = false, ...leftover } = parseSession(text);
  return { files: noted(leftover), partSize, appends };
}

async function sizeOf(session: Session, partial: string, signal: AbortSignal): Promise<number> {
  const entry = await find(session, partial, signal);
  if (!entry) throw unknownUpload();
  if (entry.size === undefined) throw new ConnectorError('unexpected', 'the server does not report the size of a file');
  return entry.size;
}
