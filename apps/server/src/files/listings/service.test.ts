import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { type Connector, ConnectorError } from '@sheaf/connectors';
import { AppError } from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import { dataOf, testContent } from '#/testing/content.ts';
import { createSpools } from './rows/spool.ts';
import { createListings } from './service.ts';

const byName = { sort: 'name', order: 'asc', filter: '' } as const;
const first = { view: byName, fresh: false, refresh: true, early: true, offset: 0, limit: 25 };
const inTime = () => AbortSignal.timeout(60_000);
const soon = (condition: () => boolean | Promise<boolean>) => eventually(condition, 'what the source was asked for');

/** A folder whose batches the test releases. */
function slowFolder() {
  const steps: PromiseWithResolvers<readonly string[] | undefined>[] = [Promise.withResolvers()];
  const state = { asked: 0, stopped: false };
  const connector: Pick<Connector, 'list'> = {
    async *list(_path, { signal }) {
      state.asked++;
      for (let at = 0; ; at++) {
        const step = (steps[at] ??= Promise.withResolvers());
        const names = await Promise.race([
          step.promise,
          new Promise<never>((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(new ConnectorError('aborted', 'given up')), { once: true });
          }),
        ]).catch((error: unknown) => {
          state.stopped = true;
          throw error;
        });
        if (names === undefined) return;
        yield names.map((name) => ({ name, kind: 'file', size: 1 }) as const);
      }
    },
  };
  let given = 0;
  const give = (names: readonly string[] | undefined) => {
    const step = (steps[given++] ??= Promise.withResolvers());
    step.resolve(names);
  };
  return { connector, state, give };
}

test('the first rows of a folder never seen are shown before the last have arrived [BRW-29]', async (t) => {
  const { listings, userLinkId } = await testContent(t);
  const folder = slowFolder();
  const place = { userId: 'user1', linkId: userLinkId, path: '/big', connector: folder.connector };
  folder.give(['b', 'a']);
  const early = await listings.firstPage(place, first, inTime());
  assert.deepEqual(
    early.entries.map(({ name }) => name),
    ['a', 'b'],
  );
  assert.deepEqual([early.stale, early.total, early.listedAt, early.hasMore], [true, undefined, undefined, true]);
  folder.give(['c']);
  folder.give(undefined);
  await soon(async () => {
    const page = await listings.firstPage(place, { ...first, refresh: false }, inTime());
    return !page.stale && page.total === 3;
  });
  assert.equal(folder.state.asked, 1);
});

test('concurrent requests for a folder ask its source once', async (t) => {
  const { listings, userLinkId } = await testContent(t);
  const folder = slowFolder();
  const place = { userId: 'user1', linkId: userLinkId, path: '/', connector: folder.connector };
  const asked = Array.from({ length: 20 }, () => listings.firstPage(place, first, inTime()));
  folder.give(['a']);
  folder.give(undefined);
  for (const page of await Promise.all(asked)) assert.equal(page.entries.length, 1);
  assert.equal(folder.state.asked, 1);
});

test('a client that disconnects before it has seen anything stops the source', async (t) => {
  const { listings, userLinkId } = await testContent(t);
  const folder = slowFolder();
  const client = new AbortController();
  const asked = listings.firstPage({ userId: 'user1', linkId: userLinkId, path: '/', connector: folder.connector }, first, client.signal);
  await soon(async () => folder.state.asked === 1);
  client.abort();
  await assert.rejects(asked);
  await soon(async () => folder.state.stopped);
});

test('a client that disconnects does not abort the listing of another', async (t) => {
  const { listings, userLinkId } = await testContent(t);
  const folder = slowFolder();
  const place = { userId: 'user1', linkId: userLinkId, path: '/', connector: folder.connector };
  const client = new AbortController();
  const left = listings.firstPage(place, first, client.signal);
  const stays = listings.firstPage(place, first, inTime());
  client.abort();
  await assert.rejects(left);
  folder.give(['a']);
  folder.give(undefined);
  assert.equal((await stays).total, 1);
});

