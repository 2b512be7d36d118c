import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  allLinks,
  deleteLink,
  deleteOrgLink,
  errorTable,
  familyCalls,
  getLinkConnectionInfo,
  getOrgLinkConnectionInfo,
  orgFamilyCalls,
  secretMask,
} from '@sheaf/contract';
import { testApp } from '#/testing/app.ts';
import { addSftp, davInfo, draftOf, ftpInfo, linkApp, rowsOf, s3Info, sftpInfo } from '#/testing/links.ts';

test('all links are grouped by source type under its title, in alphabetical order [API-11] [LNK-08] [LNK-46] [LSP-16]', async (t) => {
  const { user } = await linkApp(t);
  await addSftp(user, 'nas 10');
  await addSftp(user, 'NAS 9', { server: 'nine.example' });
  await user.ask(familyCalls.webdav.add, draftOf(davInfo, { linkName: 'Cloud', provider: 'hidrive' }));
  await user.ask(familyCalls.s3.add, draftOf(s3Info, { linkName: 'Bucket' }));
  const { activeSources } = await user.ask(allLinks, {});
  assert.deepEqual(
    activeSources.map(({ title, sourceType, source_type, links }) => [title, sourceType, source_type, links.map(({ name }) => name)]),
    [
      ['Amazon S3', 'S3', 'S3', ['Bucket']],
      ['SFTP', 'SFTP', 'SFTP', ['NAS 9', 'nas 10']],
      ['WebDAV', 'WebDAV', 'WebDAV', ['Cloud']],
    ],
  );
});

test('a row of My links has all its fields [LNK-38] [LNK-40]', async (t) => {
  const { user } = await linkApp(t);
  const { userLinkId, linkUri } = await addSftp(user, 'My NAS');
  assert.deepEqual(await rowsOf(user), [
    {
      userLinkId,
      name: 'My NAS',
      disambiguatedName: 'My NAS',
      sourceAccountName: 'mara@nas.example:22',
      provider: 'SFTP',
      thumbnailUrl: '/images/logos/sftp.svg',
      menuIconUrl: '/images/menu/sftp.svg',
      isOrganization: false,
      formType: 'SFTP',
      linkUri,
      browseUrl: '/browse/My%20NAS',
      state: 'unknown',
    },
  ]);
  assert.equal(linkUri, `/${userLinkId}`);
  assert.match(userLinkId, /^[A-Za-z0-9]{20}$/);
});

test('the directory structure decides the source type of an object store [SRC-17] [SRC-18] [SRC-19] [SRC-20]', async (t) => {
  const { user } = await linkApp(t);
  const enhanced = { ...s3Info, directoryStructure: 'ENHANCED SHEAF FS' };
  await user.ask(familyCalls.s3.add, draftOf(s3Info, { linkName: '1', provider: 's3' }));
  await user.ask(familyCalls.s3.add, draftOf(enhanced, { linkName: '2', provider: 'S3' }));
  await user.ask(familyCalls.s3.add, draftOf(s3Info, { linkName: '3', provider: 'MinIO' }));
  await user.ask(familyCalls.s3.add, draftOf(enhanced, { linkName: '4', provider: 'wasabi' }));
  const { activeSources } = await user.ask(allLinks, {});
  const types = activeSources.flatMap(({ sourceType, links }) =>
    links.map(({ name, formType, provider }) => [name, sourceType, formType, provider]),
  );
  assert.deepEqual(
    types.toSorted(([a], [b]) => String(a).localeCompare(String(b))),
    [
      ['1', 'S3', 'S3', 'S3'],
      ['2', 'S3X', 'S3X', 'S3'],
      ['3', 'S3Compat', 'S3', 'MinIO'],
      ['4', 'S3XCompat', 'S3X', 'Wasabi'],
    ],
  );
});

