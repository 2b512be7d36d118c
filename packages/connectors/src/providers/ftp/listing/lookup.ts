import type { Entry } from '../../../core/connector.ts';
import { ConnectorError } from '../../../core/error.ts';
import { nameOf } from '../../../kit/names/path.ts';
import { parseFacts, timeOf } from '../api.ts';
import { type Reply, isPlainNo, refusal } from '../errors.ts';
import { type Question, asked, mapped } from '../question.ts';
import type { Session } from '../session.ts';

/** Returns the entry at the path: by MLST where supported, otherwise by CWD, SIZE and MDTM. Rejects with `notFound`. */
export const look = async (session: Session, path: string, signal: AbortSignal): Promise<Entry> =>
  there(path, await find(session, path, signal));

function there(path: string, entry: Entry | undefined): Entry {
  if (!entry) throw new ConnectorError('notFound', `nothing under ${path}`);
  return entry;
}

/** Like {@link look}, but returns undefined when nothing exists. */
export const find = (session: Session, path: string, signal: AbortSignal): Promise<Entry | undefined> =>
  asked(session, finding(session, path, signal), signal);

/** The query of {@link find}. */
export function finding(session: Session, path: string, signal: AbortSignal): Question<Entry | undefined> {
  const plain = findingPlainly(session, path);
  if (!session.features.has('MLST')) return plain;
  const name = path === '/' ? '' : nameOf(path);
  return {
    lines: [session.line('MLST', path)],
    async read(next) {
      const found = factsIn(await next());
      return found === 'symlink' ? { further: () => asked(session, plain, signal) } : { value: found && { ...found, name } };
    },
  };
}

/** The query of {@link look}. */
export const looking = (session: Session, path: string, signal: AbortSignal): Question<Entry> =>
  mapped(finding(session, path, signal), (found) => there(path, found));

/** The same for a path that is most likely a file, which takes one command less on a server without MLST. */
export function lookingAtFile(session: Session, path: string, signal: AbortSignal): Question<Entry> {
  const { lines, read } = session.features.has('MLST') ? finding(session, path, signal) : sizeAndTime(session, path);
  return {
    lines,
    async read(next) {
      const answer = await read(next);
      if ('further' in answer) return { further: async () => (await answer.further()) ?? look(session, path, signal) };
      return answer.value ? { value: answer.value } : { further: () => look(session, path, signal) };
    },
  };
}

function findingPlainly(session: Session, path: string): Question<Entry | undefined> {
  const file = sizeAndTime(session, path);
  const name = path === '/' ? '' : nameOf(path);
  return {
    lines: [session.line('CWD', path), ...file.lines],
    read: async (next) => (isEntered(await next()) ? { value: { name, kind: 'folder' } } : file.read(next)),
  };
}

const sizeAndTime = (session: Session, path: string): Question<Entry | undefined> => ({
  lines: [session.line('SIZE', path), session.line('MDTM', path)],
  async read(next) {
    const size = await next();
    if (isPlainNo(size)) return { value: undefined };
    if (size.code !== 213) throw refusal(size, 'SIZE');
    return { value: fileOf(path, size, await next()) };
  },
});

function fileOf(path: string, size: Reply, modified: Reply): Entry {
  const name = nameOf(path);
  const time = modified.code === 213 ? timeOf(modified.lines[0]?.trim() ?? '') : undefined;
  return { name, kind: 'file', size: Number(size.lines[0]?.trim()), ...(time !== undefined && { modified: time }) };
}

/** Whether the path leads to a folder, also through links. */
export const isFolder = async (session: Session, path: string, signal: AbortSignal): Promise<boolean> =>
  isEntered(await session.about('CWD', path, signal));

function isEntered(reply: Reply): boolean {
  if (reply.code >= 400 && !isPlainNo(reply)) throw refusal(reply, 'CWD');
  return reply.code < 400;
}

function factsIn(reply: Reply): Entry | 'symlink' | undefined {
  if (isPlainNo(reply)) return undefined;
  if (reply.code !== 250) throw refusal(reply, 'MLST');
  const line = reply.lines.slice(1, -1).find((text) => text.includes('=')) ?? '';
  // MLST may report the folder itself as `cdir`; treats it as a regular folder.
  const facts = line.trimStart().replace(/type=[cp]dir;/i, 'type=dir;');
  const found = parseFacts(/ \/?$/.test(facts) ? `${facts.trimEnd()} root` : facts);
  if (!found) throw new ConnectorError('unexpected', 'MLST without facts');
  return found.isLink ? 'symlink' : found;
}
