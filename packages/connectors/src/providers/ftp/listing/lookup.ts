import type { Entry } from '../../../core/connector.ts';
import { ConnectorError } from '../../../core/error.ts';
import { nameOf } from '../../../kit/names/path.ts';
import { parseFacts, timeOf } from '../api.ts';
import { isPlainNo, refusal } from '../errors.ts';
import type { Session } from '../session.ts';

/** Returns the entry at the path: by MLST where supported, otherwise by CWD, SIZE and MDTM. Rejects with `notFound`. */
export async function look(session: Session, path: string, signal: AbortSignal): Promise<Entry> {
  const entry = await find(session, path, signal);
  if (!entry) throw new ConnectorError('notFound', `nothing under ${path}`);
  return entry;
}

/** Like {@link look}, but returns undefined when nothing exists. */
export async function find(session: Session, path: string, signal: AbortSignal): Promise<Entry | undefined> {
  const name = path === '/' ? '' : nameOf(path);
  if (session.features.has('MLST')) {
    const found = await factsOf(session, path, signal);
    if (found !== 'symlink') return found && { ...found, name };
  }
  if (await isFolder(session, path, signal)) return { name, kind: 'folder' };
  return sizeAndTime(session, path, signal);
}

/** Like {@link look} for what is most likely a file, which saves a server without MLST one command. */
export async function lookAtFile(session: Session, path: string, signal: AbortSignal): Promise<Entry> {
  const file = session.features.has('MLST') ? undefined : await sizeAndTime(session, path, signal);
  return file ?? look(session, path, signal);
}

async function sizeAndTime(session: Session, path: string, signal: AbortSignal): Promise<Entry | undefined> {
  const name = nameOf(path);
  const size = await session.about('SIZE', path, signal);
  if (isPlainNo(size)) return undefined;
  if (size.code !== 213) throw refusal(size, 'SIZE');
  const modified = await session.about('MDTM', path, signal);
  const time = modified.code === 213 ? timeOf(modified.lines[0]?.trim() ?? '') : undefined;
  return { name, kind: 'file', size: Number(size.lines[0]?.trim()), ...(time !== undefined && { modified: time }) };
}

/** Whether the path leads to a folder, also through links. */
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
  // MLST may report the folder itself as `cdir`; treats it as a regular folder.
  const facts = line.trimStart().replace(/type=[cp]dir;/i, 'type=dir;');
  const found = parseFacts(/ \/?$/.test(facts) ? `${facts.trimEnd()} root` : facts);
  if (!found) throw new ConnectorError('unexpected', 'MLST without facts');
  return found.isLink ? 'symlink' : found;
}
