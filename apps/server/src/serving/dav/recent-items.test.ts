import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { MemorySource } from '@sheaf/connectors/memory';
import { createAppPassword, listChanges } from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import { addSftp, linkApp } from '#/testing/links.ts';
import { createRecentItems } from './state/recent-items.ts';

type Asking = Awaited<ReturnType<typeof setUp>>['ask'];

async function setUp(t: TestContext) {
  const app = await linkApp(t);
  const url = await app.app.listen({ host: '127.0.0.1', port: 0 });
  t.after(() => app.app.close());
  await addSftp(app.user, 'NAS');
  const { username, password } = await app.user.ask(createAppPassword, { name: 'Test', linkUri: [], rights: 'write' });
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  return {
    ...app,
    /** The status of a request. */
    async ask(method: string, path: string, headers: Readonly<Record<string, string>> = {}, body?: string): Promise<number> {
      const answer = await fetch(`${url}/dav/NAS${path}`, {
        method,
        headers: { authorization, ...headers },
        ...(body !== undefined && { body }),
      });
      await answer.arrayBuffer();
      return answer.status;
    },
  };
}

/** Stores files in a new folder until its listing is known; returns what the storage is asked from then on. */
async function listed(ask: Asking, source: MemorySource, folder: string): Promise<string[]> {
  const asked: string[] = [];
  source.setGate((operation, path) => void asked.push(`${operation} ${path}`));
  let count = 0;
  const isListed = async (): Promise<boolean> => {
    asked.length = 0;
    assert.equal(await ask('PUT', `${folder}/${count++}`, {}, 'x'), 201);
    return asked.length === 1;
  };
  await eventually(isListed, 'the listing of the new folder');
  return asked;
}

test('making the folder of a file anew, storing the file and looking at it asks the storage for little more than storing it', async (t) => {
  const { ask, source } = await setUp(t);
  assert.equal(await ask('MKCOL', '/copy/'), 201);
  assert.equal(await ask('MKCOL', '/copy/deep/'), 201);
  const asked = await listed(ask, source, '/copy/deep');
  asked.length = 0;
  for (const name of ['a', 'b', 'c']) {
    assert.equal(await ask('MKCOL', '/copy/deep/'), 405);
    assert.equal(await ask('PUT', `/copy/deep/${name}`, {}, name), 201);
    assert.equal(await ask('PROPFIND', `/copy/deep/${name}`, { depth: '1' }), 207);
  }
  assert.deepEqual(
    asked,
    ['a', 'b', 'c'].flatMap((name) => ['write', 'stat'].map((operation) => `${operation} /copy/deep/${name}`)),
  );
});

test('a file that somebody else has stored since its name was free is not replaced unseen: the next try keeps it for undo', async (t) => {
  const { ask, source, user } = await setUp(t);
  assert.equal(await ask('MKCOL', '/copy/'), 201);
  await listed(ask, source, '/copy');
  source.put('/copy/scan.pdf', 'of the scanner');
  const stored = (): string => {
    const folder = source.root.children.get('copy');
    const file = folder?.kind === 'folder' ? folder.children.get('scan.pdf') : undefined;
    return file?.kind === 'file' ? file.bytes.toString() : '';
  };
  assert.equal(await ask('PUT', '/copy/scan.pdf', {}, 'of the program'), 409);
  assert.equal(stored(), 'of the scanner');
  assert.ok((await ask('PUT', '/copy/scan.pdf', {}, 'of the program')) < 300);
  assert.equal(stored(), 'of the program');
  const { changes } = await user.ask(listChanges, { offset: 0, limit: 10 });
  assert.deepEqual(
    changes.map(({ kind, name }) => [kind, name]),
    [['replace', 'scan.pdf']],
  );
});

test('what was seen is forgotten when it is deleted or moved', async (t) => {
  const { ask } = await setUp(t);
  assert.equal(await ask('MKCOL', '/copy/'), 201);
  assert.equal(await ask('MKCOL', '/copy/'), 405);
  assert.equal(await ask('DELETE', '/copy/'), 204);
  assert.equal(await ask('PUT', '/copy/a', {}, 'a'), 409);
  assert.equal(await ask('MKCOL', '/copy/'), 201);
  assert.equal(await ask('MOVE', '/copy/', { destination: '/dav/NAS/moved/' }), 201);
  assert.equal(await ask('PUT', '/copy/a', {}, 'a'), 409);
  assert.equal(await ask('PUT', '/moved/a', {}, 'a'), 201);
});

test('items are remembered for three seconds, and the oldest is forgotten when there are too many', () => {
  let now = 0;
  const recent = createRecentItems(() => now);
  const at = { linkId: 'a', path: '/x' };
  recent.note(at, 'file');
  recent.note({ linkId: 'ab', path: '/x' }, 'folder');
  assert.equal(recent.kindOf(at), 'file');
  recent.forget('a');
  assert.deepEqual([recent.kindOf(at), recent.kindOf({ linkId: 'ab', path: '/x' })], [undefined, 'folder']);
  now = 3000;
  assert.equal(recent.kindOf({ linkId: 'ab', path: '/x' }), undefined);
  for (let index = 0; index <= 10_000; index++) recent.note({ linkId: 'many', path: `/${index}` }, 'file');
  assert.deepEqual([recent.kindOf({ linkId: 'many', path: '/0' }), recent.kindOf({ linkId: 'many', path: '/1' })], [undefined, 'file']);
});
