import { untilAnswer } from '../../core/deadlines.ts';
import type { Hashes } from '../../core/hashes.ts';
import { aborted } from './errors.ts';
import type { Connection } from './session/connection.ts';

/**
 * Commands that print a file's SHA-256 and read its path from their input, so that no shell has to quote a name. OpenSSL uses the
 * processor's own instructions and takes a third of the others' time; GNU and BusyBox have the second one, macOS and systems with Perl the
 * third one.
 */
const commands = ['xargs -0 openssl dgst -sha256 -r', 'xargs -0 sha256sum', 'xargs -0 shasum -a 256'] as const;

/** The server's known command; `none` when it has no such command; undefined before the first try. */
export type DigestCommand = string | undefined;
export const noCommand = 'none';

/** Whether the command is OpenSSL's, which also hashes a file while it grows. */
export const hashesWithOpenssl = (known: DigestCommand): boolean => known === commands[0];

/** Exit codes that concern only this file: xargs reports a failed program with 123, on BSDs with 1 (POSIX, xargs, "exit status"). */
const ofTheFile: ReadonlySet<number | undefined> = new Set([1, 123]);

interface Wanted {
  readonly path: Buffer;
  /** Size of the file in bytes. */
  readonly size: number;
  readonly known: DigestCommand;
  readonly signal: AbortSignal;
}

/** Lets the server hash a file. Returns the hash, if there is one, and the command to remember from now on. */
export async function digestAt(
  { run }: Pick<Connection, 'run'>,
  { path, size, known, signal }: Wanted,
): Promise<{ readonly hashes?: Hashes; readonly known: DigestCommand }> {
  if (known === noCommand) return { known };
  const within = untilAnswer(size, signal);
  // Runs only commands of this list, whatever was stored.
  for (const command of commands.filter((one) => known === undefined || one === known)) {
    const ran = await run(command, Buffer.concat([path, end]), within).catch((error: unknown) => {
      if (signal.aborted) throw aborted();
      if (within.aborted) return undefined;
      throw error;
    });
    // No channel, or no answer in time: the next attempt may succeed.
    if (!ran) return { known };
    // The line of a name with a backslash or a line break begins with a backslash; output of a login script comes before it.
    const sha256 = /^\\?([0-9a-f]{64}) [ *]/m.exec(ran.output)?.[1];
    if (sha256 !== undefined) return { hashes: { sha256 }, known: command };
    if (ofTheFile.has(ran.code) && ran.output === '') return { known };
    // The command was not found or not run; an SFTP-only server reports that, or runs its own program in place of any command.
  }
  return { known: noCommand };
}

const end = Buffer.from([0]);
