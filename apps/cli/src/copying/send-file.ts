import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { PassThrough, pipeline } from 'node:stream';
import type { Client, UploadedFile } from '#/client.ts';
import { Failure } from '#/failure.ts';

type Target = Omit<UploadedFile, 'stream' | 'size' | 'modified'>;

interface Sent {
  readonly size: number;
  /** Epoch milliseconds. */
  readonly modified: number;
  readonly hash?: string;
}

interface Watch {
  /** Hears of every chunk, in bytes; negative when a try has to begin again. */
  readonly moved?: (bytes: number) => void;
  readonly withHash?: boolean;
}

/** Uploads a local file as it is now. Rejects when it changes while it is read: the next run copies it then. */
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
    const counted = new PassThrough({ highWaterMark: 1 << 20 });
    counted.on('data', (chunk: Buffer) => {
      read += chunk.byteLength;
      hash?.update(chunk);
      moved?.(chunk.byteLength);
    });
    counted.pause();
    if (size === 0) counted.end();
    // A failure destroys `counted` and reaches the request that reads from it.
    else pipeline(file.createReadStream({ end: size - 1, highWaterMark: 1 << 20, autoClose: false }), counted, () => undefined);
    await client.upload({ ...target, stream: counted, size, modified: Math.floor(mtimeMs) }, signal);
    const after = await file.stat();
    if (after.size !== size || after.mtimeMs !== mtimeMs) throw new Failure('It changed while it was copied.');
    return { size, modified: Math.floor(mtimeMs), ...(hash && { hash: hash.digest('hex') }) };
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
