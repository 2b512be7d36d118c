import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { findDefinition } from '@sheaf/connectors';
import {
  addFolder,
  binList,
  binPurge,
  binRestore,
  deleteObject,
  findSource,
  linkUriOf,
  remoteUpdate,
  undoChange,
  upload,
  versionDownload,
  versionList,
  versionRestore,
} from '@sheaf/contract';
import { testApp } from '#/testing/app.ts';
import { addSftp } from '#/testing/links.ts';
import { type Cloud, startAzure, startBoxCloud, startDrive, startDropboxCloud, startOneDrive } from '#/testing/storages/clouds.ts';

const page = { sort: 'name', order: 'asc', fresh: true, refresh: true, limit: 25 } as const;

/** A user with a link to the cloud. */
async function cloudUser(t: TestContext, cloud: Cloud) {
  const definition = (await findDefinition(findSource(cloud.provider) ?? assert.fail())) ?? assert.fail(cloud.provider);
  const config = definition.parse(cloud.info, cloud.provider);
  const app = await testApp(t, {
    findDefinition: async () => ({
      ...definition,
      parse: () => config,
      open: async (_config, env) =>
        definition.open(config, { ...env, ...(cloud.app && { app: cloud.app }), tokens: { access: async () => cloud.accessToken } }),
    }),
  });
  const user = await app.signUp();
  const { userLinkId } = await addSftp(user, 'Cloud', { server: 'cloud.example' });
  const root = linkUriOf(userLinkId, '/');
  const put = async (parentLinkUri: string, text: string): Promise<string | undefined> => {
    const there = app.visitor();
    for (const [cookie, value] of user.cookies) there.cookies.set(cookie, value);
    const query = new URLSearchParams({ parentLinkUri, name: 'plan.txt', conflict: 'replace' }).toString();
    const headers = { 'x-rtag': user.cookies.get('sh') ?? '', 'content-type': 'text/plain' };
    const response = await there.inject({ method: 'PUT', url: `${upload.path}?${query}`, headers, payload: text });
    assert.equal(response.statusCode, 200, response.body);
    return response.json<{ data: { undoId?: string } }>().data.undoId;
  };
  return { user, root, put, stranger: () => app.signUp() };
}

for (const [name, start] of [
  ['Google Drive', startDrive],
  ['Box', startBoxCloud],
] as const satisfies readonly (readonly [string, (t: TestContext) => Promise<Cloud>])[])
  test(`what was deleted at ${name} is undone, listed in its bin, restored from there, and deleted for ever`, async (t) => {
    const { user, root, stranger } = await cloudUser(t, await start(t));
    const { linkUri: folder } = await user.ask(addFolder, { parentLinkUri: root, folderName: 'Album', conflict: 'fail' });
    const { linkUri: inner } = await user.ask(addFolder, { parentLinkUri: folder, folderName: 'Inner', conflict: 'fail' });
    const names = async (linkUri: string): Promise<string[]> =>
      (await user.ask(remoteUpdate, { linkUri, ...page })).items.map((item) => item.name);

    assert.equal((await user.ask(remoteUpdate, { linkUri: root, ...page })).hasBin, true);
    const undoId = 'album-and-inner';
    for (const linkUri of [inner, folder]) assert.deepEqual(await user.ask(deleteObject, { linkUri, undoId }), { undoId });
    assert.ok(!(await names(root)).includes('Album'));
    assert.deepEqual(await user.ask(undoChange, { undoId }), { undone: 2, refused: [], refusedTotal: 0 });
    assert.deepEqual(await names(folder), ['Inner']);

    // A name that is taken since is never replaced.
    await user.ask(deleteObject, { linkUri: inner, undoId: 'inner-again' });
    await user.ask(addFolder, { parentLinkUri: folder, folderName: 'Inner', conflict: 'fail' });
    const { refused } = await user.ask(undoChange, { undoId: 'inner-again' });
    assert.deepEqual(
      refused.map(({ error }) => error.messageCode),
      ['NAME_TAKEN'],
    );
    await user.ask(deleteObject, { linkUri: folder, undoId: 'album-again' });

    const bin = await user.ask(binList, { linkUri: root, limit: 100 });
    assert.deepEqual([bin.bin, bin.canPurge, bin.items.map((item) => item.name).toSorted()], ['source', true, ['Album', 'Inner']]);
    const idOf = (wanted: string): string => bin.items.find((item) => item.name === wanted)?.itemId ?? '';
    assert.equal((await user.ask(binRestore, { linkUri: root, itemId: [idOf('Album')] })).done, 1);
    assert.ok((await names(root)).includes('Album'));
    // It was brought back already.
    assert.deepEqual(await user.ask(undoChange, { undoId: 'album-again' }), { undone: 0, refused: [], refusedTotal: 0 });
    assert.equal((await user.ask(binPurge, { linkUri: root, itemId: [idOf('Inner')], all: false })).done, 1);
    assert.deepEqual((await user.ask(binList, { linkUri: root, limit: 100 })).items, []);
    // What is not in the bin is not deleted by its id.
    await user.ask(binPurge, { linkUri: root, itemId: [idOf('Album')], all: false });
    assert.ok((await names(root)).includes('Album'));
    assert.equal((await (await stranger()).refusal(binList, { linkUri: root, limit: 100 })).messageCode, 'INVALID_LINK_URI');
  });

