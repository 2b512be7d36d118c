import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectorError } from '@sheaf/connectors';
import {
  archive,
  archiveWeblink,
  binList,
  binPurge,
  binRestore,
  createAppPassword,
  createWeblink,
  deleteObject,
  folderUsage,
  getBinSetting,
  linkUriOf,
  listChanges,
  listWeblink,
  moveObjects,
  openWeblink,
  remoteUpdate,
  renameObject,
  search,
  setBinDays,
  undoChange,
} from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import { testApp } from '#/testing/app.ts';
import { type LinkApp, addSftp, linkApp, listRoot } from '#/testing/links.ts';
import { join, spaceApp } from '#/testing/spaces.ts';

const page = { sort: 'name', order: 'asc', fresh: true, refresh: true, limit: 25 } as const;
const names = async ({ user }: Pick<LinkApp, 'user'>, linkUri: string): Promise<string[]> =>
  (await user.ask(remoteUpdate, { linkUri, ...page })).items.map(({ name }) => name);

async function withFiles(t: Parameters<typeof linkApp>[0], options: Parameters<typeof linkApp>[1] = {}) {
  const app = await linkApp(t, options);
  app.source.put('/album/one.jpg', 'first');
  app.source.put('/album/sub/two.jpg', 'second');
  app.source.put('/notes.txt', 'words');
  const { userLinkId } = await addSftp(app.user, 'NAS');
  const uri = (path: string): string => linkUriOf(userLinkId, path);
  return { ...app, userLinkId, uri, root: uri('/') };
}

test('deleted items go to a hidden bin, are in no listing and no search, and come back together', async (t) => {
  const app = await withFiles(t);
  const { user, uri, root, source } = app;
  assert.equal((await user.ask(remoteUpdate, { linkUri: root, ...page })).binDays, 30);
  const undoId = 'both-items-1';
  assert.deepEqual(await user.ask(deleteObject, { linkUri: uri('/album'), undoId }), { undoId });
  assert.deepEqual(await user.ask(deleteObject, { linkUri: uri('/notes.txt'), undoId }), { undoId });
  assert.deepEqual(await names(app, root), []);
  assert.deepEqual([...source.root.children.keys()], ['.sheaf-bin']);
  assert.deepEqual(await listRoot(app, app.userLinkId), []);
  for (const hidden of ['/.sheaf-bin', '/.Sheaf-Bin', '/.sheaf-bin/x'])
    assert.equal((await user.refusal(remoteUpdate, { linkUri: uri(hidden), ...page })).messageCode, 'ITEM_NOT_FOUND', hidden);
  assert.deepEqual((await user.ask(search, { query: 'sheaf-bin', offset: 0, limit: 25 })).items, []);
  const [change] = (await user.ask(listChanges, { offset: 0, limit: 25 })).changes;
  assert.deepEqual([change?.undoId, change?.kind, change?.items, change?.undoable, change?.linkName], [undoId, 'delete', 2, 2, 'NAS']);
  assert.deepEqual(await user.ask(undoChange, { undoId }), { undone: 2, refused: [], refusedTotal: 0 });
  assert.deepEqual(await names(app, root), ['album', 'notes.txt']);
  assert.deepEqual(await names(app, uri('/album/sub')), ['two.jpg']);
  const [undone] = (await user.ask(listChanges, { offset: 0, limit: 25 })).changes;
  assert.deepEqual([undone?.undone, undone?.undoable], [2, 0]);
  assert.deepEqual(await user.ask(undoChange, { undoId }), { undone: 0, refused: [], refusedTotal: 0 });
});

test('a permanent deletion is offered in place of the bin only where something may be changed', async (t) => {
  const { user, uri, source } = await withFiles(t);
  for (const [refused, messageCode] of [
    ['createFolder', 'FOLDER_READ_ONLY'],
    ['move', 'BIN_REFUSES'],
  ] as const) {
    source.setGate((operation) => {
      if (operation === refused) throw new ConnectorError('forbidden', 'no');
    });
    const { message, ...refusal } = await user.refusal(deleteObject, { linkUri: uri('/album/one.jpg') });
    assert.equal(refusal.messageCode, messageCode);
    assert.equal(/permanently/.test(message), messageCode === 'BIN_REFUSES', message);
  }
});

