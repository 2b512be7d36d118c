import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { copyObjects, linkUriOf, oneTransfer } from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import { addSftp, linkApp } from '#/testing/links.ts';

test('as many parts of one file are sent at the same time as the destination allows, and no more', async (t) => {
  const held = Promise.withResolvers<void>();
  t.after(() => held.resolve());
  let [underWay, most] = [0, 0];
  const partSize = 4 * 1024 * 1024;
  const { user, source } = await linkApp(t, {
    partSize,
    concurrency: 6,
    changed: (connector) => ({
      ...connector,
      async sendPart(path, body, part) {
        most = Math.max(most, (underWay += 1));
        await held.promise;
        const receipt = await connector.sendPart?.(path, body, part);
        underWay -= 1;
        return receipt ?? assert.fail('no receipt');
      },
    }),
  });
  const { userLinkId: from } = await addSftp(user, 'From', { server: 'from.example' });
  const { userLinkId: to } = await addSftp(user, 'To', { server: 'to.example' });
  const bytes = randomBytes(9 * partSize + 5);
  source.put('/from/large.bin', bytes);
  source.put('/to/beside', '');
  const ends = { linkUri: [linkUriOf(from, '/from/large.bin')], parentLinkUri: linkUriOf(to, '/to') };
  const { transferId } = await user.ask(copyObjects, { ...ends, conflict: 'fail' });
  await eventually(() => underWay === 4, 'four parts are on their way');
  held.resolve();
  await eventually(async () => (await user.ask(oneTransfer, { transferId })).state === 'done', 'the transfer is done');
  assert.equal(most, 4);
  const folder = source.root.children.get('to') as { readonly children: ReadonlyMap<string, { readonly bytes?: Buffer }> };
  assert.ok(folder.children.get('large.bin')?.bytes?.equals(bytes));
});

test('the destination may hash what it stores while the rest is sent only where that proves the copy, and not where it is to be read back', async (t) => {
  const partSize = 32 * 1024 * 1024;
  const told: unknown[] = [];
  const { user, source } = await linkApp(t, {
    partSize,
    changed: (connector) => ({
      ...connector,
      async sendPart(path, body, part) {
        told.push(part.digest);
        return (await connector.sendPart?.(path, body, part)) ?? assert.fail('no receipt');
      },
    }),
  });
  const { userLinkId: from } = await addSftp(user, 'From', { server: 'from.example' });
  const { userLinkId: to } = await addSftp(user, 'To', { server: 'to.example' });
  source.put('/from/large.bin', Buffer.alloc(partSize, 'x'));
  source.put('/to/beside', '');
  const ends = { linkUri: [linkUriOf(from, '/from/large.bin')], parentLinkUri: linkUriOf(to, '/to') };
  for (const verify of ['auto', 'hashes', 'read_back', 'size'] as const) {
    const { transferId } = await user.ask(copyObjects, { ...ends, conflict: 'rename', verify });
    await eventually(async () => (await user.ask(oneTransfer, { transferId })).state === 'done', 'the transfer is done');
  }
  assert.deepEqual(told, [true, true, false, false]);
});
