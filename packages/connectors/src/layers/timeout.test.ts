import assert from 'node:assert/strict';
import { PassThrough, Readable } from 'node:stream';
import { test } from 'node:test';
import type { Connector, Entry } from '../core/connector.ts';
import { ConnectorError, isKind } from '../core/error.ts';
import { type Operation, factsOf, operationNames, operations } from '../core/operations.ts';
import { bodyOf, collect } from '../kit/body/body.ts';
import { passingTime } from '../kit/testing/passing-time.ts';
import { createMemorySource } from '../providers/memory/index.ts';
import { type Answer, layered } from './layered.ts';
import { limit } from './limit.ts';
import { retry } from './retry.ts';
import { timeout } from './timeout.ts';

const ask = { signal: new AbortController().signal };

/** Returns a promise that the test settles. */
function gateKeeper() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, open: () => resolve() };
}

const refuse = () => Promise.reject(new ConnectorError('unreachable', 'memory needs no network'));

async function memory(options: Parameters<typeof createMemorySource>[0] = {}) {
  const source = createMemorySource(options);
  source.put('/a.txt', 'alpha');
  source.put('/b.txt', 'beta');
  const dialer = { connect: refuse, upgrade: refuse };
  return { connector: await source.definition.open({}, { dialer, remember: async () => undefined, recall: async () => undefined }) };
}

async function listed(connector: Connector): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const batch of connector.list('/', ask)) entries.push(...batch);
  return entries;
}

test('a call without an answer times out, and the signal of the source aborts', async () => {
  let told: AbortSignal | undefined;
  const { connector } = await memory();
  const silent: Connector = {
    ...connector,
    stat: (_path, { signal: inner }) => {
      told = inner;
      return new Promise(() => undefined);
    },
  };
  await assert.rejects(
    layered(
      silent,
      timeout(() => ({ begin: 5 })),
    ).stat('/a.txt', ask),
    { kind: 'timeout' },
  );
  assert.equal(told?.aborted, true);
});

test('around retry, one deadline covers all attempts together', async () => {
  let tries = 0;
  const { connector } = await memory({
    gate: () => {
      tries++;
      throw new ConnectorError('rateLimited', 'later', { retryable: true, retryAfter: 5_000 });
    },
  });
  const started = performance.now();
  await assert.rejects(
    layered(
      connector,
      timeout(() => ({ begin: 20 })),
      retry(),
    ).stat('/a.txt', ask),
    { kind: 'timeout' },
  );
  assert.ok(performance.now() - started < 5_000);
  assert.equal(tries, 1);
});

test('a body that arrives after the timeout is released', async () => {
  const late = gateKeeper();
  const cancelled = gateKeeper();
  const { connector } = await memory();
  const slow: Connector = {
    ...connector,
    async read() {
      await late.promise;
      return { entry: {}, drain: async () => undefined, cancel: cancelled.open };
    },
  };
  await assert.rejects(
    layered(
      slow,
      timeout(() => ({ begin: 5 })),
    ).read('/a.txt', ask),
    { kind: 'timeout' },
  );
  late.open();
  await cancelled.promise;
});

test('a body or a listing that falls silent times out, and returns its permit', async () => {
  const { connector } = await memory({
    chunkSize: 1,
    batchSize: 1,
    gate: (_operation, _path, part) => (part > 0 ? new Promise<void>(() => undefined) : undefined),
  });
  const wrapped = layered(
    connector,
    limit(1),
    timeout(() => ({ silence: 5 })),
  );
  await assert.rejects(collect(await wrapped.read('/a.txt', ask)), { kind: 'timeout' });
  await assert.rejects(listed(wrapped), { kind: 'timeout' });
  assert.equal((await wrapped.stat('/a.txt', ask)).name, 'a.txt');
});

test('a slow consumer does not count as a silent source', async () => {
  const { connector } = await memory();
  const wrapped = layered(
    connector,
    timeout(() => ({ silence: 5 })),
  );
  const chunks: string[] = [];
  const body = await wrapped.read('/a.txt', ask);
  await body.drain(async (chunk) => {
    chunks.push(String(Buffer.from(chunk)));
    const before = performance.now();
    while (performance.now() - before < 20) await new Promise((resolve) => setImmediate(resolve));
  });
  assert.deepEqual(chunks, ['alpha']);
});

test('the deadline of a write starts at the end of its body', async () => {
  const { connector } = await memory();
  const swallow: Connector = {
    ...connector,
    write: (_file, body) => {
      body.resume();
      return new Promise(() => undefined);
    },
  };
  const body = new PassThrough();
  let over = false;
  const call = (
    layered(
      swallow,
      timeout(() => ({ upload: { begin: 60_000, finish: 5 } })),
    ).write?.('/n', body, { ...ask, ifExists: 'fail' }) ?? Promise.reject(new Error('no write'))
  )
    .catch((error: unknown) => error)
    .finally(() => {
      over = true;
    });
  const before = performance.now();
  while (performance.now() - before < 20) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(over, false);
  body.end('x');
  assert.ok(isKind(await call, 'timeout'));
});