test('an undo refuses what has changed since, item by item, and undoes the rest', async (t) => {
  const { user, uri, source } = await withFiles(t);
  const undoId = 'two-deletions';
  await user.ask(deleteObject, { linkUri: uri('/album/one.jpg'), undoId });
  await user.ask(deleteObject, { linkUri: uri('/notes.txt'), undoId });
  source.put('/notes.txt', 'another file of that name');
  const result = await user.ask(undoChange, { undoId });
  assert.equal(result.undone, 1);
  assert.deepEqual(
    result.refused.map(({ name, error }) => [name, error.messageCode]),
    [['notes.txt', 'NAME_TAKEN']],
  );
  const renamed = await user.ask(renameObject, { linkUri: uri('/album/one.jpg'), newName: 'uno.jpg' });
  const moved = await user.ask(renameObject, { linkUri: uri('/album/sub'), newName: 'below' });
  source.put('/album/uno.jpg', 'written by somebody else');
  const { refused } = await user.ask(undoChange, { undoId: renamed.undoId ?? '' });
  assert.deepEqual(
    refused.map(({ error }) => error.messageCode),
    ['CHANGED_SINCE'],
  );
  // What is in a folder may change.
  source.put('/album/below/new.jpg', 'x');
  assert.equal((await user.ask(undoChange, { undoId: moved.undoId ?? '' })).undone, 1);
  assert.equal((await user.ask(undoChange, { undoId })).undone, 0);
});

test('a kill between the note and the deletion, or after either, leaves nothing that an undo cannot put right', async (t) => {
  const app = await withFiles(t);
  const { user, uri, root, source, services } = app;
  const { db } = services.database;
  // The source's answer is lost before it has begun.
  source.setGate((operation, path) => {
    if (operation === 'move' && path === '/notes.txt') throw new ConnectorError('interrupted', 'killed');
  });
  await user.refusal(deleteObject, { linkUri: uri('/notes.txt'), undoId: 'never-made' });
  source.setGate(() => undefined);
  assert.deepEqual(await user.ask(undoChange, { undoId: 'never-made' }), { undone: 1, refused: [], refusedTotal: 0 });
  assert.deepEqual(await names(app, root), ['album', 'notes.txt']);
  // The deletion was made, and its result never noted.
  await user.ask(deleteObject, { linkUri: uri('/notes.txt'), undoId: 'not-noted' });
  await db.updateTable('journal').set({ state: 'begun' }).where('undoId', '=', 'not-noted').execute();
  assert.equal((await user.ask(undoChange, { undoId: 'not-noted' })).undone, 1);
  // The undo was made, and its result never noted.
  await db.updateTable('journal').set({ state: 'done' }).where('undoId', '=', 'not-noted').execute();
  assert.equal((await user.ask(undoChange, { undoId: 'not-noted' })).undone, 1);
  assert.deepEqual(await names(app, root), ['album', 'notes.txt']);
  // A clear refusal is no change.
  await user.refusal(deleteObject, { linkUri: uri('/missing.txt'), undoId: 'refused-1' });
  assert.equal((await user.refusal(undoChange, { undoId: 'refused-1' })).messageCode, 'CHANGE_GONE');
});

test('the bin of a link is listed, restored and emptied; what is over is deleted by a job', async (t) => {
  let time = 1_800_000_000;
  const app = await withFiles(t, { now: () => time });
  const { user, uri, root, source, services } = app;
  for (const path of ['/album', '/notes.txt']) await user.ask(deleteObject, { linkUri: uri(path) });
  const bin = await user.ask(binList, { linkUri: root, limit: 100 });
  assert.deepEqual([bin.bin, bin.total, bin.bytes, bin.days, bin.canPurge], ['hidden', 2, 5, 30, true]);
  const shown = bin.items.map(({ name, fileType, size, folderPath, until }) => [name, fileType, size, folderPath, until]);
  assert.deepEqual(shown, [
    ['notes.txt', 'FILE', 5, '/', time + 30 * 86_400],
    ['album', 'FOLDER', undefined, '/', time + 30 * 86_400],
  ]);
  const [notes, album] = bin.items.map(({ itemId }) => itemId);
  assert.deepEqual(await user.ask(binRestore, { linkUri: root, itemId: [album ?? ''] }), { done: 1, refused: [] });
  assert.deepEqual(await names(app, root), ['album']);
  const again = await user.ask(binRestore, { linkUri: root, itemId: [album ?? '', 'unknown'] });
  assert.deepEqual(
    again.refused.map(({ error }) => error.messageCode),
    ['BIN_ITEM_GONE', 'BIN_ITEM_GONE'],
  );
  assert.equal((await user.ask(binPurge, { linkUri: root, itemId: [notes ?? ''], all: false })).done, 1);
  const hidden = source.root.children.get('.sheaf-bin') as typeof source.root;
  const binned = () => [...hidden.children.values()].flatMap((day) => [...(day as typeof source.root).children.keys()]);
  assert.deepEqual(binned(), []);
  await user.ask(deleteObject, { linkUri: uri('/album/one.jpg') });
  await user.ask(deleteObject, { linkUri: uri('/album/sub') });
  assert.equal((await user.ask(binPurge, { linkUri: root, all: true })).done, 2);
  // What is over is deleted at the source.
  await user.ask(deleteObject, { linkUri: uri('/album'), undoId: 'over-some-day' });
  time += 29 * 86_400;
  await services.jobs.enqueue({ kind: 'bins.find', payload: {} });
  assert.equal(binned().length, 1);
  time += 2 * 86_400;
  await services.jobs.enqueue({ kind: 'bins.find', payload: {} });
  await eventually(() => binned().length === 0, 'the job has deleted it');
  await eventually(async () => (await user.ask(binList, { linkUri: root, limit: 100 })).items.length === 0, 'it has left the bin');
});

