import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Changes, ConnectorError } from '@sheaf/connectors';
import { linkUriOf, remoteUpdate, search } from '@sheaf/contract';
import { addSftp, linkApp } from '#/testing/links.ts';
import { createCrawler, idleAfter } from './crawler.ts';
import { createKnowledgeStore } from './store.ts';

/** A link with folders that nobody has opened, and a crawler that does not pause. */
async function setting(t: TestContext, options: { readonly most?: number; readonly feed?: () => Changes } = {}) {
  const { feed } = options;
  const app = await linkApp(t, feed ? { changed: (connector) => ({ ...connector, changes: async () => feed() }) } : {});
  const { user, source, services } = app;
  for (const path of ['/a/b/c/deep.txt', '/a/other.txt', '/closed/secret.txt', '/z/y/last.txt']) source.put(path, 'x');
  const { userLinkId: linkId } = await addSftp(user, 'NAS');
  const store = createKnowledgeStore(services.database);
  let time = Date.now();
  const { listings, connections } = services;
  const crawler = createCrawler({ store, listings, open: connections.open, now: () => time, pause: 0, ...options });
  let lists = 0;
  source.setGate((operation) => void (operation === 'list' && lists++));
  return {
    ...app,
    store,
    linkId,
    run: () => crawler.run(user.userId, linkId, AbortSignal.timeout(60_000)),
    wait: (milliseconds: number) => (time += milliseconds),
    now: () => time,
    /** Folders listed since the last call. */
    listed: () => lists - ((lists = 0), 0),
    found: async (query: string) => (await user.ask(search, { query, offset: 0, limit: 50 })).items.map(({ name }) => name),
    look: (path: string) =>
      user.ask(remoteUpdate, {
        linkUri: linkUriOf(linkId, path),
        sort: 'name',
        order: 'asc',
        early: false,
        fresh: true,
        refresh: false,
        limit: 50,
      }),
  };
}

test('folders that nobody has opened are read, so that the search finds what is in them, and a run continues an earlier one', async (t) => {
  const { run, found, store, linkId, now, wait } = await setting(t, { most: 3 });
  assert.deepEqual(await found('deep'), []);
  const due = async () => (await store.due(now(), now() + 60_000, 10)).map((one) => one.linkId);
  assert.deepEqual(await due(), [linkId]);
  assert.deepEqual(await store.due(now(), now() - idleAfter, 10), [], 'a new link is left alone for a while');
  await run();
  assert.deepEqual(await due(), [linkId], 'the rest is due at once');
  await run();
  await run();
  assert.deepEqual([await found('deep'), await found('last')], [['deep.txt'], ['last.txt']]);
  assert.deepEqual(await due(), []);
  wait(3_600_001);
  assert.deepEqual(await due(), [linkId]);
});

test('nothing is read while a user works in the link', async (t) => {
  const { run, found, store, linkId, now, wait } = await setting(t);
  await store.used(linkId, now());
  await run();
  assert.deepEqual(await found('deep'), []);
  assert.equal((await store.find(linkId)).nextAt, now() + idleAfter);
  wait(idleAfter);
  await run();
  assert.deepEqual(await found('deep'), ['deep.txt']);
});

test('a folder that refuses is left out, and a source that refuses is asked again after growing waits', async (t) => {
  const { run, found, source, store, linkId, now, wait } = await setting(t);
  source.setGate((operation, path) => {
    if (operation === 'list' && path === '/closed') throw new ConnectorError('forbidden', 'not for you');
  });
  await run();
  assert.deepEqual([await found('deep'), await found('secret')], [['deep.txt'], []]);
  assert.deepEqual(await store.unknown(linkId, now(), 10), [], 'the refused folder is not asked for again');

  wait(8 * 86_400_000);
  source.setGate(() => {
    throw new ConnectorError('rateLimited', 'slow down');
  });
  const waits: number[] = [];
  for (let attempt = 0; attempt < 3; attempt++) {
    await run();
    waits.push((await store.find(linkId)).nextAt - now());
  }
  assert.deepEqual(waits, [120_000, 240_000, 480_000]);
});

test('what was in a folder that is gone leaves the search once the folder above has been read', async (t) => {
  const { run, found, look, services, user, linkId } = await setting(t);
  await run();
  assert.deepEqual(await found('deep'), ['deep.txt']);
  const { connector } = await services.connections.open(user.userId, linkId);
  await connector.remove?.('/a', { signal: AbortSignal.timeout(10_000) });
  await look('/');
  await services.listings.idle();
  assert.deepEqual([await found('deep'), await found('other')], [[], []]);
});

test('reported changes lead to a look at the known folders concerned, and the cursor is stored', async (t) => {
  const answers: Changes[] = [
    { cursor: 'one', items: [], incomplete: false },
    { cursor: 'two', items: [{ path: '/a/new.txt' }, { path: '/unknown/x.txt' }], incomplete: false },
  ];
  const { run, found, source, store, linkId, now, wait, listed } = await setting(t, {
    feed: () => answers.shift() ?? { cursor: 'end', items: [], incomplete: false },
  });
  await run();
  assert.equal((await store.find(linkId)).cursor, 'one');
  source.put('/a/new.txt', 'x');
  wait(60_000);
  listed();
  // A user works in the link: changes are still looked for.
  await store.used(linkId, now());
  await run();
  assert.deepEqual([await found('new'), listed(), (await store.find(linkId)).cursor], [['new.txt'], 1, 'two']);
  assert.equal((await store.find(linkId)).nextAt, now() + 60_000);
  wait(7_200_000);
  await run();
  assert.equal((await store.find(linkId)).nextAt, now() + 7_200_000, 'the wait grows while nobody looks');
});