test('a write whose body has ended may take longer than an answer, while its last parts are sent', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { connector } = await memory();
  const slow: Connector = {
    ...connector,
    async write(file, body) {
      await collect(bodyOf(body, {}));
      await new Promise((resolve) => setImmediate(resolve));
      t.mock.timers.tick(60);
      return { name: file.slice(1), kind: 'file' };
    },
  };
  const body = Readable.from([Buffer.from('x')]);
  const entry = await layered(
    slow,
    timeout(() => ({ upload: { begin: 5, finish: 600_000 } })),
  ).write?.('/n', body, { ...ask, ifExists: 'fail' });
  assert.equal(entry?.name, 'n');
});

/** A call to a silent source, with the signal that the source received. */
function silentCall(operation: Operation, caller = new AbortController()) {
  const body = operation === 'write' || operation === 'sendPart' ? new PassThrough() : undefined;
  const call = { operation, path: '/a', begunAt: performance.now(), signal: caller.signal, ...(body && { body }) };
  const told = Promise.withResolvers<void>();
  const answer = timeout()(call, (signal) => {
    signal.addEventListener('abort', () => told.resolve());
    return new Promise<Answer>((_resolve, reject) => {
      caller.signal.addEventListener('abort', () => reject(new ConnectorError('aborted', 'given up')));
    });
  });
  return { answer, told: told.promise };
}

/** Milliseconds after which an operation without any answer is given up; undefined: each of its requests has its own deadline. */
const expected: Readonly<Record<Operation, number | undefined>> = {
  list: 20_000,
  listTree: 20_000,
  stat: 20_000,
  read: 20_000,
  write: 60_000,
  createFolder: 20_000,
  rename: undefined,
  move: undefined,
  copy: undefined,
  remove: undefined,
  thumbnail: 20_000,
  search: 20_000,
  usage: 20_000,
  changes: 20_000,
  beginUpload: 60_000,
  sendPart: 60_000,
  uploadState: 20_000,
  finishUpload: undefined,
  abandonUpload: 60_000,
  beginNumbered: 60_000,
  sendNumbered: 60_000,
  finishNumbered: undefined,
  abandonNumbered: 60_000,
  serviceFile: 20_000,
  copyFrom: undefined,
  discard: undefined,
  binned: 20_000,
  restore: undefined,
  purge: undefined,
  listBin: 20_000,
  keeps: 20_000,
  versionOf: 20_000,
  restoreVersion: undefined,
  listVersions: 20_000,
  readVersion: 20_000,
  digest: 600_000,
  subscribe: 20_000,
  unsubscribe: 20_000,
};

for (const operation of Object.keys(operations) as Operation[]) {
  const bound = expected[operation];
  if (bound === undefined) continue;
  test(`${operation} of a silent source ends after ${bound / 1000} s`, async (t) => {
    const pass = passingTime(t);
    const began = performance.now();
    const { answer, told } = silentCall(operation);
    await assert.rejects(pass(answer), { kind: 'timeout' });
    assert.ok(Math.abs(performance.now() - began - bound) <= 2000, `${performance.now() - began} ms`);
    await told;
  });
}

test('operations of many requests have no total deadline, and end with their caller', async (t) => {
  const pass = passingTime(t);
  const caller = new AbortController();
  setTimeout(() => caller.abort(), 11 * 60_000);
  const unbounded = operationNames.filter((operation) => expected[operation] === undefined);
  await pass(
    Promise.all(
      unbounded.map(async (operation) => {
        const { answer, told } = silentCall(operation, caller);
        await assert.rejects(answer, { kind: 'aborted' });
        await told;
      }),
    ),
  );
});

test('an upload is not aborted while it is being read, however slow its sender is', async (t) => {
  const pass = passingTime(t);
  const body = new PassThrough();
  const call = timeout()({ operation: 'write', path: '/a', begunAt: performance.now(), ...ask, body }, async () => {
    await collect(bodyOf(body, {}));
    return { shape: 'entry', entry: { name: 'a', kind: 'file' } };
  });
  setTimeout(() => body.end('late'), 180_000);
  assert.equal((await pass(call)).shape, 'entry');
});

test('the time that a call waits for a connection counts, except for transfers, which may wait for other transfers', async (t) => {
  const pass = passingTime(t);
  const silent = () => new Promise<Answer>(() => undefined);
  const waitedSince = performance.now() - 15_000;
  const began = performance.now();
  await assert.rejects(pass(timeout()({ operation: 'stat', path: '/a', begunAt: waitedSince, ...ask }, silent)), { kind: 'timeout' });
  assert.ok(performance.now() - began <= 6_000);
  const next = performance.now();
  await assert.rejects(pass(timeout()({ operation: 'read', path: '/a', begunAt: waitedSince, ...ask }, silent)), { kind: 'timeout' });
  assert.ok(performance.now() - next >= 19_000);
});

test('the table has every fact that the layers need about each operation', () => {
  for (const operation of operationNames) {
    const { shape, repeat, begin, silence, upload } = factsOf(operation);
    const goesOn = ['batches', 'finds', 'body'].includes(shape);
    assert.equal(silence !== undefined, goesOn, `${operation}: an answer that goes on has a deadline for silence, no other has`);
    assert.equal(repeat === 'never', upload !== undefined, `${operation}: only the bytes of an upload are spent`);
    if (repeat === 'always') assert.equal(begin, 20_000, `${operation}: a question is answered within 20 s`);
  }
});