test('0 days delete at once, and so does a permanent deletion; the folder says which', async (t) => {
  const { user, uri, root, source } = await withFiles(t);
  assert.deepEqual(await user.ask(deleteObject, { linkUri: uri('/notes.txt'), permanently: true }), {});
  assert.deepEqual([...source.root.children.keys()], ['album']);
  assert.deepEqual(await user.ask(getBinSetting, {}), { days: 30 });
  assert.deepEqual(await user.ask(setBinDays, { days: 0 }), { days: 0 });
  assert.equal((await user.ask(remoteUpdate, { linkUri: root, ...page })).binDays, undefined);
  assert.deepEqual(await user.ask(deleteObject, { linkUri: uri('/album') }), {});
  assert.deepEqual([...source.root.children.keys()], []);
});

test("a Space's deletions are in the bin of its storage, where its editors find them and strangers and viewers do not", async (t) => {
  const app = await spaceApp(t);
  const { user: owner, storageId, space, source } = app;
  const [editor, viewer, stranger] = [await app.signUp(), await app.signUp(), await app.signUp()];
  const { linkUri: root } = await join(app, space, editor, 'editor');
  const { linkUri: viewerRoot } = await join(app, space, viewer, 'viewer');
  const { undoId = '' } = await editor.ask(deleteObject, { linkUri: `${root}/plan.txt` });
  const team = source.root.children.get('projects') as typeof source.root;
  assert.ok(source.root.children.has('.sheaf-bin'));
  assert.ok(!(team.children.get('team') as typeof source.root).children.has('.sheaf-bin'));
  await owner.ask(deleteObject, { linkUri: linkUriOf(storageId, '/projects/secret.txt') });
  await owner.ask(deleteObject, { linkUri: linkUriOf(storageId, '/projects/team/sub/deep.txt') });
  const inSpace = await editor.ask(binList, { linkUri: root, limit: 100 });
  assert.deepEqual(
    inSpace.items.map(({ name, folderPath, deletedBy }) => [name, folderPath, deletedBy]),
    [['plan.txt', '/', undefined]],
  );
  const all = await owner.ask(binList, { linkUri: linkUriOf(storageId, '/'), limit: 100 });
  assert.deepEqual(all.items.map(({ folderPath = '' }) => folderPath).toSorted(), ['/projects', '/projects/team', '/projects/team/sub']);
  const secret = all.items.find(({ name }) => name === 'secret.txt')?.itemId ?? '';
  const taken = await editor.ask(binRestore, { linkUri: root, itemId: [secret] });
  assert.deepEqual(
    taken.refused.map(({ error }) => error.messageCode),
    ['BIN_ITEM_GONE'],
  );
  assert.equal((await viewer.refusal(binList, { linkUri: viewerRoot, limit: 100 })).messageCode, 'ROLE_FORBIDS');
  for (const person of [viewer, stranger, owner]) assert.equal((await person.refusal(undoChange, { undoId })).messageCode, 'CHANGE_GONE');
  assert.equal((await stranger.refusal(binList, { linkUri: root, limit: 100 })).messageCode, 'INVALID_LINK_URI');
  assert.deepEqual((await stranger.ask(listChanges, { offset: 0, limit: 25 })).changes, []);
  // The owner finds it, and so brings it back, to where it was.
  const plan = all.items.find(({ name }) => name === 'plan.txt')?.itemId ?? '';
  assert.equal((await owner.ask(binRestore, { linkUri: linkUriOf(storageId, '/'), itemId: [plan] })).done, 1);
  assert.ok((team.children.get('team') as typeof source.root).children.has('plan.txt'));
});

