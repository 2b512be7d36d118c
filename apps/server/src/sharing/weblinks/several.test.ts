import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  type InputOf,
  archiveWeblink,
  createWeblink,
  deleteLink,
  downloadWeblink,
  familyCalls,
  getWeblinks,
  linkUriOf,
  listWeblink,
  openWeblink,
} from '@sheaf/contract';
import { addSftp, draftOf, linkApp, sftpInfo } from '#/testing/links.ts';

/** A share of a folder, a file of it, and a file of the same name on another link. */
async function several(t: TestContext, choices: Partial<InputOf<typeof createWeblink>> = {}) {
  const app = await linkApp(t);
  for (const [path, text] of [
    ['/Trip/a.txt', 'a'],
    ['/Trip/day/b.txt', 'b'],
    ['/note.txt', 'note'],
    ['/secret.txt', 'secret'],
  ] as const)
    app.source.put(path, text);
  const { userLinkId: one } = await app.user.ask(familyCalls.sftp.add, draftOf(sftpInfo, { serverName: 'NAS' }));
  const { userLinkId: two } = await addSftp(app.user, 'Second', { server: 'second.example' });
  const more = [linkUriOf(one, '/note.txt'), linkUriOf(two, '/note.txt'), linkUriOf(one, '/note.txt')];
  const { sharelinkurl } = await app.user.ask(createWeblink, { linkUri: linkUriOf(one, '/Trip'), more, ...choices });
  const weblinkId = sharelinkurl.slice(sharelinkurl.lastIndexOf('/') + 1);
  const get = async (path: string): Promise<string> => {
    const url = `${downloadWeblink.path}?${new URLSearchParams({ weblinkId, path }).toString()}`;
    const answer = await app.app.inject({ method: 'GET', url });
    return answer.statusCode < 400 ? answer.body : answer.json<{ messageCode: string }>().messageCode;
  };
  const list = async (path: string) => {
    const view = { offset: 0, limit: 25, sort: 'name', order: 'asc' } as const;
    const { items } = await app.visitor().ask(listWeblink, { weblinkId, path, ...view });
    return items.map((item) => item.path);
  };
  return { ...app, one, two, weblinkId, get, list };
}

test('a share of several items shows each under a name of its own, and nothing beside them', async (t) => {
  const { user, visitor, weblinkId, get, list } = await several(t);
  const opened = await visitor().ask(openWeblink, { weblinkId });
  assert.deepEqual([opened.name, opened.isFolder, opened.item.path], ['Trip and 2 more', true, '']);
  assert.deepEqual(await list(''), ['Trip', 'note 2.txt', 'note.txt']);
  assert.deepEqual(await list('Trip'), ['Trip/day', 'Trip/a.txt']);
  assert.deepEqual([await get('note.txt'), await get('note 2.txt'), await get('Trip/day/b.txt')], ['note', 'note', 'b']);
  for (const path of ['secret.txt', '../secret.txt', 'Trip/../secret.txt', 'note.txt/x', 'Trip/secret.txt', 'trip/a.txt'])
    assert.equal(await get(path), 'ITEM_NOT_FOUND', path);
  for (const path of ['', 'Trip']) assert.equal(await get(path), 'IS_A_FOLDER', path);
  const [own] = await user.ask(getWeblinks, {});
  assert.deepEqual([own?.name, own?.itemCount, own?.nbrVisits], ['Trip and 2 more', 3, 1]);
});

test('a zip of a share of several items holds all of them, or those that are chosen', async (t) => {
  const { visitor, weblinkId } = await several(t);
  const whole = await visitor().send(archiveWeblink, { weblinkId });
  assert.equal(whole.statusCode, 200);
  for (const name of ['Trip/a.txt', 'Trip/day/b.txt', 'note.txt']) assert.ok(whole.rawPayload.includes(name), name);
  const part = await visitor().send(archiveWeblink, { weblinkId, path: ['Trip/day', 'note.txt'] });
  assert.ok(part.rawPayload.includes('day/b.txt') && !part.rawPayload.includes('a.txt'));
});

test('items that are gone leave a share of several, and the others stay', async (t) => {
  const { user, two, source, list, get } = await several(t);
  await user.ask(deleteLink, { userLinkId: two, rTag: user.session.rTag });
  assert.deepEqual(await list(''), ['Trip', 'note.txt']);
  source.root.children.delete('note.txt');
  assert.deepEqual(await list(''), ['Trip']);
  assert.equal(await get('note.txt'), 'ITEM_NOT_FOUND');
});

test('an item that its user may not share refuses the whole share', async (t) => {
  const { user, one, signUp } = await several(t);
  const linkUri = linkUriOf(one, '/Trip');
  const none = linkUriOf(one, '/none.txt');
  assert.equal((await user.refusal(createWeblink, { linkUri, more: [none] })).messageCode, 'INVALID_SHARE_URI');
  const other = await signUp();
  const { userLinkId } = await addSftp(other, 'Own');
  const theirs = { linkUri: linkUriOf(userLinkId, '/Trip'), more: [linkUri] };
  assert.notEqual((await other.refusal(createWeblink, theirs)).messageCode, undefined);
  assert.deepEqual(await other.ask(getWeblinks, {}), []);
  assert.equal(
    (await user.refusal(createWeblink, { linkUri, more: [linkUriOf(one, '/note.txt')], uploadOnly: true })).messageCode,
    'INVALID_PARAMETER',
  );
});
