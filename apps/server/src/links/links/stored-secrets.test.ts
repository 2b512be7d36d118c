import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type FamilyCalls, type SavedFamily, familyCalls, getLinkConnectionInfo, secretMask } from '@sheaf/contract';
import { davInfo, draftOf, ftpInfo, linkApp, s3Info, sftpInfo } from '#/testing/links.ts';
import { families } from './families.ts';

const infos: Readonly<Record<SavedFamily, Readonly<Record<string, string>>>> = {
  s3: s3Info,
  ftp: ftpInfo,
  ofs: { server: 'https://files.example', username: 'mara', password: 'ofs-secret' },
  sftp: { ...sftpInfo, keyfileContent: 'KEY' },
  webdav: davInfo,
  sheafgateway: { server: 'https://gateway.example', authjson: '{}' },
  oracledocuments: { url: 'https://documents.example', username: 'mara', password: 'oracle-secret' },
  b2: { accountId: 'key-id', applicationKey: 'b2-secret', allowWrite: 'ALLOW_WRITE' },
};

/** Fields whose change sends no secret elsewhere; any other change asks for the secret again. */
const harmless = new Set([
  'accessType',
  'account',
  'allowWrite',
  'buckets',
  'defaultStorageClass',
  'namePrefix',
  'numConcurrentConnections',
  'path',
]);
const others: Readonly<Record<string, string>> = {
  protocol: 'FTP',
  enforceSSL: 'IGNORE_MATCH',
  authType: 'digest',
  numConcurrentConnections: '5',
  accessType: 'Private network',
  allowWrite: 'DISALLOW_WRITE',
  defaultStorageClass: 'STANDARD_IA',
};
/** A bucket cannot be changed at all, which has its own error. */
const fixed = new Set(['bucketName', 'directoryStructure']);

describe("stored secrets of a user's own link", () => {
  for (const family of Object.values(families)) {
    const info = infos[family.name];
    const calls: FamilyCalls = familyCalls[family.name];
    test(`${family.name}: the mask keeps them only while server, port, protocol, certificate rule and login stay`, async (t) => {
      const { user, source } = await linkApp(t);
      const { userLinkId } = await user.ask(calls.add, draftOf(info, { linkName: 'Link', validateConnection: false }));
      const { connectionInfo } = await user.ask(getLinkConnectionInfo, { userLinkId });
      const secrets = source.definition.secrets.filter((field) => connectionInfo[field] === secretMask);
      assert.ok(secrets.length > 0);
      for (const field of family.fields) {
        if (source.definition.secrets.includes(field) || fixed.has(field)) continue;
        const changed = { ...connectionInfo, [field]: others[field] ?? 'https://evil.example' };
        const wish = { userLinkId, continueAnyway: true, validateConnection: false };
        for (const call of [calls.validate, calls.verify, calls.update]) {
          if (call === undefined) continue;
          const before = source.counts.opened;
          const sent = await user.send(call, draftOf(changed, wish));
          const refused = sent.json<{ messageCode?: string }>().messageCode;
          assert.equal(refused, harmless.has(field) ? undefined : 'SECRETS_NEEDED', `${call.path} ${field}`);
          if (!harmless.has(field)) assert.equal(source.counts.opened, before, 'nothing was connected');
        }
        if (harmless.has(field)) await user.ask(calls.update, draftOf(connectionInfo, wish));
      }
      const entered = Object.fromEntries(secrets.map((field) => [field, 'entered anew']));
      const moved = Object.keys(info).includes('url') ? { url: 'https://other.example' } : { server: 'https://other.example' };
      if (family.fields.includes(Object.keys(moved)[0] ?? ''))
        await user.ask(calls.update, draftOf({ ...connectionInfo, ...moved, ...entered }, { userLinkId, validateConnection: false }));
    });
  }

  test('a mask without a link keeps none of them either when the certificate rule differs', async (t) => {
    const { user, source } = await linkApp(t);
    await user.ask(familyCalls.ftp.add, draftOf(ftpInfo));
    const masked = { ...ftpInfo, password: secretMask };
    assert.equal((await user.ask(familyCalls.ftp.validate, draftOf(masked, { continueAnyway: true }))).isValid, true);
    const opened = source.counts.opened;
    const refusal = await user.refusal(familyCalls.ftp.validate, draftOf({ ...masked, enforceSSL: 'IGNORE_MATCH' }));
    assert.deepEqual([refusal.errorCode, refusal.messageCode], [774, 'SECRETS_NEEDED']);
    assert.equal(source.counts.opened, opened);
  });

  test('another spelling of the same address keeps them', async (t) => {
    const { user } = await linkApp(t);
    const { userLinkId } = await user.ask(familyCalls.sftp.add, draftOf({ ...sftpInfo, server: 'nas.example' }));
    const { connectionInfo } = await user.ask(getLinkConnectionInfo, { userLinkId });
    const wish = { userLinkId, continueAnyway: true };
    await user.ask(familyCalls.sftp.update, draftOf({ ...connectionInfo, server: 'NAS.example:22' }, wish));
    const refusal = await user.refusal(familyCalls.sftp.update, draftOf({ ...connectionInfo, server: 'nas.example:2222' }, wish));
    assert.equal(refusal.errorCode, 774);
  });
});

test('an invalid choice of a field is refused, whatever the family', async (t) => {
  const { user } = await linkApp(t);
  for (const family of Object.values(families))
    for (const field of Object.keys(family.choices)) {
      const { add, validate, verify }: FamilyCalls = familyCalls[family.name];
      for (const call of [add, validate, verify]) {
        if (call === undefined) continue;
        const refusal = await user.refusal(call, draftOf({ ...infos[family.name], [field]: 'something else' }));
        assert.equal(refusal.messageCode, 'INVALID_PARAMETER', `${call.path} ${field}`);
      }
    }
});
