import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Connector, ConnectorError, type Entry } from '@sheaf/connectors';
import { pathIn, refuseLinks } from './shared-path.ts';

/** A source with these folders that answers when `open` is called and records the requests. */
function source(folders: readonly string[], { waits = false } = {}) {
  const asked: string[] = [];
  const signals: AbortSignal[] = [];
  const gate = Promise.withResolvers<void>();
  if (!waits) gate.resolve();
  const look = async (path: string, { signal }: { signal: AbortSignal }): Promise<Entry> => {
    asked.push(path);
    signals.push(signal);
    await gate.promise;
    if (!folders.includes(path)) throw new ConnectorError('notFound', 'nothing there');
    return { name: path.slice(path.lastIndexOf('/') + 1), kind: 'folder' };
  };
  const connector: Connector = {
    // eslint-disable-next-line require-yield -- it has no entries
    async *list() {},
    stat: look,
    lstat: look,
    read: () => Promise.reject(new ConnectorError('isAFolder', 'only folders')),
    close: () => Promise.resolve(),
  };
  return { asked, signals, connector, open: gate.resolve };
}

const { signal } = new AbortController();

test('a path below a share is bounded in segments and in bytes', () => {
  const shared = { path: '/Trip', isFolder: 1 };
  const name = 'ä'.repeat(100);
  const fits = Array.from({ length: 40 }, () => name).join('/');
  assert.equal(pathIn(shared, fits), `/Trip/${fits}`);
  assert.throws(() => pathIn(shared, `${fits}/${name}`), { messageCode: 'ITEM_NOT_FOUND' });
  assert.throws(() => pathIn(shared, 'a/'.repeat(100) + 'a'), { messageCode: 'ITEM_NOT_FOUND' });
});

test('the check of a path ends at the first segment that is missing', async () => {
  const { asked, connector } = source(['/Trip/a']);
  await assert.rejects(refuseLinks(connector, '/Trip', `/Trip/a/b/${'c/'.repeat(90)}d`, signal), { kind: 'notFound' });
  assert.deepEqual(asked, ['/Trip/a', '/Trip/a/b']);
});

test('concurrent checks of one path ask the source once, and one caller who leaves ends none of the others', async () => {
  const { asked, connector, open } = source(['/Trip/a', '/Trip/a/b'], { waits: true });
  const leaving = new AbortController();
  const first = refuseLinks(connector, '/Trip', '/Trip/a/b', leaving.signal);
  const others = [1, 2, 3].map(() => refuseLinks(connector, '/Trip', '/Trip/a/b', signal));
  leaving.abort();
  await assert.rejects(first);
  open();
  await Promise.all(others);
  assert.deepEqual(asked, ['/Trip/a', '/Trip/a/b']);
});

test('a check that nobody waits for is aborted', async () => {
  const { signals, connector } = source(['/Trip/a'], { waits: true });
  const leaving = new AbortController();
  const check = refuseLinks(connector, '/Trip', '/Trip/a', leaving.signal);
  leaving.abort();
  await assert.rejects(check);
  assert.deepEqual(
    signals.map(({ aborted }) => aborted),
    [true],
  );
});