for (const [name, start] of [
  ['Box', startBoxCloud],
  ['Dropbox', startDropboxCloud],
  ['OneDrive', (t) => startOneDrive(t, 'OneDrive')],
  ['SharePoint', (t) => startOneDrive(t, 'Sharepoint')],
  ['Azure with versioning', (t) => startAzure(t, 'versioning')],
  ['Azure with soft delete', (t) => startAzure(t, 'softDelete')],
] as const satisfies readonly (readonly [string, (t: TestContext) => Promise<Cloud>])[])
  test(`what an upload replaces at ${name} becomes the current version again with undo, and the newer one with redo`, async (t) => {
    const cloud = await start(t);
    const { user, root, put } = await cloudUser(t, cloud);
    const folder = cloud.folder === '/' ? root : root + cloud.folder;
    const sizeOf = async (): Promise<number | undefined> =>
      (await user.ask(remoteUpdate, { linkUri: folder, ...page })).items.find((item) => item.name === 'plan.txt')?.size;
    assert.equal(await put(folder, 'first words'), undefined);
    const replaced = await put(folder, 'second');
    const { undone, redoId = '' } = await user.ask(undoChange, { undoId: replaced ?? '' });
    assert.deepEqual([undone, await sizeOf()], [1, 11]);
    const again = await user.ask(undoChange, { undoId: redoId });
    assert.deepEqual([again.undone, await sizeOf()], [1, 6]);
    // A later version is never undone by an earlier undo.
    await put(folder, 'written by somebody else');
    const { refused } = await user.ask(undoChange, { undoId: again.redoId ?? '' });
    assert.deepEqual(
      refused.map(({ error }) => error.messageCode),
      ['CHANGED_SINCE'],
    );
  });

for (const [name, start] of [
  ['Box', startBoxCloud],
  ['Dropbox', startDropboxCloud],
  ['OneDrive', (t) => startOneDrive(t, 'OneDrive')],
  ['Azure', (t) => startAzure(t, 'versioning')],
] as const satisfies readonly (readonly [string, (t: TestContext) => Promise<Cloud>])[])
  test(`earlier versions of a file at ${name} are listed, one comes back, and undo takes that back`, async (t) => {
    const cloud = await start(t);
    const { user, root, put, stranger } = await cloudUser(t, cloud);
    const folder = cloud.folder === '/' ? root : root + cloud.folder;
    for (const text of ['first words', 'second', 'third one']) await put(folder, text);
    const { items } = await user.ask(remoteUpdate, { linkUri: folder, ...page });
    const { linkUri } = items.find((item) => item.name === 'plan.txt') ?? assert.fail('no file');
    const sizeNow = async (): Promise<number | undefined> =>
      (await user.ask(remoteUpdate, { linkUri: folder, ...page, fresh: false })).items.find((item) => item.name === 'plan.txt')?.size;

    const { can, versions } = await user.ask(versionList, { linkUri });
    assert.deepEqual(
      [can, versions.map(({ size }) => size)],
      [
        ['list', 'read', 'restore'],
        [6, 11],
      ],
    );
    const download = (versionIdOfFile: string, headers: Record<string, string> = {}, by = user) =>
      by.inject({
        method: 'GET',
        url: `${versionDownload.path}?${new URLSearchParams({ linkUri, versionId: versionIdOfFile }).toString()}`,
        headers,
      });
    const first = await download(versions[1]?.versionId ?? '');
    assert.deepEqual([first.statusCode, first.body, first.headers['content-length']], [200, 'first words', '11']);
    assert.match(first.headers['content-disposition'] ?? '', /^attachment; filename="plan \(\d{4}-\d\d-\d\d \d\d\.\d\d\)\.txt"/);
    const part = await download(versions[1]?.versionId ?? '', { range: 'bytes=6-' });
    assert.deepEqual([part.statusCode, part.body, part.headers['content-range']], [206, 'words', 'bytes 6-10/11']);
    assert.equal((await download(versions[1]?.versionId ?? '', { 'if-none-match': first.headers.etag ?? '' })).statusCode, 304);
    assert.equal((await download('../1')).json<{ messageCode: string }>().messageCode, 'BIN_ITEM_GONE');
    const versionId = versions[1]?.versionId ?? '';
    const { undoId = '' } = await user.ask(versionRestore, { linkUri, versionId, undoId: 'first-words-again' });
    assert.deepEqual([undoId, await sizeNow()], ['first-words-again', 11]);
    assert.equal((await user.ask(undoChange, { undoId })).undone, 1);
    assert.equal(await sizeNow(), 9);

    // An id that the source does not tell, and somebody else's request, change nothing.
    assert.equal((await user.refusal(versionRestore, { linkUri, versionId: '../1' })).messageCode, 'BIN_ITEM_GONE');
    const other = await stranger();
    assert.equal((await other.refusal(versionList, { linkUri })).messageCode, 'INVALID_LINK_URI');
    assert.equal((await download(versionId, {}, other)).json<{ messageCode: string }>().messageCode, 'INVALID_LINK_URI');
    assert.equal((await other.refusal(versionRestore, { linkUri, versionId })).messageCode, 'INVALID_LINK_URI');
    assert.equal(await sizeNow(), 9);
  });

