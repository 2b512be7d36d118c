import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import type { Connector, Entry } from '../core/connector.ts';
import { ConnectorError } from '../core/error.ts';
import { capabilitiesOf } from '../core/operations.ts';
import { collect } from '../kit/body/body.ts';
import { createMemorySource } from '../providers/memory/index.ts';
import { type Layer, layered } from './layered.ts';
import { limit } from './limit.ts';
import { type Caller, mayEnter } from './permits.ts';
import { retry } from './retry.ts';
import { timeout } from './timeout.ts';
import { type Trace, trace } from './trace.ts';
import { wholeReads } from './whole-reads.ts';

const signal = new AbortController().signal;
const ask = { signal };

/** Returns a promise that the test settles. */
function gateKeeper() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, open: () => resolve() };
}

async function memory(options: Parameters<typeof createMemorySource>[0] = {}) {
  const source = createMemorySource(options);
  source.put('/a.txt', 'alpha');
  source.put('/b.txt', 'beta');
  const env = { dialer: unused, remember: async () => undefined, recall: async () => undefined };
  return { source, connector: await source.definition.open({}, env) };
}
const unused = {
  connect: () => Promise.reject(new ConnectorError('unreachable', 'memory needs no network')),
  upgrade: () => Promise.reject(new ConnectorError('unreachable', 'memory needs no network')),
};

async function listed(connector: Connector, folder = '/'): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const batch of connector.list(folder, ask)) entries.push(...batch);
  return entries;
}

test('layers see each call in order, and what the source lacks stays absent', async () => {
  const seen: string[] = [];
  const note =
    (name: string): Layer =>
    async ({ operation, path, target, signal: inner }, next) => {
      seen.push(`${name} ${operation} ${path} ${target ?? ''}`.trim());
      return next(inner);
    };
  const { connector } = await memory();
  const { list, stat, read, rename, close } = {
    list: connector.list.bind(connector),
    stat: connector.stat.bind(connector),
    read: connector.read.bind(connector),
    rename: connector.rename?.bind(connector),
    close: connector.close.bind(connector),
  };
  const wrapped = layered({ list, stat, read, ...(rename && { rename }), close }, note('outer'), note('inner'));
  assert.deepEqual(capabilitiesOf(wrapped), ['list', 'stat', 'read', 'rename']);
  await wrapped.stat('/a.txt', ask);
  await wrapped.rename?.('/a.txt', 'c.txt', ask);
  assert.deepEqual(seen, ['outer stat /a.txt', 'inner stat /a.txt', 'outer rename /a.txt c.txt', 'inner rename /a.txt c.txt']);
});

test('every operation passes through all layers and does its work', async () => {
  const { connector } = await memory({ batchSize: 1 });
  const traces: Trace[] = [];
  const wrapped = layered(
    connector,
    trace(() => (event) => traces.push(event)),
    retry(),
    limit(1),
    timeout(),
  );
  assert.deepEqual(
    (await listed(wrapped)).map(({ name }) => name),
    ['a.txt', 'b.txt'],
  );
  assert.equal((await wrapped.createFolder?.('/f', ask))?.kind, 'folder');
  await wrapped.write?.('/f/new', Readable.from([Buffer.from('new')]), { ...ask, ifExists: 'fail', size: 3 });
  assert.equal(String(await collect(await wrapped.read('/f/new', ask))), 'new');
  assert.equal(String(await collect(await wrapped.read('/a.txt', { ...ask, range: { start: 1, end: 3 } }))), 'lp');
  await wrapped.copy?.('/f', '/g', ask);
  await wrapped.move?.('/g/new', '/moved', ask);
  await wrapped.remove?.('/f', ask);
  await assert.rejects(wrapped.stat('/f', ask), { kind: 'notFound' });
  assert.deepEqual(
    traces.map(({ operation, outcome }) => `${operation} ${outcome}`),
    ['list ok', 'createFolder ok', 'write ok', 'read ok', 'read ok', 'copy ok', 'move ok', 'remove ok', 'stat notFound'],
  );
});

test('retry repeats what is retryable with growing waits, and honours the wait that the source requests', async () => {
  const waits: number[] = [];
  const failures = [
    new ConnectorError('unreachable', 'cut', { retryable: true }),
    new ConnectorError('rateLimited', 'slow down', { retryable: true, retryAfter: 4000 }),
  ];
  const { connector } = await memory({
    gate: () => {
      const failure = failures.shift();
      if (failure) throw failure;
    },
  });
  let limited = 0;
  const wrapped = layered(connector, retry({ wait: async (milliseconds) => void waits.push(milliseconds), limited: () => limited++ }));
  assert.equal((await listed(wrapped)).length, 2);
  assert.equal(limited, 1, 'only that the source gets too much is told');
  const [first = 0, second = 0] = waits;
  assert.ok(first >= 100 && first <= 200, `first wait ${first}`);
  assert.equal(second, 4000);
});

