import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Connector } from '../core/connector.ts';
import { type Setting, ask } from './setting.ts';

const MiB = 1024 * 1024;

/** Promises about large files, lent memory, and callers that leave early. */
export function largeFilePromises(setting: Setting): void {
  const { promise, folder, put, get } = setting;

  promise('20 MiB are read back unchanged, although each chunk is processed late', ['write'], async () => {
    const at = await folder();
    const bytes = patterned(20 * MiB);
    await put(`${at}/big`, Readable.from(inPieces(bytes, 77_777)), { size: bytes.length });
    const body = await setting.connector().read(`${at}/big`, ask());
    const hash = createHash('sha256');
    await body.drain(async (chunk) => {
      await nextTurn();
      hash.update(chunk);
    });
    assert.equal(hash.digest('hex'), createHash('sha256').update(bytes).digest('hex'));
    const part = await get(`${at}/big`, { start: 5 * MiB + 1, end: 15 * MiB });
    assert.ok(part.equals(bytes.subarray(5 * MiB + 1, 15 * MiB)));
  });

  promise('30 reads cancelled before their bytes, and 10 cancelled half-way, leave the source usable', ['write'], async () => {
    const at = await folder();
    const bytes = patterned(4 * MiB);
    await put(`${at}/big`, bytes);
    for (let round = 0; round < 30; round++) (await setting.connector().read(`${at}/big`, ask())).cancel();
    for (let round = 0; round < 10; round++) {
      const given = new AbortController();
      const body = await setting.connector().read(`${at}/big`, { signal: given.signal });
      const drained = body.drain(async () => {
        given.abort();
        await nextTurn();
      });
      await assert.rejects(drained, { kind: 'aborted' });
    }
    assert.ok((await get(`${at}/big`)).equals(bytes));
  });

  promise('an error thrown by the consumer ends the read and is rethrown', ['write'], async () => {
    const at = await folder();
    await put(`${at}/big`, patterned(4 * MiB));
    const gone = new Error('the reader went away');
    const body = await setting.connector().read(`${at}/big`, ask());
    const drained = body.drain(() => Promise.reject(gone));
    await assert.rejects(drained, (error) => error === gone || (error instanceof Error && error.cause === gone));
    assert.equal((await get(`${at}/big`)).length, 4 * MiB);
  });

  for (const [operation, call] of Object.entries(givenUp))
    promise(`${operation} with an aborted signal is aborted`, [operation as keyof typeof givenUp, 'write'], async () => {
      const at = await folder();
      await put(`${at}/file`, 'x');
      await assert.rejects(async () => call(setting.connector(), at, AbortSignal.abort()), { kind: 'aborted' });
      assert.equal((await get(`${at}/file`)).toString(), 'x');
    });
}

type Call = (connector: Connector, at: string, signal: AbortSignal) => Promise<unknown>;

const givenUp = {
  list: async (connector, at, signal) => {
    for await (const batch of connector.list(at, { signal })) assert.fail(`listed ${batch.length} entries`);
  },
  stat: (connector, at, signal) => connector.stat(`${at}/file`, { signal }),
  read: (connector, at, signal) => connector.read(`${at}/file`, { signal }),
  write: async (connector, at, signal) =>
    connector.write?.(`${at}/file`, Readable.from([Buffer.from('y')]), { signal, ifExists: 'replace' }),
  createFolder: async (connector, at, signal) => connector.createFolder?.(`${at}/new`, { signal }),
  rename: async (connector, at, signal) => connector.rename?.(`${at}/file`, 'renamed', { signal }),
  move: async (connector, at, signal) => connector.move?.(`${at}/file`, `${at}/moved`, { signal }),
  copy: async (connector, at, signal) => connector.copy?.(`${at}/file`, `${at}/copied`, { signal }),
  remove: async (connector, at, signal) => connector.remove?.(`${at}/file`, { signal }),
} satisfies Record<string, Call>;

/** Bytes in which no group of 4 occurs twice, so that any mix-up shows. */
export function patterned(size: number): Buffer {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at + 4 <= size; at += 4) bytes.writeUInt32LE((at * 2_654_435_761) % 4_294_967_296, at);
  return bytes;
}

function* inPieces(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