for (const [name, start] of [
  ['Dropbox', startDropboxCloud],
  ['OneDrive', (t) => startOneDrive(t, 'OneDrive')],
] as const satisfies readonly (readonly [string, (t: TestContext) => Promise<Cloud>])[])
  test(`what was deleted at ${name}, which has no list of it for others, comes back with undo`, async (t) => {
    const { user, root, put } = await cloudUser(t, await start(t));
    const { linkUri: folder } = await user.ask(addFolder, { parentLinkUri: root, folderName: 'Album', conflict: 'fail' });
    const { linkUri: inner } = await user.ask(addFolder, { parentLinkUri: folder, folderName: 'Inner', conflict: 'fail' });
    await user.ask(addFolder, { parentLinkUri: folder, folderName: 'Empty', conflict: 'fail' });
    await put(inner, 'in it');
    await put(folder, 'beside it');
    const undoId = 'file-then-folder';
    for (const linkUri of [`${folder}/plan.txt`, folder]) assert.deepEqual(await user.ask(deleteObject, { linkUri, undoId }), { undoId });
    assert.deepEqual(await user.ask(undoChange, { undoId }), { undone: 2, refused: [], refusedTotal: 0 });
    const names = async (linkUri: string): Promise<string[]> =>
      (await user.ask(remoteUpdate, { linkUri, ...page })).items.map((item) => item.name);
    assert.deepEqual([await names(folder), await names(inner)], [['Empty', 'Inner', 'plan.txt'], ['plan.txt']]);
    assert.equal((await user.refusal(binList, { linkUri: root, limit: 100 })).messageCode, 'NO_BIN');
  });

for (const enabled of ['versioning', 'softDelete'] as const)
  test(`what was deleted at Azure with ${enabled} is undone with its folder, and listed and restored file by file`, async (t) => {
    const { user, root, put } = await cloudUser(t, await startAzure(t, enabled));
    const { linkUri: folder } = await user.ask(addFolder, { parentLinkUri: root, folderName: 'Album', conflict: 'fail' });
    const { linkUri: inner } = await user.ask(addFolder, { parentLinkUri: folder, folderName: 'Inner', conflict: 'fail' });
    await put(inner, 'in it');
    await put(folder, 'beside it');
    const undoId = 'folder-of-azure';
    assert.deepEqual(await user.ask(deleteObject, { linkUri: folder, undoId }), { undoId });
    assert.equal((await user.ask(remoteUpdate, { linkUri: root, ...page })).hasBin, true);
    assert.deepEqual(await user.ask(undoChange, { undoId }), { undone: 1, refused: [], refusedTotal: 0 });
    const names = async (linkUri: string): Promise<string[]> =>
      (await user.ask(remoteUpdate, { linkUri, ...page })).items.map((item) => item.name);
    assert.deepEqual([await names(folder), await names(inner)], [['Inner', 'plan.txt'], ['plan.txt']]);

    await user.ask(deleteObject, { linkUri: folder, undoId: 'folder-again' });
    const bin = await user.ask(binList, { linkUri: root, limit: 100 });
    assert.deepEqual([bin.bin, bin.canPurge, bin.items.map(({ size }) => size)], ['source', false, [5, 9]]);
    const itemId = bin.items.map((item) => item.itemId);
    assert.deepEqual(await user.ask(binRestore, { linkUri: root, itemId }), { done: 2, refused: [] });
    assert.deepEqual([await names(folder), await names(inner)], [['Inner', 'plan.txt'], ['plan.txt']]);
    assert.deepEqual((await user.ask(binList, { linkUri: root, limit: 100 })).items, []);
  });
