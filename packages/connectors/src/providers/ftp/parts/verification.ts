import { answerAfter } from '../../../core/deadlines.ts';
import { ConnectorError } from '../../../core/error.ts';
import type { HashName, Hashes } from '../../../core/hashes.ts';
import { nameOf, parentOf } from '../../../kit/names/path.ts';
import { isFolder } from '../listing/lookup.ts';
import type { Session } from '../session.ts';

/** Commands in FEAT that return a file's hash, and their number of digits; the strongest first. Not standardised, but common. */
const commands: readonly (readonly [HashName, string, number])[] = [
  ['sha256', 'XSHA256', 64],
  ['sha1', 'XSHA1', 40],
  ['md5', 'XMD5', 32],
];

/** Larger files are compared by size only: a slow server would read them for longer than the timeout of its reply. */
const mostVerified = 4 * 1024 ** 3;

interface Stored {
  /** A partial file. */
  readonly path: string;
  readonly size: number;
  /** Hashes of the bytes that were sent. */
  readonly expected: Hashes;
  readonly signal: AbortSignal;
}

/**
 * Requests one of the expected hashes from the server, which reads the whole file for it; rejects with `damaged` when it differs. Undefined
 * when the server has no such command, or refuses it.
 */
export async function verify(session: Session, { path, size, expected, signal }: Stored): Promise<Hashes | undefined> {
  const [name, command, digits] = commands.find(([hash, feature]) => expected[hash] !== undefined && session.features.has(feature)) ?? [];
  if (name === undefined || command === undefined || size > mostVerified) return undefined;
  // Servers disagree on how to write a path with spaces here. The name of a partial file has none, so that a relative name avoids the
  // problem.
  if (!(await isFolder(session, parentOf(path), signal))) return undefined;
  const reply = await session.control.command(`${command} ${nameOf(path)}`, signal, answerAfter(size));
  if (reply.code >= 300) return undefined;
  const value = new RegExp(`\\b[0-9a-f]{${digits}}\\b`, 'i').exec(reply.lines.join(' '))?.[0].toLowerCase();
  if (value === undefined) return undefined;
  if (value !== expected[name]) throw new ConnectorError('damaged', `the server has other bytes, by ${command}`);
  return { [name]: value };
}
