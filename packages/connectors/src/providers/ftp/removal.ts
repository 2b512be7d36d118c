import type { Entry } from '../../core/connector.ts';
import type { Dialer } from '../../core/dialer.ts';
import { ConnectorError } from '../../core/error.ts';
import { createWholeBody } from '../../kit/body/whole-body.ts';
import { joinPath, nameOf, parentOf, partialPrefix } from '../../kit/names/path.ts';
import { nameOf as decoded } from './api.ts';
import { only } from './data.ts';
import { startDownload } from './download.ts';
import { type Reply, isPlainNo, refusal } from './errors.ts';
import { listFolder } from './listing/listing.ts';
import { look } from './listing/lookup.ts';
import type { Session } from './session.ts';

interface Deps {
  readonly dialer: Dialer;
}

interface Item {
  readonly kind: Entry['kind'];
  /** Called for a folder that DELE refuses. */
  isLink(): Promise<boolean>;
}

/** Maximum entries of a recursive deletion. */
const mostEntries = 1_000_000;
/** Maximum bytes of an NLST response, used for names that the listing hides. */
const longestNames = 16 * 1024 * 1024;

/** Deletes a file, a link (never its target), or a folder recursively, deepest first. */
export function createRemoval({ dialer }: Deps) {
  async function remove(session: Session, path: string, { kind, isLink }: Item, signal: AbortSignal): Promise<void> {
    // DELE comes first for folders too: a server may show a link to a folder as a folder, and only the link must be deleted.
    const reply = await session.about('DELE', path, signal);
    if (reply.code < 400) return;
    if (kind === 'file' || (await isLink())) return explain(session, path, reply, 'DELE', signal);
    const entries: Entry[] = [];
    for await (const batch of listFolder(session, dialer, path, signal)) {
      if (entries.length + batch.length > mostEntries) throw new ConnectorError('tooLarge', `${path} has more than ${mostEntries} entries`);
      for (const entry of batch) entries.push(entry);
    }
    for (const entry of entries) {
      const isEntryLink = async () => entry.isLink === true;
      await remove(session, joinPath(path, entry.name), { kind: entry.kind, isLink: isEntryLink }, signal);
    }
    await removeEmptied(session, path, signal);
  }

  async function removeEmptied(session: Session, folder: string, signal: AbortSignal): Promise<void> {
    const reply = await session.about('RMD', folder, signal);
    if (reply.code < 400) return;
    const leftovers = await leftoversIn(session, folder, signal);
    for (const name of leftovers) await session.about('DELE', joinPath(folder, name), signal);
    const again = leftovers.length > 0 ? await session.about('RMD', folder, signal) : reply;
    if (again.code >= 400) await explain(session, folder, again, 'RMD', signal);
  }

  /** Returns the names of orphaned upload files, which listings hide. */
  async function leftoversIn(session: Session, folder: string, signal: AbortSignal): Promise<readonly string[]> {
    // Changes into the folder, because NLST would interpret a `*` in its name.
    if ((await session.about('CWD', folder, signal)).code >= 400) return [];
    const download = await startDownload(session, dialer, signal, only('NLST -a'));
    if (!('next' in download)) return [];
    const whole = createWholeBody(longestNames);
    try {
      for (let chunk = await download.next(); chunk; chunk = await download.next()) whole.add(chunk);
      await download.finish();
    } catch (error) {
      await download.abandon();
      throw error;
    } finally {
      download.release();
    }
    return whole
      .bytes()
      .toString('latin1')
      .split(/\r?\n/)
      .map((line) => nameOf(decoded(line)))
      .filter((name) => name.startsWith(partialPrefix));
  }

  /** Whether the parent folder lists it as a link: only a listing is reliable, ProFTPD's MLST follows links. */
  async function isLinkToFolder(session: Session, path: string, signal: AbortSignal): Promise<boolean> {
    for await (const batch of listFolder(session, dialer, parentOf(path), signal)) {
      const listed = batch.find(({ name }) => name === nameOf(path));
      if (listed) return listed.isLink === true;
    }
    return false;
  }

  return async (session: Session, path: string, signal: AbortSignal): Promise<void> => {
    const { kind } = await look(session, path, signal);
    await remove(session, path, { kind, isLink: () => isLinkToFolder(session, path, signal) }, signal);
  };
}

/** Maps a plain refusal to `notFound` when nothing exists. */
async function explain(session: Session, path: string, reply: Reply, command: string, signal: AbortSignal): Promise<never> {
  if (isPlainNo(reply)) await look(session, path, signal);
  throw refusal(reply, command);
}
