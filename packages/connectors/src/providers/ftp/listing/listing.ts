import type { Entry } from '../../../core/connector.ts';
import type { Dialer } from '../../../core/dialer.ts';
import { ConnectorError } from '../../../core/error.ts';
import { joinPath, partialPrefix } from '../../../kit/names/path.ts';
import { type Listed, parseFacts } from '../api.ts';
import { only } from '../data.ts';
import { startDownload } from '../download.ts';
import { refusal } from '../errors.ts';
import type { Session } from '../session.ts';
import { parseLongLine } from './long-lines.ts';
import { find, look } from './lookup.ts';
import { readUsualLine } from './usual-lines.ts';

const [lineFeed, carriageReturn] = [0x0a, 0x0d];
/** Maximum bytes of a line. */
const longestLine = 64 * 1024;
/** Maximum links of a folder; resolved after the listing, because the session is busy until then. */
const mostLinks = 100_000;
/** Links resolved per batch before their entries are returned: each takes a round trip. */
const linksAtOnce = 20;

/** Streams the folder's entries; resolves links and omits the temporary files of uploads. Rejects with `notFound` or `notAFolder`. */
export async function* listFolder(session: Session, dialer: Dialer, folder: string, signal: AbortSignal): AsyncGenerator<readonly Entry[]> {
  // Changes into the folder first: LIST would interpret names that contain `*` or start with `-`.
  const entered = await session.about('CWD', folder, signal);
  if (entered.code >= 400) {
    const entry = await look(session, folder, signal);
    throw entry.kind === 'file' ? new ConnectorError('notAFolder', `${folder} is a file`) : refusal(entered, 'CWD');
  }
  const machine = session.features.has('MLST') || session.features.has('MLSD');
  const now = Date.now();
  const read = (bytes: Buffer, from: number, end: number): Listed =>
    machine
      ? parseFacts(bytes.toString('latin1', from, end))
      : (readUsualLine(bytes, from, end, now) ?? parseLongLine(bytes.toString('latin1', from, end), now));
  const command = machine ? 'MLSD' : 'LIST -a';
  const download = await startDownload(session, dialer, signal, only(command));
  // Some servers answer the listing of an empty folder with 450 or 550.
  if (!('next' in download)) return;

  const links: Entry[] = [];
  const keep = (entry: Listed, batch: Entry[]): void => {
    if (entry && !entry.name.startsWith(partialPrefix)) (entry.isLink ? links : batch).push(entry);
    if (links.length > mostLinks) throw new ConnectorError('tooLarge', `the folder has more than ${mostLinks} links`);
  };
  let rest = Buffer.alloc(0);
  let finished = false;
  try {
    for (let chunk = await download.next(); chunk; chunk = await download.next()) {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const batch: Entry[] = [];
      let from = 0;
      for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, from)) {
        keep(read(bytes, from, bytes[end - 1] === carriageReturn ? end - 1 : end), batch);
        from = end + 1;
      }
      // The chunk's buffer is reused after this call.
      rest = Buffer.from(bytes.subarray(from));
      if (rest.length > longestLine) throw new ConnectorError('unexpected', 'a line of the listing has no end');
      if (batch.length > 0) yield batch;
    }
    await download.finish();
    finished = true;
    // Some servers omit the line break after the last line.
    const last: Entry[] = [];
    keep(read(rest, 0, rest.length), last);
    if (last.length > 0) yield last;
  } finally {
    if (!finished) await download.abandon();
    download.release();
  }
  let targets: Entry[] = [];
  for (const link of links) {
    const target = await find(session, joinPath(folder, link.name), signal);
    // A broken link is listed as a file, so that it can be seen and deleted.
    targets.push(target ? { ...target, name: link.name, isLink: true } : link);
    if (targets.length < linksAtOnce) continue;
    yield targets;
    targets = [];
  }
  if (targets.length > 0) yield targets;
}
