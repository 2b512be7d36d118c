import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { copyObjects, createAppPassword, createVault, linkUriOf, oneTransfer } from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import { addSftp, linkApp } from '#/testing/links.ts';
import { s3Client } from '../s3/testing/client.ts';

const options = JSON.stringify({
  filename_encryption: 'standard',
  directory_name_encryption: true,
  filename_encoding: 'base32',
  suffix: '.bin',
});

test('transfers, WebDAV and S3 carry what is in a vault byte by byte, under its encrypted names', async (t) => {
  const app = await linkApp(t, { settings: { SHEAF_BILLING: 'off' } });
  const url = await app.app.listen({ host: '127.0.0.1', port: 0 });
  t.after(() => app.app.close());
  const { userLinkId: one } = await addSftp(app.user, 'One', { server: 'one.example' });
  const { userLinkId: other } = await addSftp(app.user, 'Other', { server: 'other.example' });
  const [folder, file] = ['p0e52nreeaj0a5ea7s64m4j72s', 'mijbj0frqf6ms7frcr6bd9h0env53jv96pjaaoirk7forcgpt70g'];
  // Includes line ends and a byte order mark, which nothing may convert.
  const sealed = Buffer.concat([Buffer.from('RCLONE\0\0'), randomBytes(200_000), Buffer.from('\r\n\uFEFF\n')]);
  const legible = `RCLONE\0\0${randomBytes(100).toString('base64')}\r\n\uFEFF\n`;
  app.source.put(`/Letters/${folder}/${file}`, sealed);
  app.source.put(`/Letters/${file}`, legible);
  app.source.put('/to/here', '');
  await app.user.ask(createVault, { linkUri: linkUriOf(one, '/Letters'), name: 'Letters', options, wrapped: 'w' });

  const { transferId } = await app.user.ask(copyObjects, {
    linkUri: [linkUriOf(one, '/Letters')],
    parentLinkUri: linkUriOf(other, '/to'),
    conflict: 'fail',
  });
  await eventually(async () => (await app.user.ask(oneTransfer, { transferId })).state === 'done', 'the transfer is done');
  const made = await app.user.ask(createAppPassword, { name: 'Test', linkUri: [], rights: 'read' });
  const authorization = `Basic ${Buffer.from(`${made.username}:${made.password}`).toString('base64')}`;
  for (const path of [`One/Letters/${folder}/${file}`, `Other/to/Letters/${folder}/${file}`]) {
    const answer = await fetch(`${url}/dav/${path}`, { headers: { authorization } });
    assert.equal(answer.status, 200);
    assert.ok(Buffer.from(await answer.arrayBuffer()).equals(sealed), path);
  }
  const object = await s3Client(url, made).ask({ path: `/one/Letters/${file}` });
  assert.deepEqual([object.status, object.text], [200, legible]);
});
