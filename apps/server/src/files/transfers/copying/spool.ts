import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Bytes that are kept in memory. */
const inMemory = 4 * 1024 * 1024;

/**
 * Reads a stream to its end and hands on the bytes: for a link whose only connection must be free before it can be written to. Larger files wait on the
 * server's disk, and are removed in any case.
 */
export async function spooled<T>(body: Readable, size: number | undefined, work: (body: Readable) => Promise<T>): Promise<T> {
  if (size !== undefined && size <= inMemory) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of body as AsyncIterable<Uint8Array>) chunks.push(chunk);
    return work(Readable.from(chunks, { objectMode: false }));
  }
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-spool-'));
  try {
    const file = join(folder, 'bytes');
    await pipeline(body, createWriteStream(file, { mode: 0o600 }));
    return await work(createReadStream(file));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