test('a request after a client stopped the source asks it again', async (t) => {
  const { listings, userLinkId } = await testContent(t);
  const folder = slowFolder();
  const place = { userId: 'user1', linkId: userLinkId, path: '/', connector: folder.connector };
  const client = new AbortController();
  const left = listings.firstPage(place, first, client.signal);
  await soon(() => folder.state.asked === 1);
  const later = slowFolder();
  later.give(['a']);
  later.give(undefined);
  const refused = assert.rejects(left);
  client.abort();
  await refused;
  assert.equal((await listings.firstPage({ ...place, connector: later.connector }, first, inTime())).total, 1);
});

test('a stored folder is shown at once and refreshed in the background [BRW-29]', async (t) => {
  const { listings, userLinkId, source, names, content, userId, uri, pass } = await testContent(t);
  source.put('/a', 'x');
  assert.deepEqual(await names('/'), ['a']);
  source.put('/b', 'x');
  pass(60_000);
  const gate = Promise.withResolvers<void>();
  source.setGate((operation) => (operation === 'list' ? gate.promise : undefined));
  const ask = { linkUri: uri('/'), sort: 'name', order: 'asc', fresh: false, refresh: true, limit: 25 } as const;
  const page = async (refresh: boolean) =>
    dataOf<{ items: { name: string }[]; stale: boolean; version: string }>(await content.firstPage(userId, { ...ask, refresh }, inTime()));
  const stored = await page(true);
  assert.deepEqual([stored.items.map(({ name }) => name), stored.stale], [['a'], true]);
  gate.resolve();
  await soon(async () => !(await page(false)).stale);
  const renewed = await page(false);
  assert.deepEqual(
    renewed.items.map(({ name }) => name),
    ['a', 'b'],
  );
  assert.notEqual(renewed.version, stored.version);
  assert.ok((await listings.findEntry(userLinkId, '/', 'b'))?.kind === 'file');
});

test('a listing without changes keeps the version', async (t) => {
  const { store, userLinkId, source, names } = await testContent(t);
  source.put('/a', 'x');
  await names('/');
  const before = await store.findFolder(userLinkId, '/');
  await names('/');
  const after = await store.findFolder(userLinkId, '/');
  assert.equal(after?.version, before?.version);
  assert.ok(after?.listedAt !== null);
});

test('a folder is not asked for again within seconds unless the user insists', async (t) => {
  const { content, userId, uri, source, names, pass } = await testContent(t);
  let asked = 0;
  source.setGate((operation) => void (operation === 'list' && asked++));
  await names('/');
  const ask = { linkUri: uri('/'), sort: 'name', order: 'asc', fresh: false, refresh: true, limit: 25 } as const;
  await content.firstPage(userId, ask, inTime());
  assert.equal(asked, 1);
  await content.firstPage(userId, { ...ask, fresh: true }, inTime());
  assert.equal(asked, 2);
  pass(10_000);
  await content.firstPage(userId, ask, inTime());
  await soon(async () => asked === 3);
});

test('a change made here stays when a listing begun earlier ends', async (t) => {
  const { listings, userLinkId, names, source } = await testContent(t);
  for (const name of ['old', 'kept']) source.put(`/${name}`, 'x');
  await names('/');
  const folder = slowFolder();
  const place = { userId: 'user1', linkId: userLinkId, path: '/', connector: folder.connector };
  const asked = listings.firstPage(place, { ...first, fresh: true }, inTime());
  await soon(async () => folder.state.asked === 1);
  await listings.note(userLinkId, '/', { gone: 'old', put: { name: 'new', kind: 'file', size: 5 } });
  folder.give(['old', 'kept']);
  folder.give(undefined);
  const page = await asked;
  assert.deepEqual(
    page.entries.map(({ name }) => name),
    ['kept', 'new'],
  );
  assert.equal(page.total, 2);
});

