import type { Entry } from '../../../core/connector.ts';
import { ConnectorError } from '../../../core/error.ts';
import { nameOf } from '../../../kit/names/path.ts';
import { parseFacts, timeOf } from '../api.ts';
import { isPlainNo, refusal } from '../errors.ts';
import type { Session } from '../session.ts';

/** What stands under the path: MLST where the server has it, else what CWD, SIZE and MDTM tell. Rejects with `notFound`. */
export async function look(session: Session, path: string, signal: AbortSignal): Promise<Entry> {
  const entry = await find(session, path, signal);
  if (!entry) throw new ConnectorError('notFound', `nothing under ${path}`);
  return entry;
}

/** Like {@link look}, but gives undefined where nothing is. */
export async function find(session: Session, path: string, signal: AbortSignal): Promise<Entry | undefined> {
  const name = path === '/' ? '' : nameOf(path);
  if (session.features.has('MLST')) {
    const found = await factsOf(session, path, signal);
    if (found !== 'symlink') return found && { ...found, name };
  }
  if (await isFolder(session, path, signal)) return { name, kind: 'folder' };
  const size = await session.about('SIZE', path, signal);
  if (isPlainNo(size)) return undefined;
  if (size.code !== 213) throw refusal(size, 'SIZE');
  const modified = await session.about('MDTM', path, signal);
  const time = modified.code === 213 ? timeOf(modified.lines[0]?.trim() ?? '') : undefined;
  return { name, kind: 'file', size: Number(size.lines[0]?.trim()), ...(time !== undefined && { modified: time }) };
}

/** Whether the path leads to a folder, through links as well. */
export async function isFolder(session: Session, path: string, signal: AbortSignal): Promise<boolean> {
  const reply = await session.about('CWD', path, signal);
  if (reply.code >= 400 && !isPlainNo(reply)) throw refusal(reply, 'CWD');
  return reply.code < 400;
}

async function factsOf(session: Session, path: string, signal: AbortSignal): Promise<Entry | 'symlink' | undefined> {
  const reply = await session.about('MLST', path, signal);
  if (isPlainNo(reply)) return undefined;
  if (reply.code !== 250) throw refusal(reply, 'MLST');
  const line = reply.lines.slice(1, -1).find((text) => text.includes('=')) ?? '';
  // The folder itself may call itself `cdir`; for us it is a folder like any other.
  const facts = line.trimStart().replace(/type=[cp]dir;/i, 'type=dir;');
  const found = parseFacts(/ \/?$/.test(facts) ? `${facts.trimEnd()} root` : facts);
  if (!found) throw new ConnectorError('unexpected', 'MLST without facts');
  return found.isLink ? 'symlink' : found;
}
