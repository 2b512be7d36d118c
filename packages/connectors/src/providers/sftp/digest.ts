import { PassThrough } from 'node:stream';
import { untilAnswer } from '../../core/deadlines.ts';
import { ConnectorError } from '../../core/error.ts';
import type { Hashes } from '../../core/hashes.ts';
import { markHandled } from '../../kit/concurrency/mark-handled.ts';
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
    const sha256 = hashIn(ran.output);
    if (sha256 !== undefined) return { hashes: { sha256 }, known: command };
    if (ofTheFile.has(ran.code) && ran.output === '') return { known };
    // The command was not found or not run; an SFTP-only server reports that, or runs its own program in place of any command.
  }
  return { known: noCommand };
}

const end = Buffer.from([0]);

/** The hash that a command has printed: the line of a name with a backslash or a line break begins with a backslash; output of a login script comes before it. */
const hashIn = (output: string): string | undefined => /^\\?([0-9a-f]{64}) [ *]/m.exec(output)?.[1];

/** A part that the server has. */
interface Part {
  readonly connection: Pick<Connection, 'run'>;
  readonly path: Buffer;
  readonly offset: number;
  readonly size: number;
}

/** A file whose first `at` bytes the server is to hash. */
interface Growing {
  readonly at: number;
  readonly hashing: Hashing;
}

/** Bytes of a block of `dd`. Parts begin at multiples of it. */
const block = 1024 * 1024;
const lineBreak = Buffer.from('\n');

/**
 * Reads the path, and then numbers of blocks to hash, from its input (POSIX: sh, read, dd), so that no shell has to quote a name. Prints
 * like the first of {@link commands}.
 */
const growingCommand = `sh -c 'IFS= read -r file; at=0; while read -r more; do dd if="$file" bs=${block} skip="$at" count="$more" 2>/dev/null; at=$((at + more)); done | openssl dgst -sha256 -r'`;

/**
 * Hashes of files that grow at the server, computed there while their next parts are sent, by the session of the upload. A file without one,
 * such as after a restart, is hashed when it is complete.
 */
export function createGrowingDigests(known: () => DigestCommand) {
  const growing = new Map<string, Growing>();

  function drop(session: string): void {
    growing.get(session)?.hashing.stop();
    growing.delete(session);
  }

  return {
    drop,

    /** Lets the server hash the part; what was hashed is dropped when the part does not follow it. */
    add(session: string, part: Part): void {
      const before = growing.get(session);
      if (before && before.at !== part.offset) drop(session);
      const hashing = growing.get(session)?.hashing ?? (known() === commands[0] ? begin(part) : undefined);
      if (!hashing) return;
      const at = part.offset + part.size;
      hashing.upTo(at);
      growing.set(session, { at, hashing });
    },

    /** The SHA-256 of the file's `size` bytes in hex; undefined where the server has not computed it. */
    async end(session: string, size: number, signal: AbortSignal): Promise<string | undefined> {
      const { at, hashing } = growing.get(session) ?? {};
      growing.delete(session);
      if (at === size) return hashing?.end(untilAnswer(size, signal));
      hashing?.stop();
      return undefined;
    },
  };
}
export type GrowingDigests = ReturnType<typeof createGrowingDigests>;

type Hashing = NonNullable<ReturnType<typeof begin>>;

/** Begins with what is before the part; undefined where the path or the offset does not allow it. */
function begin({ connection, path, offset }: Part) {
  if (path.includes(lineBreak) || offset % block !== 0) return undefined;
  const input = new PassThrough();
  const stopped = new AbortController();
  // A connection that ends, or a server without a further channel: the file is hashed when it is complete.
  const ran = markHandled(
    connection.run(growingCommand, input, stopped.signal).catch((error: unknown) => {
      if (!(error instanceof ConnectorError)) throw error;
      return undefined;
    }),
  );
  let blocks = 0;
  const upTo = (bytes: number): void => {
    const more = Math.ceil(bytes / block) - blocks;
    if (more > 0) input.write(`${more}\n`);
    blocks += more;
  };
  input.write(Buffer.concat([path, lineBreak]));
  upTo(offset);
  const stop = (): void => stopped.abort();
  return {
    upTo,
    stop,
    async end(within: AbortSignal): Promise<string | undefined> {
      if (within.aborted) stop();
      within.addEventListener('abort', stop, { once: true });
      input.end();
      const answer = await ran.finally(() => within.removeEventListener('abort', stop));
      return hashIn(answer?.output ?? '');
    },
  };
}