const infos = [
  ['s3', s3Info, '[S3-20] [API-28] [API-30]'],
  ['ftp', ftpInfo, '[FTP-10] [API-33] [API-34]'],
  ['ofs', { server: 'files.example', username: 'mara', password: 'x' }, '[OFS-04] [API-36] [API-37]'],
  ['sftp', { ...sftpInfo, keyfileContent: 'KEY' }, '[SFTP-24] [API-43] [API-44]'],
  ['webdav', davInfo, '[DAV-10] [API-40] [API-41]'],
  ['sheafgateway', { server: 'https://g.example', authjson: '{}' }, '[GW-04] [API-38] [API-39]'],
] as const;
for (const [family, info, rows] of infos) {
  const { add, update } = familyCalls[family];
  test(`${family}: stored info comes back with its secrets masked, and the mask keeps them [API-18] ${rows}`, async (t) => {
    const { user, source, services } = await linkApp(t);
    const { userLinkId } = await user.ask(add, draftOf(info));
    const { connectionInfo } = await user.ask(getLinkConnectionInfo, { userLinkId });
    const secrets = Object.keys(info).filter((field) => source.definition.secrets.includes(field));
    assert.ok(secrets.length > 0);
    assert.deepEqual(connectionInfo, { ...info, ...Object.fromEntries(secrets.map((field) => [field, secretMask])) });

    await user.ask(update, draftOf(connectionInfo, { userLinkId, linkName: 'Other' }));
    await services.connections.open(user.userId, userLinkId);
    assert.deepEqual({ ...source.lastInfo }, { ...info });
  });
}

test('fields may be sent one by one as well as in JSON', async (t) => {
  const { user, source, services } = await linkApp(t);
  const { userLinkId } = await user.ask(familyCalls.ftp.add, { ...ftpInfo, serverName: 'F' });
  await services.connections.open(user.userId, userLinkId);
  assert.deepEqual({ ...source.lastInfo }, ftpInfo);
});

test('an update without connection info changes the name only', async (t) => {
  const { user } = await linkApp(t);
  const { userLinkId } = await addSftp(user, 'One');
  const before = await user.ask(getLinkConnectionInfo, { userLinkId });
  await user.ask(familyCalls.sftp.update, { userLinkId, serverName: 'Two' });
  assert.deepEqual(await user.ask(getLinkConnectionInfo, { userLinkId }), { ...before, linkName: 'Two' });
});

test('a secret that an edit leaves out is deleted, as when a password replaces a key file', async (t) => {
  const { user } = await linkApp(t);
  const { userLinkId } = await user.ask(familyCalls.sftp.add, draftOf({ ...sftpInfo, keyfileContent: 'KEY' }));
  await user.ask(familyCalls.sftp.update, draftOf(sftpInfo, { userLinkId, continueAnyway: true }));
  const { connectionInfo } = await user.ask(getLinkConnectionInfo, { userLinkId });
  assert.equal(connectionInfo['keyfileContent'], undefined);
  assert.equal(connectionInfo['password'], secretMask);
});

test('the bucket and its structure cannot be changed in an edit', async (t) => {
  const { user } = await linkApp(t);
  const { userLinkId } = await user.ask(familyCalls.s3.add, draftOf(s3Info));
  for (const change of [{ bucketName: 'other' }, { directoryStructure: 'ENHANCED SHEAF FS' }])
    assert.equal((await user.refusal(familyCalls.s3.update, draftOf({ ...s3Info, ...change }, { userLinkId }))).errorCode, 107);
});

