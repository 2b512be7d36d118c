import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ConnectorError } from '@sheaf/connectors';
import {
  type ErrorAnswer,
  type ReplyOf,
  binList,
  binRestore,
  deleteObject,
  linkUriOf,
  listChanges,
  setBinDays,
  tus,
  undoChange,
  upload,
} from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import type { TestApp, User } from '#/testing/app.ts';
import { addSftp, linkApp } from '#/testing/links.ts';
import { join, spaceApp } from '#/testing/spaces.ts';
import { metadata } from '#/testing/tus.ts';

type Stored = ReplyOf<typeof upload>;

/** Sends a file as the browser does. */
async function put(app: TestApp, user: User, ask: Record<string, string>, text: string): Promise<{ data: Stored } & ErrorAnswer> {
  const there = app.visitor();
  for (const [cookie, value] of user.cookies) there.cookies.set(cookie, value);
  const response = await there.inject({
    method: 'PUT',
    url: `${upload.path}?${new URLSearchParams({ conflict: 'replace', ...ask }).toString()}`,
    headers: { 'x-rtag': user.cookies.get('sh') ?? '', 'content-type': 'text/plain' },
    payload: text,
  });
  return response.json();
}

async function withFile(t: TestContext, options: Parameters<typeof linkApp>[1] = {}) {
  const app = await linkApp(t, options);
  app.source.put('/docs/plan.txt', 'the old plan');
  const { userLinkId } = await addSftp(app.user, 'NAS');
  const docs = linkUriOf(userLinkId, '/docs');
  const textOf = (name: string): string | undefined => {
    const folder = app.source.root.children.get('docs') as typeof app.source.root;
    const file = folder.children.get(name);
    return file?.kind === 'file' ? file.bytes.toString() : undefined;
  };
  const save = async (text: string, more = {}): Promise<Stored> =>
    (await put(app, app.user, { parentLinkUri: docs, name: 'plan.txt', ...more }, text)).data;
  return { ...app, docs, root: linkUriOf(userLinkId, '/'), textOf, save };
}

test('undo restores a file that an upload replaced, and undoing that restores the new one', async (t) => {
  const { user, textOf, save, root } = await withFile(t);
  const { undoId } = await save('the new and longer plan', { undoId: 'one-upload' });
  assert.equal(undoId, 'one-upload');
  assert.equal(textOf('plan.txt'), 'the new and longer plan');
  const [change] = (await user.ask(listChanges, { offset: 0, limit: 25 })).changes;
  assert.deepEqual([change?.kind, change?.name, change?.undoable], ['replace', 'plan.txt', 1]);
  const bin = await user.ask(binList, { linkUri: root, limit: 100 });
  assert.deepEqual(
    bin.items.map(({ name, size, replaced, folderPath }) => [name, size, replaced, folderPath]),
    [['plan.txt', 12, true, '/docs']],
  );
  assert.equal(bin.bytes, 12);

  const { redoId = '', ...result } = await user.ask(undoChange, { undoId: 'one-upload' });
  assert.deepEqual(result, { undone: 1, refused: [], refusedTotal: 0 });
  assert.equal(textOf('plan.txt'), 'the old plan');
  const again = await user.ask(undoChange, { undoId: redoId });
  assert.equal(again.undone, 1);
  assert.equal(textOf('plan.txt'), 'the new and longer plan');
  assert.equal((await user.ask(undoChange, { undoId: again.redoId ?? '' })).undone, 1);
  assert.equal(textOf('plan.txt'), 'the old plan');
  assert.deepEqual(await user.ask(undoChange, { undoId: 'one-upload' }), { undone: 0, refused: [], refusedTotal: 0 });
});

test('a new file, and one that is not kept, say nothing of undo; two saves are undone one after the other', async (t) => {
  const { user, textOf, save } = await withFile(t);
  assert.equal((await save('x', { name: 'new.txt' })).undoId, undefined);
  const first = await save('second words');
  const second = await save('third words here');
  assert.equal((await user.ask(undoChange, { undoId: second.undoId ?? '' })).undone, 1);
  assert.equal(textOf('plan.txt'), 'second words');
  assert.equal((await user.ask(undoChange, { undoId: first.undoId ?? '' })).undone, 1);
  assert.equal(textOf('plan.txt'), 'the old plan');
  await user.ask(setBinDays, { days: 0 });
  assert.equal((await save('not kept')).undoId, undefined);
});

test('an undo never touches a file that somebody has changed since', async (t) => {
  const { user, textOf, save, source, docs, root } = await withFile(t);
  const { undoId = '' } = await save('the new plan');
  source.put('/docs/plan.txt', 'written by somebody else');
  const { refused } = await user.ask(undoChange, { undoId });
  assert.deepEqual(
    refused.map(({ error }) => error.messageCode),
    ['CHANGED_SINCE'],
  );
  const [item] = (await user.ask(binList, { linkUri: root, limit: 100 })).items;
  const restored = await user.ask(binRestore, { linkUri: root, itemId: [item?.itemId ?? ''] });
  assert.deepEqual(
    restored.refused.map(({ error }) => error.messageCode),
    ['CHANGED_SINCE'],
  );
  assert.equal(textOf('plan.txt'), 'written by somebody else');
  // Once the name is free, the file can come back.
  await user.ask(deleteObject, { linkUri: `${docs}/plan.txt` });
  assert.equal((await user.ask(binRestore, { linkUri: root, itemId: [item?.itemId ?? ''] })).done, 1);
  assert.equal(textOf('plan.txt'), 'the old plan');
});