test('the listing of a whole tree that ends late does not undo a change that a newer listing of a folder has confirmed', async (t) => {
  const { listings, userLinkId, names, source } = await testContent(t);
  source.put('/docs/old', 'x');
  const tree = await listings.receive(userLinkId, '/docs', Date.now() - 1);
  await tree.put([{ name: 'old', kind: 'file', size: 1 }]);
  source.put('/docs/new', 'x');
  await listings.note(userLinkId, '/docs', { put: { name: 'new', kind: 'file', size: 1 } });
  // The newer listing begins in a later millisecond, and drops the note of the change.
  const noted = Date.now();
  await eventually(() => Date.now() > noted, 'a later millisecond');
  await names('/docs');
  await tree.finish();
  assert.ok(await listings.findEntry(userLinkId, '/docs', 'new'));
});

test('a change made here shows in a folder that is still loading for the first time', async (t) => {
  const { listings, userLinkId } = await testContent(t);
  const folder = slowFolder();
  const place = { userId: 'user1', linkId: userLinkId, path: '/', connector: folder.connector };
  folder.give(['a']);
  await listings.firstPage(place, first, inTime());
  await listings.note(userLinkId, '/', { put: { name: 'mine', kind: 'file' } });
  await listings.note(userLinkId, '/', { gone: 'later' });
  folder.give(['later']);
  const names = async () =>
    (await listings.page(place, { view: byName, early: true, offset: 0, limit: 25 }, inTime())).entries.map(({ name }) => name);
  assert.deepEqual(await names(), ['a', 'mine']);
  folder.give(undefined);
  await soon(async () => !(await listings.firstPage(place, { ...first, refresh: false }, inTime())).stale);
  await soon(async () => (await listings.findEntry(userLinkId, '/', 'a')) !== undefined);
  assert.deepEqual(await names(), ['a', 'mine']);
});

test('stored rows are shown, with the reason, while a source cannot be reached', async (t) => {
  const { content, userId, uri, source, names, pass } = await testContent(t);
  source.put('/a', 'x');
  await names('/');
  source.setGate(() => {
    throw new ConnectorError('unreachable', 'no connection');
  });
  pass(60_000);
  const ask = { linkUri: uri('/'), sort: 'name', order: 'asc', fresh: true, refresh: true, limit: 25 } as const;
  const page = dataOf<{ items: unknown[]; refreshError?: { errorCode: number } }>(await content.firstPage(userId, ask, inTime()));
  assert.equal(page.items.length, 1);
  assert.equal(page.refreshError?.errorCode, 652);
  source.setGate(() => undefined);
  const again = dataOf<{ refreshError?: unknown }>(await content.firstPage(userId, ask, inTime()));
  assert.equal(again.refreshError, undefined);
});

test('a folder never seen whose source fails is an error, and the next request asks again', async (t) => {
  const { content, userId, uri, source, names } = await testContent(t);
  source.setGate(() => {
    throw new ConnectorError('unreachable', 'no connection');
  });
  const ask = { linkUri: uri('/'), sort: 'name', order: 'asc', fresh: false, refresh: true, limit: 25 } as const;
  await assert.rejects(content.firstPage(userId, ask, inTime()), (error: unknown) => error instanceof AppError && error.errorCode === 652);
  source.setGate(() => undefined);
  assert.deepEqual(await names('/'), []);
});

test('a folder that is gone at the source is forgotten with everything below it', async (t) => {
  const { content, userId, uri, source, names, store, userLinkId, database } = await testContent(t);
  source.put('/gone/below/file', 'x');
  for (const path of ['/', '/gone', '/gone/below']) await names(path);
  source.root.children.delete('gone');
  const ask = { linkUri: uri('/gone'), sort: 'name', order: 'asc', fresh: true, refresh: true, limit: 25 } as const;
  await assert.rejects(content.firstPage(userId, ask, inTime()), (error: unknown) => error instanceof AppError && error.errorCode === 701);
  for (const path of ['/gone', '/gone/below']) assert.equal(await store.findFolder(userLinkId, path), undefined);
  assert.ok(await store.findFolder(userLinkId, '/'));
  await soon(async () => (await database.db.selectFrom('listing_folder').select('id').execute()).length === 1);
});