test('an unknown storage class or directory structure is refused instead of being replaced quietly', async (t) => {
  const { user } = await linkApp(t);
  const { verify, add, update } = familyCalls.s3;
  for (const wrong of [{ defaultStorageClass: 'GLACIER' }, { directoryStructure: 'enhanced sheaf fs' }])
    for (const call of [verify, add]) {
      const refusal = await user.refusal(call, { provider: 'S3', ...draftOf({ ...s3Info, ...wrong }) });
      assert.equal(refusal.messageCode, 'INVALID_PARAMETER', Object.keys(wrong).join());
    }
  for (const [index, defaultStorageClass] of ['STANDARD', 'STANDARD_IA', 'REDUCED REDUNDANCY', ''].entries()) {
    const info = { ...s3Info, bucketName: `b${index}`, defaultStorageClass };
    const { userLinkId } = await user.ask(add, { provider: 'S3', ...draftOf(info) });
    assert.equal((await user.refusal(update, { userLinkId, ...draftOf({ ...info, defaultStorageClass: 'X' }) })).errorCode, 107);
  }
});

test('unlinking forgets the link, its secrets and its facts, and leaves the files [API-04]', async (t) => {
  const { user, services, source } = await linkApp(t);
  source.put('/keep.txt', 'x');
  const { userLinkId } = await addSftp(user, 'NAS');
  await services.connections.open(user.userId, userLinkId);
  assert.deepEqual(await user.ask(deleteLink, { userLinkId }), {});
  assert.deepEqual(await rowsOf(user), []);
  for (const table of ['link', 'link_secret', 'link_fact'] as const)
    assert.deepEqual(await services.database.db.selectFrom(table).selectAll().execute(), []);
  assert.ok(source.root.children.has('keep.txt'));
  assert.equal((await user.refusal(deleteLink, { userLinkId })).errorCode, 351);
});

test("another user's link can be neither read, changed, checked nor unlinked [SEC-10] [ERR-14]", async (t) => {
  const { user, signUp } = await linkApp(t);
  const { userLinkId } = await addSftp(user, 'NAS');
  const other = await signUp();
  const refusals = [
    await other.refusal(getLinkConnectionInfo, { userLinkId }),
    await other.refusal(deleteLink, { userLinkId }),
    await other.refusal(familyCalls.sftp.update, { userLinkId, serverName: 'Mine' }),
    await other.refusal(familyCalls.sftp.validate, draftOf({ ...sftpInfo, password: secretMask }, { userLinkId })),
  ];
  for (const { errorCode, message } of refusals) {
    assert.equal(errorCode, errorTable.INVALID_LINK_URI.code);
    assert.equal(message, 'This link could not be found. It may have been unlinked.');
  }
  assert.deepEqual(await rowsOf(other), []);
  assert.equal((await rowsOf(user))[0]?.name, 'NAS');
});

test('a user who is not a member of an organisation reads and changes none of its links [SEC-11] [API-05] [API-19] [API-27] [API-29] [API-31]', async (t) => {
  const { user } = await linkApp(t);
  const { userLinkId } = await addSftp(user, 'NAS');
  const orgOid = 'org1';
  const draft = draftOf(s3Info, { orgOid, provider: 'S3' });
  const refusals = [
    await user.refusal(getOrgLinkConnectionInfo, { userLinkId, orgOid }),
    await user.refusal(deleteOrgLink, { userLinkId, orgOid }),
    await user.refusal(orgFamilyCalls.s3.verify, draft),
    await user.refusal(orgFamilyCalls.s3.add, draft),
    await user.refusal(orgFamilyCalls.s3.update, { ...draft, userLinkId }),
    await user.refusal(deleteLink, { userLinkId, orgOid }),
    await user.refusal(familyCalls.sftp.validate, draftOf(sftpInfo, { orgOid })),
    await user.refusal(familyCalls.sftp.add, draftOf(sftpInfo, { orgOid })),
  ];
  for (const { errorCode } of refusals) assert.equal(errorCode, 351);
  assert.equal((await rowsOf(user)).length, 1);
});

test('every call about links needs a session [SEC-02]', async (t) => {
  const { visitor } = await linkApp(t);
  const calls = [allLinks, getLinkConnectionInfo, deleteLink, ...Object.values(familyCalls).flatMap((family) => Object.values(family))];
  for (const call of calls) {
    const response = await visitor().send(call, {});
    assert.equal(response.statusCode, 401, call.path);
    assert.equal(response.json<{ errorCode: number }>().errorCode, 104, call.path);
  }
});

