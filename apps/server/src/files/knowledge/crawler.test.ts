import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Changes, type Connector, ConnectorError, type Found, joinPath } from '@sheaf/connectors';
import { linkUriOf, remoteUpdate, search } from '@sheaf/contract';
import { addSftp, linkApp } from '#/testing/links.ts';
import { createCrawler } from './crawler.ts';
import { idleAfter } from './rules.ts';
import { createKnowledgeStore } from './store.ts';
import { createWatch } from './watch.ts';

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

interface Options {
  readonly most?: number;
  readonly feed?: () => Changes;
  /** Pages of the listing of a tree, from what is in it in order. */
  readonly tree?: (inOrder: readonly Found[]) => readonly (readonly Found[])[];
}

/** Everything below a folder, each folder together. */
async function inOrder(connector: Pick<Connector, 'list'>, folder: string, signal: AbortSignal): Promise<Found[]> {
  const found: Found[] = [];
  for await (const batch of connector.list(folder, { signal })) {
    for (const entry of batch) {
      const path = joinPath(folder, entry.name);
      found.push({ path, entry });
      if (entry.kind === 'folder') found.push(...(await inOrder(connector, path, signal)));
    }
  }
  return found;
}

/** A link with folders that nobody has opened, and a crawler that does not pause. */
async function setting(t: TestContext, { most = 200, feed, tree }: Options = {}) {
  let trees: string[] = [];
  let lists: string[] = [];
  const app = await linkApp(t, {
    changed: (connector) => ({
      ...connector,
      list(path, ask) {
        lists.push(path);
        return connector.list(path, ask);
      },
      ...(feed && { changes: async () => feed() }),
      ...(tree && {
        async *listTree(path: string, { signal }: { signal: AbortSignal }) {
          trees.push(path);
          yield* tree(await inOrder(connector, path, signal));
        },
      }),
    }),
  });
  const { user, source, services } = app;
  for (const path of ['/a/b/c/deep.txt', '/a/other.txt', '/closed/secret.txt', '/z/y/last.txt']) source.put(path, 'x');
  const { userLinkId: linkId } = await addSftp(user, 'NAS');
  const store = createKnowledgeStore(services.database);
  let time = Date.now();
  const { listings, connections } = services;
  const watch = createWatch(async () => true);
  const deps = { store, listings, open: connections.open, mayLook: async () => true, watch, now: () => time, pause: 0, most };
  const crawler = createCrawler(deps);
  const run = { signal: AbortSignal.timeout(60_000), stillMine: async () => true };
  return {
    ...app,
    store,
    linkId,
    crawl: () => crawler.crawl(linkId, run),
    follow: () => crawler.follow(linkId, run),
    row: async () => (await store.find(linkId)) ?? assert.fail('the link is gone'),
    wait: (milliseconds: number) => (time += milliseconds),
    now: () => time,
    /** Folders listed and trees begun since the last call. */
    asked() {
      const before = { lists, trees };
      [lists, trees] = [[], []];
      return before;
    },
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
  const { crawl, found, store, linkId, now, wait } = await setting(t, { most: 3 });
  assert.deepEqual(await found('deep'), []);
  const due = async () => (await store.due(now(), now() + minute, 10)).map((one) => one.linkId);
  assert.deepEqual(await due(), [linkId]);
  assert.deepEqual(await store.due(now(), now() - idleAfter, 10), [], 'a new link is left alone for a while');
  assert.deepEqual(await crawl(), { again: 0 });
  assert.deepEqual(await due(), [linkId], 'the rest is due at once');
  await crawl();
  await crawl();
  assert.deepEqual([await found('deep'), await found('last')], [['deep.txt'], ['last.txt']]);
  assert.deepEqual(await due(), []);
  assert.equal(await crawl(), undefined, 'a second job for the same work ends');
  wait(hour + 1);
  assert.deepEqual(await due(), [linkId]);
});

test('nothing is read while a user works in the link', async (t) => {
  const { crawl, asked, found, store, linkId, row, now, wait } = await setting(t);
  await store.used(linkId, now());
  assert.deepEqual(await crawl(), { again: idleAfter });
  assert.deepEqual([asked().lists, (await row()).nextAt], [[], now() + idleAfter]);
  wait(idleAfter);
  await crawl();
  assert.deepEqual(await found('deep'), ['deep.txt']);
});

test('a folder that refuses is left out, and a source that refuses is asked again after growing waits, or when it says', async (t) => {
  const { crawl, found, source, store, linkId, row, now, wait } = await setting(t);
  source.setGate((operation, path) => {
    if (operation === 'list' && path === '/closed') throw new ConnectorError('forbidden', 'not for you');
  });
  await crawl();
  assert.deepEqual([await found('deep'), await found('secret')], [['deep.txt'], []]);
  assert.deepEqual(await store.unknown(linkId, now(), 10), [], 'the refused folder is not asked for again');

  let retryAfter: number | undefined;
  source.setGate(() => {
    throw new ConnectorError('rateLimited', 'slow down', { ...(retryAfter !== undefined && { retryAfter }) });
  });
  const waits: number[] = [];
  wait(8 * day);
  for (const asks of [undefined, undefined, undefined, hour]) {
    retryAfter = asks;
    await crawl();
    const { nextAt } = await row();
    waits.push(nextAt - now());
    wait(nextAt - now());
  }
  assert.deepEqual(waits, [2 * minute, 4 * minute, 8 * minute, hour]);
});