test('restoring from the bin puts the file that has the name into the bin', async (t) => {
  const { user, textOf, save, root } = await withFile(t);
  await save('the new plan!');
  const [item] = (await user.ask(binList, { linkUri: root, limit: 100 })).items;
  assert.equal((await user.ask(binRestore, { linkUri: root, itemId: [item?.itemId ?? ''] })).done, 1);
  assert.equal(textOf('plan.txt'), 'the old plan');
  const { items } = await user.ask(binList, { linkUri: root, limit: 100 });
  assert.deepEqual(
    items.map(({ name, size }) => [name, size]),
    [['plan.txt', 13]],
  );
});

test('a kill while a file is replaced leaves the old or the new one under its name, and a way back', async (t) => {
  let time = 1_800_000_000;
  const { user, textOf, save, source, services } = await withFile(t, { now: () => time });
  const { db } = services.database;
  const docs = source.root.children.get('docs') as typeof source.root;
  const begun = (undoId: string) => db.updateTable('journal').set({ state: 'begun' }).where('undoId', '=', undoId).execute();
  const rowOf = (undoId: string) => db.selectFrom('journal').select('state').where('undoId', '=', undoId).executeTakeFirst();
  const look = async (): Promise<void> => {
    time += 1000;
    await services.jobs.enqueue({ kind: 'bins.hanging', payload: {} });
  };
  // Killed after the old file went away, before the new one came.
  await save('never arrived', { undoId: 'killed-between' });
  docs.children.delete('plan.txt');
  await begun('killed-between');
  await look();
  await eventually(() => textOf('plan.txt') === 'the old plan', 'it has its name again');
  await eventually(async () => (await rowOf('killed-between')) === undefined, 'the change that never was is forgotten');
  assert.equal((await user.refusal(undoChange, { undoId: 'killed-between' })).messageCode, 'CHANGE_GONE');
  // Killed after the new file came, before that was noted.
  await save('the new plan', { undoId: 'killed-after' });
  await db.updateTable('journal').set({ size: null, modified: null, etag: null }).where('undoId', '=', 'killed-after').execute();
  await begun('killed-after');
  await look();
  await eventually(async () => (await rowOf('killed-after'))?.state === 'done', 'it is noted');
  assert.equal((await user.ask(undoChange, { undoId: 'killed-after' })).undone, 1);
  assert.equal(textOf('plan.txt'), 'the old plan');
});

test('an upload that fails at its last step leaves the old file and nothing to undo', async (t) => {
  let refuses = false;
  const app = await withFile(t, {
    changed: (connector) => ({
      ...connector,
      async write(path, body, ask) {
        const { setAside } = ask;
        if (!refuses || !setAside) return connector.write?.(path, body, ask) ?? assert.fail();
        await setAside(async (to) => void (await connector.move?.(path, to, { signal: ask.signal })));
        throw new ConnectorError('full', 'no room for the name');
      },
    }),
  });
  refuses = true;
  const answer = await put(app, app.user, { parentLinkUri: app.docs, name: 'plan.txt', undoId: 'fails-late' }, 'new');
  assert.equal(answer.messageCode, 'SOURCE_FULL');
  assert.equal(app.textOf('plan.txt'), 'the old plan');
  assert.equal((await app.user.refusal(undoChange, { undoId: 'fails-late' })).messageCode, 'CHANGE_GONE');
});

test('an upload by tus answers the id by which the replaced file is restored', async (t) => {
  const app = await withFile(t);
  const there = app.visitor();
  for (const [cookie, value] of app.user.cookies) there.cookies.set(cookie, value);
  const headers = { 'tus-resumable': tus.version, 'x-rtag': app.user.cookies.get('sh') ?? '' };
  // As one of 16 MiB and more, which goes in parts.
  for (const size of [3, 17 * 1024 * 1024]) {
    const undoId = `by-tus-${size}`;
    const made = await there.inject({
      method: 'POST',
      url: tus.path,
      headers: {
        ...headers,
        'upload-length': String(size),
        'upload-metadata': metadata({ parentLinkUri: app.docs, name: 'plan.txt', conflict: 'replace', undoId }),
      },
    });
    assert.equal(made.statusCode, 201, made.body);
    const sent = await there.inject({
      method: 'PATCH',
      url: String(made.headers['location']),
      headers: { ...headers, 'content-type': tus.bodyType, 'upload-offset': '0' },
      payload: Buffer.alloc(size, 'x'),
    });
    assert.deepEqual([sent.statusCode, sent.headers[tus.undoIdHeader.toLowerCase()]], [204, undoId]);
    assert.equal((await app.user.ask(undoChange, { undoId })).undone, 1);
    assert.equal(app.textOf('plan.txt'), 'the old plan');
  }
});

test('only the member of a Space who replaced a file can restore it', async (t) => {
  const app = await spaceApp(t);
  const [editor, stranger] = [await app.signUp(), await app.signUp()];
  const { linkUri: root } = await join(app, app.space, editor, 'editor');
  const { data } = await put(app, editor, { parentLinkUri: root, name: 'plan.txt' }, 'new words');
  const undoId = data.undoId ?? assert.fail('no undo');
  assert.equal((await stranger.refusal(undoChange, { undoId })).messageCode, 'CHANGE_GONE');
  assert.deepEqual(
    (await editor.ask(binList, { linkUri: root, limit: 100 })).items.map(({ name }) => name),
    ['plan.txt'],
  );
  assert.equal((await editor.ask(undoChange, { undoId })).undone, 1);
});