test('unfinished uploads and names that no path can hold are not shown', async (t) => {
  const { listings, userLinkId } = await testContent(t);
  const folder = slowFolder();
  folder.give(['.sheaf-partial-1', '..', '.', '', 'a/b', 'a\0', 'seen']);
  folder.give(undefined);
  const page = await listings.firstPage({ userId: 'user1', linkId: userLinkId, path: '/', connector: folder.connector }, first, inTime());
  assert.deepEqual(
    page.entries.map(({ name }) => name),
    ['seen'],
  );
});

test('unlinking removes what is stored of the link', async (t) => {
  const { source, names, database, userLinkId } = await testContent(t);
  source.put('/a', 'x');
  await names('/');
  await database.db.deleteFrom('listing_folder').where('linkId', '=', userLinkId).execute();
  assert.deepEqual(await database.db.selectFrom('listing_entry').select('name').execute(), []);
});

test('pages of a folder never seen have no gaps, however its rows arrive', async (t) => {
  const { listings, userLinkId } = await testContent(t);
  const folder = slowFolder();
  const place = { userId: 'user1', linkId: userLinkId, path: '/', connector: folder.connector };
  const names = Array.from({ length: 60 }, (_, at) => `file-${String((at * 37) % 60).padStart(5, '0')}`);
  folder.give(names.slice(0, 20));
  const asked = listings.firstPage(place, { ...first, early: false }, inTime());
  // Another user may see what has arrived.
  assert.equal((await listings.firstPage(place, first, inTime())).total, undefined);
  const next = listings.page(place, { view: byName, early: false, offset: 25, limit: 25 }, inTime());
  folder.give(names.slice(20));
  folder.give(undefined);
  const last = await listings.page(place, { view: byName, early: false, offset: 50, limit: 25 }, inTime());
  const shown = [await asked, await next, last].flatMap(({ entries }) => entries.map(({ name }) => name));
  assert.deepEqual(shown, names.toSorted());
});

/** An endless folder. */
function endlessFolder() {
  const state = { given: 0, isOver: false };
  const connector: Pick<Connector, 'list'> = {
    async *list(_path, { signal }) {
      try {
        while (!signal.aborted) {
          yield Array.from({ length: 100 }, () => ({ name: `file ${state.given++}`, kind: 'file' }) as const);
          await new Promise((resolve) => setImmediate(resolve));
        }
        throw new ConnectorError('aborted', 'given up');
      } finally {
        state.isOver = true;
      }
    },
  };
  return { connector, state };
}

test('a user has a budget for running listings across all links, and gets it back', async (t) => {
  const { store, userLinkId } = await testContent(t);
  const listings = createListings({
    store,
    spools: createSpools(),
    now: Date.now,
    newVersion: randomUUID,
    onStoreError: assert.ifError,
    budgetLimit: 100_000,
  });
  t.after(listings.close);
  const folder = endlessFolder();
  const place = { userId: 'user1', linkId: userLinkId, path: '/', connector: folder.connector };
  const isBusy = (error: unknown) => error instanceof AppError && error.messageCode === 'LISTINGS_BUSY';
  await assert.rejects(listings.firstPage(place, { ...first, early: false }, inTime()), isBusy);
  assert.ok(folder.state.isOver);
  assert.ok(folder.state.given < 2000, `${folder.state.given} entries were taken`);
  const small = slowFolder();
  small.give(['a']);
  small.give(undefined);
  assert.equal((await listings.firstPage({ ...place, path: '/small', connector: small.connector }, first, inTime())).total, 1);
});

test('a partly read listing ends soon after its last reader has left', async (t) => {
  const { listings, userLinkId, pass } = await testContent(t);
  const folder = endlessFolder();
  const place = { userId: 'user1', linkId: userLinkId, path: '/', connector: folder.connector };
  await listings.firstPage(place, first, inTime());
  assert.ok(!folder.state.isOver);
  pass(31_000);
  await soon(() => folder.state.isOver);
});
