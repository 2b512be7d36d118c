import type { Dialer } from '../../core/dialer.ts';
import { ConnectorError } from '../../core/error.ts';
import { joinPath, partialPrefix } from '../../kit/path.ts';
import { type Listed, parseFacts } from './api.ts';
import { startDownload } from './download.ts';
import { refusal } from './errors.ts';
import { parseLongLine } from './long-lines.ts';
import { find, look } from './lookup.ts';
import type { Patience, Session } from './session.ts';

type Found = NonNullable<Listed>;
/** A name longer than this is no name. */
const longestLine = 64 * 1024;

/** The folder's entries as they arrive; links are looked through, and our own unfinished uploads left out. Rejects with `notFound` or `notAFolder`. */
export async function* listFolder(
  session: Session,
  dialer: Dialer,
  patience: Patience,
  folder: string,
  signal: AbortSignal,
): AsyncGenerator<readonly Found[]> {
  // The folder is entered first: LIST would take a name with `*` or `-a` in it for something else.
  const entered = await session.about('CWD', folder, signal);
  if (entered.code >= 400) {
    const entry = await look(session, folder, signal);
    throw entry.kind === 'file' ? new ConnectorError('notAFolder', `${folder} is a file`) : refusal(entered, 'CWD');
  }
  const machine = session.features.has('MLST') || session.features.has('MLSD');
  const now = Date.now();
  const parse = machine ? parseFacts : (line: string) => parseLongLine(line, now);
  const command = machine ? 'MLSD' : 'LIST -a';
  const download = await startDownload(session, dialer, patience, signal, () => session.control.command(command, signal));
  // Some servers say 450 or 550 to the listing of an empty folder.
  if (!('next' in download)) return;

  const links: Found[] = [];
  let rest = '';
  let finished = false;
  try {
    for (let chunk = await download.next(); chunk; chunk = await download.next()) {
      const lines = (rest + chunk.toString('latin1')).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > longestLine) throw new ConnectorError('unexpected', 'a line of the listing has no end');
      const batch: Found[] = [];
      for (const line of lines) {
        const found = parse(line.endsWith('\r') ? line.slice(0, -1) : line);
        if (found && !found.entry.name.startsWith(partialPrefix)) (found.isSymlink ? links : batch).push(found);
      }
      if (batch.length > 0) yield batch;
    }
    await download.finish();
    finished = true;
  } finally {
    if (!finished) await download.abandon();
  }
  const targets: Found[] = [];
  for (const { entry } of links) {
    const target = await find(session, joinPath(folder, entry.name), signal);
    // A link that leads nowhere stays as a file, so that it can be seen and deleted.
    targets.push({ entry: target ? { ...target, name: entry.name } : entry, isSymlink: true });
  }
  if (targets.length > 0) yield targets;
}
