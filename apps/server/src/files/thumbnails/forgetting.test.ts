import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Body } from '@sheaf/connectors';
import { deleteLink, linkUriOf, thumbnail } from '@sheaf/contract';
import { smallJpeg } from '@sheaf/testbed';
import { addSftp, linkApp } from '#/testing/links.ts';
import { createPictures } from './service.ts';

/** Number of pictures kept. */
async function keptIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).length;
}

test('the thumbnails of a link are deleted when it is unlinked; those of other links stay', async (t) => {
  const { user, source, services, config } = await linkApp(t);
  source.put('/hill.jpg', Buffer.from(smallJpeg));
  const [one, other] = [await addSftp(user, 'NAS'), await addSftp(user, 'Attic', { server: 'attic.example' })];
  const look = async (userLinkId: string): Promise<number> =>
    (await user.send(thumbnail, { linkUri: linkUriOf(userLinkId, '/hill.jpg'), size: 128 })).statusCode;
  assert.deepEqual([await look(one.userLinkId), await look(other.userLinkId)], [200, 200]);
  const folder = join(config.dataDir, 'thumbnails');
  assert.equal(await keptIn(folder), 2);
  await user.ask(deleteLink, { userLinkId: one.userLinkId });
  await services.background.idle();
  assert.equal(await keptIn(folder), 1);
  assert.equal(await look(other.userLinkId), 200);
  assert.equal(await keptIn(folder), 1);
});

test('thumbnails of removed links are swept, those of an earlier run too', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-pictures-'));
  t.after(() => rm(folder, { recursive: true }));
  const run = () => createPictures({ folder, onTrouble: (error) => assert.fail(String(error)) });
  const body: Body = { size: smallJpeg.length, entry: {}, drain: async (take) => take(smallJpeg), cancel: () => undefined };
  const original = (source: string) => ({
    name: 'hill.jpg',
    source,
    identity: `${source} hill.jpg`,
    isVersioned: true,
    read: async () => body,
  });
  const first = run();
  for (const source of ['here', 'gone', 'gone too']) await first.picture(original(source), 128, AbortSignal.timeout(30_000));
  const second = run();
  await second.keepOnly(['here', 'never looked at']);
  assert.equal(await keptIn(folder), 1);
  await second.forget('here');
  assert.equal(await keptIn(folder), 0);
});