test('no share, program, archive or usage shows the hidden bin, and what a program deletes is kept there', async (t) => {
  const app = await withFiles(t);
  const { user, uri, root, app: server } = app;
  await user.ask(deleteObject, { linkUri: uri('/notes.txt') });
  const { sharelinkurl } = await user.ask(createWeblink, { linkUri: root });
  const weblinkId = sharelinkurl.slice(sharelinkurl.lastIndexOf('/') + 1);
  const stranger = app.visitor();
  const view = { offset: 0, limit: 25, sort: 'name', order: 'asc' } as const;
  await stranger.ask(openWeblink, { weblinkId });
  const shared = await stranger.ask(listWeblink, { weblinkId, path: '', ...view });
  assert.deepEqual(
    shared.items.map(({ name }) => name),
    ['album'],
  );
  for (const path of ['.sheaf-bin', '.SHEAF-BIN', '.sheaf-bin/2026-11-25', '.s\u00adheaf-bin']) {
    assert.equal((await stranger.send(listWeblink, { weblinkId, path, ...view })).statusCode, 404, path);
    assert.equal((await stranger.send(archiveWeblink, { weblinkId, path: [path] })).body.includes('words'), false, path);
  }
  for (const { body } of [await stranger.send(archiveWeblink, { weblinkId }), await user.send(archive, { linkUri: [root] })])
    assert.deepEqual([body.includes('one.jpg'), body.includes('sheaf-bin'), body.includes('words')], [true, false, false]);
  assert.ok(!JSON.stringify(await user.ask(folderUsage, { linkUri: root })).includes('sheaf-bin'));

  const { username, password } = await user.ask(createAppPassword, { name: 'Finder', linkUri: [uri('/album')], rights: 'write' });
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const ask = (method: 'GET' | 'DELETE', path: string) => server.inject({ method, url: `/dav/NAS${path}`, headers: { authorization } });
  assert.equal((await ask('GET', '/.sheaf-bin')).statusCode, 404);
  assert.equal((await ask('DELETE', '/album/one.jpg')).statusCode, 204);
  const [change] = (await user.ask(listChanges, { offset: 0, limit: 1 })).changes;
  assert.deepEqual([change?.name, change?.folderPath, change?.undoable], ['one.jpg', '/album', 1]);
  assert.equal((await user.ask(undoChange, { undoId: change?.undoId ?? '' })).undone, 1);
  assert.deepEqual((await names(app, uri('/album'))).toSorted(), ['one.jpg', 'sub']);
});

test('a move stands among the changes, between others by time, and is undone there', async (t) => {
  const app = await withFiles(t);
  const { user, uri, root } = app;
  const { transferId } = await user.ask(moveObjects, { linkUri: [uri('/notes.txt')], parentLinkUri: uri('/album'), conflict: 'fail' });
  const recent = async () => (await user.ask(listChanges, { offset: 0, limit: 25 })).changes;
  await eventually(async () => (await recent()).length === 1, 'the move has ended');
  const [move] = await recent();
  assert.deepEqual(
    [move?.undoId, move?.kind, move?.name, move?.toFolder, move?.linkName, move?.folderPath, move?.undoable],
    [transferId, 'move', 'notes.txt', 'NAS/album', 'NAS', '/', 1],
  );
  await user.ask(deleteObject, { linkUri: uri('/album/one.jpg') });
  assert.deepEqual((await recent()).map(({ kind }) => kind).toSorted(), ['delete', 'move']);
  assert.deepEqual((await user.ask(listChanges, { offset: 0, limit: 1 })).hasMore, true);
  assert.equal((await user.ask(undoChange, { undoId: transferId })).transferId, transferId);
  await eventually(
    async () => (await recent()).some(({ kind, undone, undoing }) => kind === 'move' && undone === 1 && !undoing),
    'it is undone',
  );
  assert.deepEqual(await names(app, root), ['album', 'notes.txt']);
  const stranger = await app.signUp();
  assert.deepEqual(await stranger.ask(listChanges, { offset: 0, limit: 25 }), { changes: [], hasMore: false });
  assert.equal((await stranger.refusal(undoChange, { undoId: transferId })).messageCode, 'CHANGE_GONE');
});

test('undo and bins need the tag of the session', async (t) => {
  const app = await testApp(t);
  const user = await app.signUp();
  for (const call of [undoChange, binRestore, binPurge, setBinDays]) {
    const payload = 'undoId=abcdefgh&linkUri=%2Fx&itemId=y&days=3';
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const response = await user.inject({ method: 'POST', url: call.path, payload, headers });
    assert.equal(response.json<{ errorCode: number }>().errorCode, 104, call.path);
  }
});
