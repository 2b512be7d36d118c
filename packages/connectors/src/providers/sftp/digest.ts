import { untilAnswer } from '../../core/deadlines.ts';
import type { Hashes } from '../../core/hashes.ts';
import { aborted } from './errors.ts';
import type { Connection } from './session/connection.ts';

/**
 * Commands that print a file's SHA-256, its path on their input: no shell has to quote a name. OpenSSL uses the processor's own instructions and takes a third
 * of the time of the others; GNU and BusyBox have the second one, macOS and systems with Perl the third one.
 */
const commands = ['xargs -0 openssl dgst -sha256 -r', 'xargs -0 sha256sum', 'xargs -0 shasum -a 256'] as const;

/** What is known of a server: the command that it has, `none` when it has no such command, undefined before the first try. */
export type DigestCommand = string | undefined;
export const noCommand = 'none';

/** Exit codes that concern this file only: xargs reports a program that has failed as 123, that of the BSDs as 1 (POSIX, xargs, "exit status"). */
const ofTheFile: ReadonlySet<number | undefined> = new Set([1, 123]);

interface Wanted {
  readonly path: Buffer;
  /** Bytes of the file. */
  readonly size: number;
  readonly known: DigestCommand;
  readonly signal: AbortSignal;
}

/** Lets the server hash a file. Returns the hash, if it has one, and what is known of its commands from now on. */
export async function digestAt(
  { run }: Pick<Connection, 'run'>,
  { path, size, known, signal }: Wanted,
): Promise<{ readonly hashes?: Hashes; readonly known: DigestCommand }> {
  if (known === noCommand) return { known };
  const within = untilAnswer(size, signal);
  // Only a command of ours is run, whatever was stored.
  for (const command of commands.filter((one) => known === undefined || one === known)) {
    const ran = await run(command, Buffer.concat([path, end]), within).catch((error: unknown) => {
      if (signal.aborted) throw aborted();
      if (within.aborted) return undefined;
      throw error;
    });
    // No channel, or no answer in time: this may be different next time.
    if (!ran) return { known };
    // A name with a backslash or a line break is printed with marks, after a backslash; what a login script prints comes before.
    const sha256 = /^\\?([0-9a-f]{64}) [ *]/m.exec(ran.output)?.[1];
    if (sha256 !== undefined) return { hashes: { sha256 }, known: command };
    if (ofTheFile.has(ran.code) && ran.output === '') return { known };
    // Neither found nor run; a server for SFTP alone says so, or runs that in place of any command.
  }
  return { known: noCommand };
}

const end = Buffer.from([0]);
