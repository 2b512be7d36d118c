import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { exportRclone, familyCalls, importRemote, listAudit, readRclone } from '@sheaf/contract';
import { makeSshKey, run, startApache, startAzurite, startOpenssh, startProftpd, startSwift } from '@sheaf/testbed';
import { testApp } from '#/testing/app.ts';
import { davInfo, draftOf, ftpInfo, listRoot, rowsOf, s3Info, sftpInfo } from '#/testing/links.ts';

test('links are exported to rclone and back: rclone lists what Sheaf lists, and another account links the same from the file', async (t) => {
  const key = await makeSshKey();
  const [ssh, ftp, dav, swift, azure] = await Promise.all([
    startOpenssh({ authorizedKeys: [key.publicKey] }),
    startProftpd(),
    startApache(),
    startSwift(),
    startAzurite(),
  ]);
  t.after(() => Promise.all([ssh, ftp, dav, swift, azure].map((server) => server.stop())));
  await Promise.all([swift.createBucket('photos'), azure.createContainer('papers')]);
  await run('mkdir', ['-p', join(ssh.home, 'in side'), join(ftp.home, 'deep')]);
  await writeFile(join(ssh.home, 'at home.txt'), 'x');
  await writeFile(join(ssh.home, 'in side', 'inside.txt'), 'x');
  await writeFile(join(ftp.home, 'deep', 'ftp.txt'), 'x');
  await writeFile(join(dav.home, 'dav.txt'), 'x');

  const app = await testApp(t);
  const [mara, noor] = [await app.signUp(), await app.signUp()];
  const atSsh = { ...sftpInfo, server: `${ssh.host}:${ssh.port}`, username: ssh.username, password: ssh.password };
  const add = async (family: 'sftp' | 'ftp' | 'webdav' | 's3', linkName: string, info: Record<string, string>, provider?: string) =>
    mara.ask(familyCalls[family].add, draftOf(info, { linkName, validateConnection: true, ...(provider !== undefined && { provider }) }));
  await add('sftp', 'NAS', atSsh);
  await add('sftp', 'Süd by key', { ...atSsh, password: '', keyfileContent: key.privateKey, path: 'in side' });
  const atFtp = { server: `${ftp.host}:${ftp.port}`, username: ftp.user, password: ftp.password, protocol: 'FTP', path: 'deep' };
  await add('ftp', 'Printer', { ...ftpInfo, ...atFtp });
  await add('webdav', 'Cloud (home)', { ...davInfo, server: dav.url, username: dav.user, password: dav.password });
  await add('s3', 'Photos', { ...s3Info, host: swift.endpoint, key: swift.key, secret: swift.secret }, 'S3Compat');
  const atAzure = { ...s3Info, host: azure.endpoint, bucketName: 'papers', key: azure.account, secret: azure.key };
  await add('s3', 'Papers', atAzure, 'AzureStorage');

  const refused = await mara.refusal(exportRclone, { password: 'not the password' });
  assert.equal(refused.messageCode, 'INVALID_CREDENTIALS');
  const answer = await mara.send(exportRclone, { password: mara.password });
  assert.equal(answer.statusCode, 200);
  assert.equal(answer.headers['cache-control'], 'no-store');
  const conf = answer.body;
  assert.ok(!conf.includes(ssh.password));
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-rclone-'));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'rclone.conf');
  await writeFile(file, conf);
  const options = ['--config', file, '--retries', '1', '--low-level-retries', '1'];
  // With this setting rclone's S3 fails to start.
  const rclone = (...args: string[]): Promise<string> => run('env', ['-u', 'AWS_CA_BUNDLE', 'rclone', ...options, ...args]);
  const picture = join(folder, 'bird.jpg');
  await writeFile(picture, 'a picture');
  await rclone('copyto', picture, 'Photos:bird.jpg');

  const byRclone = async (remote: string) =>
    (await rclone('lsf', `${remote}:`))
      .split('\n')
      .filter(Boolean)
      .map((name) => name.replace(/\/$/, ''));
  const expected: Readonly<Record<string, string[]>> = {
    NAS: ['at home.txt', 'in side'],
    'Sud by key': ['inside.txt'],
    Printer: ['ftp.txt'],
    'Cloud _home_': ['dav.txt'],
    Photos: ['bird.jpg'],
  };
  for (const [remote, names] of Object.entries(expected)) assert.deepEqual(await byRclone(remote), names, remote);

  const { remotes } = await noor.ask(readRclone, { config: conf });
  assert.ok(!JSON.stringify(remotes).includes(ssh.password) && !JSON.stringify(remotes).includes(swift.secret));
  const wanted = remotes.filter(({ isBase }) => !isBase);
  assert.deepEqual(wanted.map(({ remote, state, title }) => `${remote}: ${state}, ${title}`).toSorted(), [
    'Cloud _home_: ready, WebDAV',
    'NAS: ready, SFTP',
    'Papers: ready, Azure Storage',
    'Photos: ready, S3 Compatible',
    'Printer: ready, FTP',
    'Sud by key: ready, SFTP',
  ]);
  for (const { remote } of wanted) {
    const { userLinkId } = await noor.ask(importRemote, { config: conf, remote });
    const listed = (await listRoot({ ...app, user: noor }, userLinkId)).filter((name) => !name.startsWith('.'));
    assert.deepEqual(listed.toSorted(), expected[remote] ?? [], remote);
  }
  assert.ok((await rowsOf(noor)).every(({ state }) => state === 'ok'));

  const log = await mara.ask(listAudit, { limit: 200 });
  assert.ok(log.entries.some(({ sentence }) => sentence === 'exported all links with their secrets'));
  const written = JSON.stringify(await app.services.database.db.selectFrom('audit_event').selectAll().execute()) + app.log();
  for (const secret of [ssh.password, swift.secret, azure.key, mara.password]) assert.ok(!written.includes(secret));
});
