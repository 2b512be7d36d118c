import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { Transform, pipeline } from 'node:stream';
import type { Client, UploadedFile } from '#/client.ts';
import { Failure } from '#/failure.ts';
import type { Copied } from './journal.ts';

type Target = Omit<UploadedFile, 'stream' | 'size' | 'modified'>;

interface Sent {
  /** State of the file when sending began, and the hash of the sent bytes. */
  readonly copied: Copied;
  /** The file has changed: the sent bytes may be a mixture. */
  readonly hasChanged: boolean;
}

const changed = (): Failure => new Failure('It changed while it was copied.');

/** Throws Failure when the file changed while it was sent. */
export function refuseChanged({ hasChanged }: Pick<Sent, 'hasChanged'>): void {
  if (hasChanged) throw changed();
}

interface Watch {
  /** Called with the size of each chunk; negative when an attempt starts over. */
  readonly moved?: (bytes: number) => void;
  readonly withHash?: boolean;
}

/** Uploads a local file and returns its state. Rejects when the file shrinks during the upload. */
export async function sendFile(
  client: Client,
  path: string,
  target: Target,
  signal: AbortSignal,
  { moved, withHash = false }: Watch = {},
): Promise<Sent> {
  const file = await open(path, 'r');
  let read = 0;
  try {
    const { size, mtimeMs } = await file.stat();
    const hash = withHash ? createHash('sha256') : undefined;
    const counted = new Transform({
      highWaterMark: 1 << 20,
      transform(chunk: Buffer, _encoding, done) {
        read += chunk.byteLength;
        hash?.update(chunk);
        moved?.(chunk.byteLength);
        done(null, chunk);
      },
      // The server would wait for the declared bytes.
      flush: (done) => done(read < size ? changed() : null),
    });
    if (size === 0) counted.end();
    // A failure destroys `counted` and thereby ends the request that reads from it.
    else pipeline(file.createReadStream({ end: size - 1, highWaterMark: 1 << 20, autoClose: false }), counted, () => undefined);
    await client.upload({ ...target, stream: counted, size, modified: Math.floor(mtimeMs) }, signal);
    const after = await file.stat();
    const hasChanged = after.size !== size || after.mtimeMs !== mtimeMs;
    return { copied: { size, modified: Math.floor(mtimeMs), ...(hash && { hash: hash.digest('hex') }) }, hasChanged };
  } catch (error) {
    moved?.(-read);
    throw error;
  } finally {
    await file.close();
  }
}

/** SHA-256 of a local file's content. */
export async function hashOf(path: string, signal: AbortSignal): Promise<string> {
  const file = await open(path, 'r');
  try {
    const hash = createHash('sha256');
    for await (const chunk of file.createReadStream({ autoClose: false, signal })) hash.update(chunk as Buffer);
    return hash.digest('hex');
  } finally {
    await file.close();
  }
}
