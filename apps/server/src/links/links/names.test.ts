import assert from 'node:assert/strict';
import { test } from 'node:test';
import { familyCalls, getDefaultSourceName } from '@sheaf/contract';
import { addSftp, davInfo, draftOf, ftpInfo, linkApp, rowsOf, s3Info, sftpInfo } from '#/testing/links.ts';

test('a duplicate name is refused, whatever its case, with the entered name in the text [DLG-17] [ERR-20]', async (t) => {
  const { user } = await linkApp(t);
  await addSftp(user, 'NAS');
  const refusal = await user.refusal(familyCalls.ftp.add, draftOf(ftpInfo, { serverName: 'nas' }));
  assert.equal(refusal.errorCode, 421);
  assert.equal(refusal.status, 409);
  assert.equal(refusal.message, 'You already have a link named nas. Please enter a different name.');
  assert.equal((await rowsOf(user)).length, 1);
});

test('a rename to the name of another link is refused; changing the case of its own is not', async (t) => {
  const { user } = await linkApp(t);
  await addSftp(user, 'One');
  const two = await addSftp(user, 'Two', { server: 'two.example' });
  const refusal = await user.refusal(familyCalls.sftp.update, { userLinkId: two.userLinkId, serverName: 'ONE' });
  assert.equal(refusal.errorCode, 421);
  const saved = await user.ask(familyCalls.sftp.update, { userLinkId: two.userLinkId, serverName: 'TWO' });
  assert.equal(saved.linkName, 'TWO');
  assert.equal(saved.browseUrl, '/browse/TWO');
});

test('two users may have links of the same name', async (t) => {
  const { user, signUp } = await linkApp(t);
  await addSftp(user, 'NAS');
  assert.equal((await addSftp(await signUp(), 'NAS')).linkName, 'NAS');
});

test('a name with a forbidden character is refused with 222 [DLG-18] [ERR-13]', async (t) => {
  const { user } = await linkApp(t);
  for (const character of [':', '/', '\\', '<', '>', '?', '*', '|', '\n', '\u0001']) {
    const refusal = await user.refusal(familyCalls.sftp.add, draftOf(sftpInfo, { serverName: `a${character}b` }));
    assert.equal(refusal.errorCode, 222, JSON.stringify(character));
    assert.equal(refusal.message, 'Name cannot contain invalid characters : / \\ < > ? * |');
  }
  assert.deepEqual(await rowsOf(user), []);
});

test('a name that is too long is refused for its length, not for its characters', async (t) => {
  const { user } = await linkApp(t);
  const serverName = 'n'.repeat(200);
  const { errorCode, message } = await user.refusal(familyCalls.sftp.add, draftOf(sftpInfo, { serverName: `${serverName}n` }));
  assert.deepEqual([errorCode, message], [222, 'Please choose a name of at most 200 characters.']);
  assert.equal((await user.ask(familyCalls.sftp.add, draftOf(sftpInfo, { serverName }))).linkName, serverName);
});

test('a name that an address would read as a path step is refused', async (t) => {
  const { user } = await linkApp(t);
  for (const serverName of ['.', ' .. '])
    assert.equal((await user.refusal(familyCalls.sftp.add, draftOf(sftpInfo, { serverName }))).errorCode, 222);
  await user.ask(familyCalls.sftp.add, draftOf(sftpInfo, { serverName: '...' }));
});

test('serverName and linkName mean the same, and a name that is not sent stays [DLG-14] [SFTP-30]', async (t) => {
  const { user } = await linkApp(t);
  const link = await user.ask(familyCalls.sftp.add, draftOf(sftpInfo, { serverName: 'One' }));
  assert.equal(link.linkName, 'One');
  const { userLinkId } = link;
  const renamed = await user.ask(familyCalls.sftp.update, draftOf(sftpInfo, { userLinkId, linkName: 'Two', continueAnyway: true }));
  assert.equal(renamed.linkName, 'Two');
  const kept = await user.ask(familyCalls.sftp.update, draftOf(sftpInfo, { userLinkId, continueAnyway: true }));
  assert.equal(kept.linkName, 'Two');
});

const defaults = [
  ['SFTP', undefined, 'My SFTP Server', '[API-12]'],
  ['SheafGateway', undefined, 'My Sheaf Gateway', '[API-14]'],
  ['OFS', undefined, 'My Sheaf File Server', '[API-15]'],
  ['FTP', undefined, 'My FTP Server', '[API-16]'],
  ['WebDAV', 'WebDAV', 'My WebDAV Server', '[API-17]'],
  ['WebDAV', 'hidrive', 'My HiDrive', '[API-17]'],
  ['OracleDocuments', undefined, 'My Oracle Documents Server', '[API-13]'],
] as const;
for (const [sourceType, provider, name, rows] of defaults) {
  test(`the default name of ${provider ?? sourceType} is ${name} ${rows}`, async (t) => {
    const { user } = await linkApp(t);
    const { linkName } = await user.ask(getDefaultSourceName, { sourceType, ...(provider && { provider }) });
    assert.equal(linkName, name);
  });
}

test('an unknown source type has no default name [ERR-07]', async (t) => {
  const { user } = await linkApp(t);
  const refusal = await user.refusal(getDefaultSourceName, { sourceType: 'floppy' });
  assert.equal(refusal.errorCode, 111);
  assert.equal(refusal.message, 'This type of storage is not supported.');
});

test('a default name that is taken gets a number, and the server applies the name that it suggested', async (t) => {
  const { user } = await linkApp(t);
  for (const name of ['My SFTP Server', 'My SFTP Server 2', 'My SFTP Server 3']) {
    assert.equal((await user.ask(getDefaultSourceName, { sourceType: 'SFTP' })).linkName, name);
    assert.equal((await user.ask(familyCalls.sftp.add, draftOf(sftpInfo))).linkName, name);
  }
});

test('links created at the same moment get different default names', async (t) => {
  const { user } = await linkApp(t);
  const links = await Promise.all([1, 2, 3, 4].map(() => user.ask(familyCalls.sftp.add, draftOf(sftpInfo))));
  assert.equal(new Set(links.map(({ linkName }) => linkName)).size, 4);
});

test('every family has a default name of its own', async (t) => {
  const { user } = await linkApp(t);
  assert.equal((await user.ask(familyCalls.webdav.add, draftOf(davInfo, { provider: 'yandexdisk' }))).linkName, 'My Yandex Disk');
  assert.equal((await user.ask(familyCalls.s3.add, draftOf(s3Info, { provider: 'S3' }))).linkName, 'My Amazon S3');
});