test('what was in a folder that is gone leaves the search once the folder above has been read', async (t) => {
  const { crawl, found, look, services, user, linkId } = await setting(t);
  await crawl();
  assert.deepEqual(await found('deep'), ['deep.txt']);
  const { connector } = await services.connections.open(user.userId, linkId);
  await connector.remove?.('/a', { signal: AbortSignal.timeout(10_000) });
  await look('/');
  await services.listings.idle();
  assert.deepEqual([await found('deep'), await found('other')], [[], []]);
});

test('reported changes lead to a look at the known folders concerned, and the cursor is stored after it', async (t) => {
  const answers: Changes[] = [
    { cursor: 'one', items: [], incomplete: false },
    { cursor: 'two', items: [{ path: '/a/new.txt' }, { path: '/unknown/x.txt' }], incomplete: false },
    { cursor: 'three', items: [], incomplete: true },
  ];
  const { crawl, follow, found, source, store, linkId, row, now, wait, asked } = await setting(t, {
    feed: () => answers.shift() ?? { cursor: 'end', items: [], incomplete: false },
  });
  await crawl();
  assert.equal((await row()).cursor, 'one');
  source.put('/a/new.txt', 'x');
  // A user works in the link: changes are still asked for.
  wait(5 * minute);
  await store.used(linkId, now());
  asked();
  source.setGate((operation) => {
    if (operation === 'list') throw new ConnectorError('unreachable', 'not now');
  });
  await follow();
  assert.equal((await row()).cursor, 'one', 'the interrupted changes are reported again');
  answers.unshift({ cursor: 'two', items: [{ path: '/a/new.txt' }, { path: '/unknown/x.txt' }], incomplete: false });
  source.setGate(() => undefined);
  wait(2 * minute);
  await store.used(linkId, now());
  asked();
  assert.deepEqual(await follow(), { again: 25_000 });
  assert.deepEqual([await found('new'), asked().lists, (await row()).cursor], [['new.txt'], ['/a'], 'two']);
  wait(2 * hour);
  await follow();
  assert.equal((await row()).feedAt, now() + 2 * hour, 'the wait grows while nobody looks');
  await crawl();
  assert.ok(asked().lists.length > 5, 'after changes that the source cannot tell every known folder is read again');
});

test('a source that lists whole trees is read with one listing, whose folders are stored as they arrive', async (t) => {
  const { crawl, asked, found, source, user, services, linkId, store, now, wait } = await setting(t, {
    tree: (all) => all.map((one) => [one]),
  });
  await crawl();
  assert.deepEqual(asked(), { lists: [], trees: ['/'] });
  assert.deepEqual([await found('deep'), await found('last'), await found('b')], [['deep.txt'], ['last.txt'], ['b']]);
  assert.deepEqual(await store.unknown(linkId, now(), 10), []);
  const { connector } = await services.connections.open(user.userId, linkId);
  await connector.remove?.('/a/other.txt', { signal: AbortSignal.timeout(10_000) });
  await connector.remove?.('/z', { signal: AbortSignal.timeout(10_000) });
  source.put('/a/b/newer.txt', 'x');
  wait(day + hour);
  await crawl();
  assert.deepEqual(asked().trees, ['/']);
  assert.deepEqual([await found('other'), await found('last'), await found('newer')], [[], [], ['newer.txt']]);
});

test('an interrupted listing of a tree continues with the rest, and an unordered one is rejected', async (t) => {
  let fault: 'cut' | 'mixed' | undefined = 'cut';
  const { crawl, asked, found, row, wait } = await setting(t, {
    tree(all) {
      const at = all.findIndex(({ path }) => path.startsWith('/z'));
      if (fault === 'mixed') return [[...all.slice(1), ...all.slice(0, 1)]];
      if (fault === undefined) return [all];
      fault = undefined;
      return [all.slice(0, at), [{ path: '/left/out.txt', entry: { name: 'in.txt', kind: 'file' } }]];
    },
  });
  // Leads out of its folder: what had arrived is stored, the rest is listed folder by folder.
  await crawl();
  const first = asked();
  assert.deepEqual([first.lists.includes('/'), first.trees[0]], [true, '/']);
  assert.ok(!first.trees.includes('/a') && !first.lists.includes('/a'), 'what was stored is not asked for again');
  assert.deepEqual([await found('deep'), await found('last'), await found('in.txt')], [['deep.txt'], ['last.txt'], []]);
  assert.equal((await row()).tree, undefined);
  fault = 'mixed';
  wait(2 * day);
  await crawl();
  assert.deepEqual([await found('deep'), await found('last')], [['deep.txt'], ['last.txt']]);
});
