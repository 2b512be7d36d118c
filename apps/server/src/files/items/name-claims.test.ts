import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { type Item, linkUriOf, upload } from '@sheaf/contract';
import { type TestApp, type User, testApp } from '#/testing/app.ts';
import { listingDatabase } from '#/testing/content.ts';
import { testDatabase } from '#/testing/database.ts';
import { addSftp, linkApp } from '#/testing/links.ts';
import { join, spaceApp } from '#/testing/spaces.ts';
import { createClaimStore } from './claim-store.ts';
import { createNameClaims } from './name-claims.ts';

async function uploadTo(app: TestApp, user: User, userLinkId: string, name: string, text: string, folder = '/'): Promise<string> {
  const there = app.visitor();
  for (const [cookie, value] of user.cookies) there.cookies.set(cookie, value);
  const query = new URLSearchParams({ parentLinkUri: linkUriOf(userLinkId, folder), name, conflict: 'rename' }).toString();
  const response = await there.inject({
    method: 'PUT',
    url: `${upload.path}?${query}`,
    headers: { 'x-rtag': user.cookies.get('sh') ?? '', 'content-type': 'text/plain' },
    payload: text,
  });
  assert.equal(response.statusCode, 200, response.body);
  return response.json<{ data: Item }>().data.name;
}

const shared = async () => ({
  SHEAF_DATABASE_URL: await testDatabase({ on: 'postgres' }),
  SHEAF_SECRET_KEY: randomBytes(32).toString('base64'),
});

test('uploads of one name at two instances at once, with conflict=rename, all get names of their own', async (t) => {
  const settings = await shared();
  const first = await linkApp(t, { settings });
  const second = await testApp(t, { settings, findDefinition: async () => first.source.definition });
  const { userLinkId } = await addSftp(first.user, 'NAS');
  const texts = Array.from({ length: 30 }, (_, index) => `text ${index}`);
  const names = await Promise.all(
    texts.map((text, index) => uploadTo(index % 2 === 0 ? first : second, first.user, userLinkId, 'report.txt', text)),
  );
  assert.equal(new Set(names).size, texts.length);
  const held = names.map((name) => {
    const node = first.source.root.children.get(name);
    return node?.kind === 'file' ? node.bytes.toString() : undefined;
  });
  assert.deepEqual(held, texts);
});

test('concurrent uploads of one name into a space, by members or through the link that holds it, become separate files', async (t) => {
  const app = await spaceApp(t);
  const { user, space } = app;
  const noor = await app.signUp('noor@example.org');
  const { userLinkId: noors } = await join(app, space, noor, 'editor');
  const ways: [User, string, string][] = [
    [noor, noors, '/'],
    [user, space.userLinkId, '/'],
    [user, app.storageId, '/projects/team'],
  ];
  const names = await Promise.all(
    [...ways, ...ways].map(([someone, link, folder]) => uploadTo(app, someone, link, 'new.txt', 'x', folder)),
  );
  assert.equal(new Set(names).size, 6);
});

test('a claim whose instance has died expires after a day', async (t) => {
  const { db } = await listingDatabase(t, 'Link1', { on: 'postgres' });
  let time = 1_000;
  const waiting: Promise<void>[] = [];
  const instance = () =>
    createNameClaims({
      shared: createClaimStore(db),
      newId: randomUUID,
      now: () => time,
      later: (_name, task) => void waiting.push(task()),
    });
  const [ended, other] = [instance(), instance()];
  const lost = await ended.take('Link1:/a.txt');
  assert.ok(lost);
  assert.equal(await other.take('Link1:/A.txt'), undefined);
  time += 86_400;
  assert.ok(await other.take('Link1:/a.txt'));
  // A taken-over claim is not released by its former holder.
  lost.release();
  await Promise.all(waiting);
  assert.equal(await instance().take('Link1:/a.txt'), undefined);
});
