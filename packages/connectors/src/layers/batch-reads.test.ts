import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Connector, Entry, SmallFile } from '../core/connector.ts';
import { collect } from '../kit/body/body.ts';
import { createMemorySource } from '../providers/memory/index.ts';
import { continuingBatches } from './batch-reads.ts';
import { layered } from './layered.ts';
import { limit } from './limit.ts';
import { pausedError } from './resuming.ts';
import { wholeReads } from './whole-reads.ts';

const ask = { signal: new AbortController().signal };
const unused = () => Promise.reject(new Error('memory needs no network'));

/** A source that sends each byte of a batch separately. */
async function sourceOf(contents: readonly string[]) {
  const source = createMemorySource({ chunkSize: 1 });
  const files = contents.map((content, index) => ({ path: `/${index}.txt`, size: content.length }));
  const put = (index: number, content: string): void => source.put(`/${index}.txt`, content);
  contents.forEach((content, index) => put(index, content));
  const env = { dialer: { connect: unused, upgrade: unused }, remember: async () => undefined, recall: async () => undefined };
  const inner = await source.definition.open({}, env);
  const asked: string[][] = [];
  const readMany: NonNullable<Connector['readMany']> = async (batch) => {
    asked.push(batch.map(({ path }) => path));
    const isOver = new AbortController();
    return {
      entry: {},
      async drain(take) {
        for (const { path } of batch)
          await (
            await inner.read(path, ask)
          ).drain((chunk) => {
            isOver.signal.throwIfAborted();
            return take(chunk);
          });
      },
      cancel: () => isOver.abort(),
    };
  };
  return { connector: { ...inner, readMany }, readMany, files, asked, put };
}

async function listed(connector: Connector): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const batch of connector.list('/', ask)) entries.push(...batch);
  return entries;
}

test('on the only connection of a link a batch of small files is paused for browsing, and resumes where it stopped', async () => {
  const { connector, files, asked } = await sourceOf(['first', '', 'second', 'third']);
  const wrapped = wholeReads(layered(connector, limit(1, { nudgeEvery: 1 })));
  const body = await wrapped.readMany?.(files, ask);
  const parts: Buffer[] = [];
  await body?.drain(async (chunk) => {
    parts.push(Buffer.from(chunk));
    if (parts.length === 8) assert.equal((await listed(wrapped)).length, 4);
  });
  assert.equal(Buffer.concat(parts).toString(), 'firstsecondthird');
  assert.deepEqual(asked.slice(1), [['/2.txt', '/3.txt']]);
  assert.equal((await listed(wrapped)).length, 4);
});

/** Interrupts the batch with a pause after each of these byte counts. */
function pausing(readMany: NonNullable<Connector['readMany']>, cuts: number[]): NonNullable<Connector['readMany']> {
  return async (files: readonly SmallFile[]) => {
    const body = await readMany(files, ask);
    let left = cuts.shift() ?? Number.POSITIVE_INFINITY;
    return {
      ...body,
      drain: (take) =>
        body.drain((chunk) => {
          if (left-- <= 0) throw pausedError();
          return take(chunk);
        }),
    };
  };
}

test('wherever a batch is paused, also twice within a file, each byte arrives once', async () => {
  const contents = ['abc', '', 'defgh', 'i', ''];
  const size = contents.join('').length;
  for (let first = 0; first <= size; first++)
    for (let second = 0; second <= size; second++) {
      const { readMany, files } = await sourceOf(contents);
      const body = await continuingBatches(pausing(readMany, [first, second]))(files, ask);
      assert.equal((await collect(body)).toString(), 'abcdefghi', `paused after ${first} and ${second} bytes`);
    }
});

test('a file that changes during a pause rejects the batch instead of being made of two versions', async () => {
  const { readMany, files, put } = await sourceOf(['abc', 'defgh']);
  const body = await continuingBatches(pausing(readMany, [5]))(files, ask);
  let count = 0;
  await assert.rejects(
    body.drain(() => {
      count += 1;
      if (count === 5) put(1, 'DEFGH');
      return undefined;
    }),
    { kind: 'unexpected' },
  );
  assert.equal(count, 5);
});

test('a batch cancelled while it is paused is not requested again', async () => {
  const { readMany, files, asked } = await sourceOf(['abc']);
  const body = await continuingBatches(pausing(readMany, [2]))(files, ask);
  let count = 0;
  await assert.rejects(
    body.drain(() => {
      count += 1;
      if (count === 2) body.cancel();
      return undefined;
    }),
  );
  assert.equal(asked.length, 1);
});
