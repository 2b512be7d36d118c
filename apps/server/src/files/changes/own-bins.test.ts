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
} from '@sheaf/contract';
import { testApp } from '#/testing/app.ts';
import { addSftp } from '#/testing/links.ts';
import { type Cloud, startBoxCloud, startDrive } from '#/testing/storages/clouds.ts';

const page = { sort: 'name', order: 'asc', fresh: true, refresh: true, limit: 25 } as const;

for (const [name, start, keepsVersions] of [
  ['Google Drive', startDrive, false],
  ['Box', startBoxCloud, true],
] as const satisfies readonly (readonly [string, (t: TestContext) => Promise<Cloud>, boolean])[])
  test(`what was deleted at ${name} is undone, listed in its bin, restored from there, and deleted for ever`, async (t) => {
    const cloud = await start(t);
    const definition = (await findDefinition(findSource(cloud.provider) ?? assert.fail())) ?? assert.fail(cloud.provider);
    const config = definition.parse(cloud.info, cloud.provider);
    const { signUp, visitor } = await testApp(t, {
      findDefinition: async () => ({
        ...definition,
        parse: () => config,
        open: async (_config, env) =>
          definition.open(config, { ...env, ...(cloud.app && { app: cloud.app }), tokens: { access: async () => cloud.accessToken } }),
      }),
    });
    const user = await signUp();
    const { userLinkId } = await addSftp(user, 'Cloud', { server: 'cloud.example' });
    const root = linkUriOf(userLinkId, '/');
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
    assert.equal((await (await signUp()).refusal(binList, { linkUri: root, limit: 100 })).messageCode, 'INVALID_LINK_URI');

    if (keepsVersions) {
      const there = visitor();
      for (const [cookie, value] of user.cookies) there.cookies.set(cookie, value);
      const put = async (text: string): Promise<string | undefined> => {
        const query = new URLSearchParams({ parentLinkUri: folder, name: 'plan.txt', conflict: 'replace' }).toString();
        const headers = { 'x-rtag': user.cookies.get('sh') ?? '', 'content-type': 'text/plain' };
        const response = await there.inject({ method: 'PUT', url: `${upload.path}?${query}`, headers, payload: text });
        return response.json<{ data: { undoId?: string } }>().data.undoId;
      };
      const sizeOf = async (): Promise<number | undefined> =>
        (await user.ask(remoteUpdate, { linkUri: folder, ...page })).items.find((item) => item.name === 'plan.txt')?.size;
      assert.equal(await put('first words'), undefined);
      const replaced = await put('second');
      const { undone, redoId = '' } = await user.ask(undoChange, { undoId: replaced ?? '' });
      assert.deepEqual([undone, await sizeOf()], [1, 11]);
      assert.equal((await user.ask(undoChange, { undoId: redoId })).undone, 1);
      assert.equal(await sizeOf(), 6);
    }
  });