test('retry gives up after its attempts, on permanent failures, and when the source requests too long a wait', async () => {
  for (const [failure, tries] of [
    [new ConnectorError('unreachable', '', { retryable: true }), 3],
    [new ConnectorError('unauthorized', ''), 1],
    [new ConnectorError('rateLimited', '', { retryable: true, retryAfter: 60_000 }), 1],
  ] as const) {
    let calls = 0;
    const { connector } = await memory({
      gate: () => {
        calls++;
        throw failure;
      },
    });
    await assert.rejects(layered(connector, retry({ wait: async () => undefined })).stat('/a.txt', ask), failure);
    assert.equal(calls, tries);
  }
});

test('retry never repeats a write, nor a change that may have happened', async () => {
  const calls: string[] = [];
  const { connector } = await memory({
    gate: (operation) => {
      calls.push(operation);
      throw new ConnectorError('interrupted', 'cut', { retryable: true });
    },
  });
  const wrapped = layered(connector, retry({ wait: async () => undefined }));
  const body = Readable.from(['x']);
  await assert.rejects(wrapped.write?.('/n', body, { ...ask, ifExists: 'fail' }) ?? Promise.resolve(), { kind: 'interrupted' });
  await assert.rejects(wrapped.rename?.('/a.txt', 'n', ask) ?? Promise.resolve(), { kind: 'interrupted' });
  assert.deepEqual(calls, ['write', 'rename']);
  assert.ok(body.destroyed);
});

test('retry does not repeat a listing whose first batch was delivered', async () => {
  let parts = 0;
  const { connector } = await memory({
    batchSize: 1,
    gate: (_operation, _path, part) => {
      parts++;
      if (part === 1) throw new ConnectorError('interrupted', 'cut', { retryable: true });
    },
  });
  await assert.rejects(listed(layered(connector, retry({ wait: async () => undefined }))), { kind: 'interrupted' });
  assert.equal(parts, 2);
});

test('limit never allows more calls than it has permits, and serves waiting calls in order', async () => {
  const gates = [gateKeeper(), gateKeeper(), gateKeeper()];
  const started: string[] = [];
  const { connector } = await memory({
    gate: async (_operation, path) => {
      started.push(path);
      await gates[started.length - 1]?.promise;
    },
  });
  const wrapped = layered(connector, limit(1));
  const calls = ['/a.txt', '/b.txt', '/a.txt'].map((path) => wrapped.stat(path, ask));
  for (const [index, gate] of gates.entries()) {
    while (started.length <= index) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(started.length, index + 1);
    gate.open();
    await calls[index];
  }
  assert.deepEqual(started, ['/a.txt', '/b.txt', '/a.txt']);
});

test('limit holds the permit of a body until it is drained or cancelled, and of a listing until it ends', async () => {
  const { connector } = await memory({ batchSize: 1 });
  const wrapped = layered(connector, limit(1));
  const waits = async () => {
    const controller = new AbortController();
    const call = wrapped.stat('/b.txt', { signal: controller.signal });
    await Promise.resolve();
    controller.abort();
    await assert.rejects(call, { kind: 'aborted', message: /waiting for a connection/ });
  };
  const body = await wrapped.read('/a.txt', ask);
  await waits();
  body.cancel();
  body.cancel();
  await wrapped.stat('/a.txt', ask);
  const drained = await wrapped.read('/a.txt', ask);
  await waits();
  await collect(drained);
  await wrapped.stat('/a.txt', ask);
  for await (const batch of wrapped.list('/', ask)) {
    assert.equal(batch.length, 1);
    await waits();
    break;
  }
  await wrapped.stat('/a.txt', ask);
});

test('a wait for a connection ends when none becomes free in time', async () => {
  const { connector } = await memory();
  const wrapped = layered(connector, limit(1, { maxWait: 5, nudgeEvery: 60_000 }));
  const body = await wrapped.read('/a.txt', ask);
  await assert.rejects(wrapped.stat('/b.txt', ask), { kind: 'rateLimited' });
  body.cancel();
});

test('the error of a call that an upload kept waiting names the upload, except for visitors', async () => {
  const { connector } = await memory();
  let guest: string | undefined;
  const wrapped = layered(connector, limit(1, { guest: () => guest, maxWait: 5, nudgeEvery: 60_000 }));
  const body = new Readable({ read: () => undefined });
  const upload = wrapped.write?.('/film.bin', body, { ...ask, ifExists: 'replace' });
  const failure = { kind: 'rateLimited', details: { waited: 'connections', uploading: 'film.bin' } };
  await assert.rejects(wrapped.stat('/b.txt', ask), failure);
  guest = '192.0.2.1';
  await assert.rejects(wrapped.stat('/b.txt', ask), { ...failure, details: { waited: 'connections' } });
  body.destroy(new Error('the test is over'));
  await assert.rejects(upload ?? Promise.resolve());
});

