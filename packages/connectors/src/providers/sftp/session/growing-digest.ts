import { PassThrough } from 'node:stream';
import { untilAnswer } from '../../../core/deadlines.ts';
import { markHandled } from '../../../kit/concurrency/mark-handled.ts';
import type { Connection } from './connection.ts';

/** The hash of a file that grows at the server, computed there while the rest of it is sent. */
export interface GrowingDigest {
  /** Lets the server hash the file up to that offset; parts follow each other. */
  reached(offset: number): void;
  /** The SHA-256 of all that was reached, in hex; undefined where the server has not computed it. */
  end(signal: AbortSignal): Promise<string | undefined>;
  drop(): void;
}

/** Bytes of a block of `dd`. Parts begin at multiples of it. */
const block = 1024 * 1024;

/**
 * Reads the path, and then numbers of blocks to hash, from its input (POSIX: sh, read, dd). No shell has to quote the name. OpenSSL is the
 * first of the commands in digest.ts, which this one is used after.
 */
const command = `sh -c 'IFS= read -r file; at=0; while read -r more; do dd if="$file" bs=${block} skip="$at" count="$more" 2>/dev/null; at=$((at + more)); done | openssl dgst -sha256 -r'`;

/** Begins to hash the file at `path`, whose bytes are there up to `reached`. Undefined where its name or offset does not allow it. */
export function growingDigest({ run }: Pick<Connection, 'run'>, path: Buffer, reached: number): GrowingDigest | undefined {
  if (path.includes(lineBreak) || reached % block !== 0) return undefined;
  const input = new PassThrough();
  const dropped = new AbortController();
  // A connection that ends, or a server without a further channel: the file is hashed when it is complete.
  const ran = markHandled(run(command, input, dropped.signal));
  let at = 0;
  const hashUpTo = (offset: number): void => {
    const blocks = Math.ceil((offset - at) / block);
    if (blocks > 0) input.write(`${blocks}\n`);
    at += blocks * block;
  };
  input.write(path);
  input.write('\n');
  hashUpTo(reached);
  return {
    reached: hashUpTo,
    async end(signal) {
      const within = untilAnswer(at, signal);
      const giveUp = () => dropped.abort();
      within.addEventListener('abort', giveUp, { once: true });
      input.end();
      try {
        const output = (await ran)?.output ?? '';
        return /^([0-9a-f]{64}) [ *]/m.exec(output)?.[1];
      } catch {
        return undefined;
      } finally {
        within.removeEventListener('abort', giveUp);
      }
    },
    drop: () => dropped.abort(),
  };
}

const lineBreak = 0x0a;