test('a save or unlink with a missing or wrong rTag is refused and changes nothing [SEC-05]', async (t) => {
  const { user } = await linkApp(t);
  const { userLinkId } = await addSftp(user, 'NAS');
  for (const rTag of ['wrong', '']) {
    assert.equal((await user.refusal(deleteLink, { userLinkId, rTag })).errorCode, 104);
    assert.equal((await user.refusal(familyCalls.sftp.add, draftOf(sftpInfo, { rTag, serverName: 'X' }))).errorCode, 104);
    assert.equal((await user.refusal(familyCalls.sftp.update, { userLinkId, rTag, serverName: 'X' })).errorCode, 104);
  }
  assert.deepEqual(
    (await rowsOf(user)).map(({ name }) => name),
    ['NAS'],
  );
});

test('a source of another family is refused with 111 [ERR-07]', async (t) => {
  const { user } = await linkApp(t);
  const { userLinkId } = await addSftp(user, 'NAS');
  assert.equal((await user.refusal(familyCalls.ftp.add, draftOf(ftpInfo, { provider: 'S3' }))).errorCode, 111);
  assert.equal((await user.refusal(familyCalls.ftp.add, draftOf(ftpInfo, { provider: 'floppy' }))).errorCode, 111);
  assert.equal((await user.refusal(familyCalls.ftp.update, { userLinkId, serverName: 'X' })).errorCode, 111);
});

test('connection info with a character that no database holds is refused', async (t) => {
  const { user } = await linkApp(t);
  const info = { ...sftpInfo, server: 'nas\0.example' };
  for (const draft of [{ connectionInfo: JSON.stringify(info) }, info]) {
    const payload = new URLSearchParams({ ...draft, rTag: user.session.rTag }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await user.inject({ method: 'POST', url: familyCalls.sftp.add.path, payload, headers });
    assert.equal(answer.json<{ messageCode: string }>().messageCode, 'INVALID_PARAMETER');
  }
});

test('connection info with half a surrogate pair, which no address or header can hold, is refused', async (t) => {
  const { user } = await linkApp(t);
  const refusal = await user.refusal(familyCalls.s3.verify, draftOf({ ...s3Info, bucketName: 'photos\ud83d' }));
  assert.deepEqual([refusal.messageCode, refusal.message.includes('bucket name')], ['INVALID_PARAMETER', true]);
});

test('connection info longer than any address is refused before anything looks through it', async (t) => {
  // With the real connectors: parsing these addresses once took hours.
  const user = await (await testApp(t)).signUp();
  const row = (character: string): string => `${character.repeat(200_000)}x`;
  const long = [
    await user.refusal(familyCalls.sftp.add, draftOf({ ...sftpInfo, server: row(':') })),
    await user.refusal(familyCalls.sftp.add, draftOf({ ...sftpInfo, path: row('/') })),
    await user.refusal(familyCalls.webdav.add, draftOf({ ...davInfo, server: `https://dav.example${row('/')}` })),
  ];
  assert.deepEqual(
    long.map(({ messageCode, message }) => [messageCode, message]),
    ['server', 'path', 'server'].map((field) => ['INVALID_PARAMETER', `Please check the ${field} and try again.`]),
  );
  // A key may be that long.
  await user.ask(familyCalls.sftp.add, draftOf({ ...sftpInfo, keyfileContent: 'k'.repeat(20_000) }));
});

test('connection info that is no JSON object is refused', async (t) => {
  const { user } = await linkApp(t);
  for (const connectionInfo of ['{', '[1', '"x"', 'null', '7'])
    assert.equal((await user.refusal(familyCalls.sftp.add, { connectionInfo })).errorCode, 107, connectionInfo);
});