test('transfers leave one permit for browsing, so that slow downloads do not starve it', async () => {
  const { connector } = await memory();
  const wrapped = layered(connector, limit(2, { maxTransferWait: 5 }));
  const body = await wrapped.read('/a.txt', ask);
  await assert.rejects(wrapped.read('/b.txt', ask), { kind: 'rateLimited' });
  assert.equal((await wrapped.stat('/b.txt', ask)).name, 'b.txt');
  body.cancel();
  assert.equal((await collect(await wrapped.read('/b.txt', ask))).toString(), 'beta');
});

test('on the only connection of a link a download is paused for browsing, and returns the whole file', async () => {
  const { source, connector } = await memory({ chunkSize: 1 });
  source.put('/long.txt', '0123456789');
  const wrapped = wholeReads(layered(connector, limit(1, { nudgeEvery: 1 })), { times: 0 });
  const parts: Buffer[] = [];
  const body = await wrapped.read('/long.txt', ask);
  await body.drain(async (chunk) => {
    parts.push(Buffer.from(chunk));
    assert.equal((await listed(wrapped)).length, 3);
  });
  assert.equal(Buffer.concat(parts).toString(), '0123456789');
});

test('visitors leave a permit for the owner, and half of the others for each other', async () => {
  const { connector } = await memory();
  let guest: string | undefined = 'a';
  const wrapped = layered(connector, limit(4, { guest: () => guest, maxWait: 5, maxTransferWait: 5, nudgeEvery: 60_000 }));
  const held = [await wrapped.read('/a.txt', ask), await wrapped.read('/a.txt', ask)];
  await assert.rejects(wrapped.stat('/a.txt', ask), { kind: 'rateLimited' });
  guest = 'b';
  await assert.rejects(wrapped.read('/a.txt', ask), { kind: 'rateLimited' });
  assert.equal((await wrapped.stat('/a.txt', ask)).name, 'a.txt');
  guest = undefined;
  held.push(await wrapped.read('/a.txt', ask));
  assert.equal((await listed(wrapped)).length, 2);
  for (const body of held) body.cancel();
});

test("a visitor's download is paused for the owner's, never the other way round", async () => {
  const { connector } = await memory();
  let guest: string | undefined = 'a';
  const wrapped = layered(connector, limit(2, { guest: () => guest, maxWait: 50, nudgeEvery: 1 }));
  const theirs = await wrapped.read('/a.txt', ask);
  guest = undefined;
  const mine = await wrapped.read('/b.txt', ask);
  guest = 'a';
  await assert.rejects(wrapped.read('/a.txt', ask), { kind: 'rateLimited' });
  await assert.rejects(
    theirs.drain(() => undefined),
    { kind: 'interrupted' },
  );
  assert.equal((await collect(mine)).toString(), 'beta');
});

test('no order of calls exceeds the permits, or leaves the owner without one', () => {
  for (let permits = 1; permits <= 20; permits++)
    for (let seed = 1; seed <= 50; seed++) {
      const holders = new Set<Caller>();
      for (let step = 0; step < 60; step++) {
        const pick = (seed * 7919 + step * 104_729 + seed * step * 31) % 97;
        const caller = { isTransfer: pick % 2 === 0, guest: `network ${pick % 5}` };
        if (mayEnter(caller, holders, permits)) holders.add(caller);
        const [first] = holders;
        if (pick % 11 === 0 && first) holders.delete(first);
      }
      assert.ok(holders.size <= permits);
      if (permits > 1) assert.ok(mayEnter({ isTransfer: false, guest: undefined }, holders, permits), `${permits} permits`);
      if (permits > 2) assert.ok(mayEnter({ isTransfer: true, guest: undefined }, holders, permits), `${permits} permits`);
    }
});

test('a failed call returns its permit', async () => {
  const { connector } = await memory();
  const wrapped = layered(connector, limit(1));
  await assert.rejects(wrapped.stat('/none', ask), { kind: 'notFound' });
  await assert.rejects(listed(wrapped, '/none'), { kind: 'notFound' });
  assert.equal((await wrapped.stat('/a.txt', ask)).name, 'a.txt');
});

test("the caller's signal reaches the source", async () => {
  const controller = new AbortController();
  const { connector } = await memory({ gate: () => controller.abort() });
  const wrapped = layered(connector, retry(), limit(1), timeout());
  await assert.rejects(wrapped.stat('/a.txt', { signal: controller.signal }), { kind: 'aborted' });
});
