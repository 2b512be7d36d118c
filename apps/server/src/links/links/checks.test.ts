import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConnectorErrorKind } from '@sheaf/connectors';
import { familyCalls } from '@sheaf/contract';
import { addSftp, davInfo, draftOf, ftpInfo, linkApp, rowsOf, s3Info, sftpInfo } from '#/testing/links.ts';

const gatewayInfo = { server: 'https://gateway.example', authjson: '{"token":"gateway-secret"}' };
const ofsInfo = { server: 'files.example', username: 'mara', password: 'ofs-secret' };
const advisory = [
  ['ftp', ftpInfo, '[API-32]', '[FTP-19]'],
  ['ofs', ofsInfo, '[API-35]', '[OFS-13]'],
  ['sftp', sftpInfo, '[API-42]', '[SFTP-35]'],
] as const;

for (const [family, info, call, row] of advisory) {
  const { validate, add } = familyCalls[family];
  test(`${family}: a working connection is valid ${call}`, async (t) => {
    const { user, source } = await linkApp(t);
    assert.deepEqual(await user.ask(validate, draftOf(info)), { isValid: true });
    assert.equal(source.counts.opened, source.counts.closed);
    assert.deepEqual(await rowsOf(user), []);
  });

  test(`${family}: a refusal of the server is reported and can be overruled ${row}`, async (t) => {
    const { user, refuse } = await linkApp(t);
    const told: readonly (readonly [ConnectorErrorKind, number])[] = [
      ['unauthorized', 422],
      ['unreachable', 652],
      ['certificateName', 653],
      ['certificateMissing', 655],
      ['wrongPassphrase', 422],
      ['timeout', 705],
    ];
    for (const [kind, code] of told) {
      refuse(kind);
      const verdict = await user.ask(validate, draftOf(info));
      assert.deepEqual([verdict.isValid, verdict.errorCode], [false, code], kind);
      assert.ok(verdict.message);
    }
    const saved = await user.ask(add, draftOf(info, { continueAnyway: true }));
    assert.equal((await rowsOf(user))[0]?.userLinkId, saved.userLinkId);
  });
}

test('a refusal holds the code, the details and the English sentence, and so does its reason', async (t) => {
  const { user, refuse } = await linkApp(t);
  refuse('unreachable', { problem: 'refused', host: 'nas.example', port: '22' });
  const found = {
    errorCode: 652,
    messageCode: 'CANNOT_CONNECT',
    message: 'Cannot connect to SFTP server. Please check your network connection and try again later.',
    details: { provider: 'SFTP' },
    reason: 'nas.example is there, but nothing answers at port 22.',
    reasonCode: 'PORT_CLOSED',
    reasonDetails: { host: 'nas.example', port: '22' },
  };
  assert.deepEqual(await user.ask(familyCalls.sftp.validate, draftOf(sftpInfo)), { isValid: false, ...found });
  refuse('certificateMissing', { problem: 'expired', day: '2026-10-01', fingerprint: 'AB:CD' });
  assert.deepEqual(await user.refusal(familyCalls.webdav.add, draftOf(davInfo, { validateConnection: true })), {
    status: 502,
    errorCode: 655,
    messageCode: 'CERTIFICATE_EXPIRED',
    message: 'Invalid SSL certificate. It expired on 1 October 2026.',
    details: { day: '2026-10-01' },
    certificate: 'AB:CD',
  });
  refuse();
  await user.ask(familyCalls.sftp.add, draftOf(sftpInfo, { linkName: 'NAS', continueAnyway: true }));
  const { message, details } = await user.refusal(familyCalls.webdav.add, draftOf(davInfo, { linkName: 'NAS' }));
  assert.deepEqual([message, details], ['You already have a link named NAS. Please enter a different name.', { name: 'NAS' }]);
});

test('a changed host key is reported with the server’s present key', async (t) => {
  const { user, refuse } = await linkApp(t);
  refuse('hostKeyChanged', { fingerprint: 'SHA256:new' });
  const verdict = await user.ask(familyCalls.sftp.validate, draftOf(sftpInfo));
  assert.deepEqual([verdict.isValid, verdict.errorCode, verdict.hostKey], [false, 700, 'SHA256:new']);
});

test('unusable info is an error, even if the user insists [ERR-04]', async (t) => {
  const { user } = await linkApp(t, { required: ['username'] });
  for (const call of [familyCalls.sftp.validate, familyCalls.sftp.add]) {
    const refusal = await user.refusal(call, draftOf({ ...sftpInfo, username: '' }, { continueAnyway: true }));
    assert.equal(refusal.errorCode, 107);
    assert.equal(refusal.message, 'Please enter a user name.');
  }
});

test('object stores: wrong key, signature and bucket are reported as different errors [ERR-22] [ERR-23] [ERR-24]', async (t) => {
  const { user, refuse } = await linkApp(t);
  const told = [
    ['wrongKey', 424, 'The access key is not valid.'],
    ['wrongSignature', 425, 'The signature does not match. Please check the secret key.'],
    ['noBucket', 426, 'The bucket was not found. Please check the bucket name.'],
    ['unreachable', 652, 'Cannot connect to Wasabi server. Please check your network connection and try again later.'],
  ] as const;
  for (const [kind, code, message] of told) {
    refuse(kind);
    const refusal = await user.refusal(familyCalls.s3.verify, draftOf(s3Info, { provider: 'Wasabi' }));
    assert.deepEqual([refusal.errorCode, refusal.message], [code, message]);
  }
  refuse('forbidden');
  assert.equal((await user.ask(familyCalls.s3.verify, draftOf(s3Info))).isValid, false);
});

test('object stores: a valid connection returns the info to save, with the secret as it was sent [API-26]', async (t) => {
  const { user } = await linkApp(t);
  const verdict = await user.ask(familyCalls.s3.verify, draftOf(s3Info, { provider: 'S3' }));
  assert.equal(verdict.isValid, true);
  assert.deepEqual(verdict.completedConnectionInfo, s3Info);
});

for (const [family, info, call] of [
  ['webdav', davInfo, '[API-40]'],
  ['sheafgateway', gatewayInfo, '[API-38]'],
] as const) {
  const { add, update } = familyCalls[family];
  test(`${family}: the saving call proves the connection unless told not to ${call}`, async (t) => {
    const { user, refuse } = await linkApp(t);
    const told: readonly (readonly [ConnectorErrorKind, number])[] = [
      ['unauthorized', 422],
      ['unreachable', 652],
      ['certificateName', 653],
      ['authType', 654],
      ['certificateMissing', 655],
      ['wrongKey', 424],
    ];
    for (const [kind, code] of told) {
      refuse(kind);
      assert.equal((await user.refusal(add, draftOf(info, { validateConnection: true }))).errorCode, code);
    }
    assert.deepEqual(await rowsOf(user), []);
    refuse('unreachable');
    await user.ask(add, draftOf(info, { validateConnection: false }));
    assert.equal((await rowsOf(user)).length, 1);
  });

  test(`${family}: an update proves the connection as a new link does ${family === 'webdav' ? '[API-41]' : '[API-39]'}`, async (t) => {
    const { user, refuse } = await linkApp(t);
    const { userLinkId } = await user.ask(add, draftOf(info, { validateConnection: true }));
    assert.equal((await rowsOf(user))[0]?.state, 'ok');
    refuse('unauthorized');
    assert.equal((await user.refusal(update, draftOf(info, { userLinkId, validateConnection: true }))).errorCode, 422);
    refuse();
    assert.equal((await user.ask(update, draftOf(info, { userLinkId, validateConnection: true, linkName: 'New' }))).linkName, 'New');
  });
}

test('an account that is already linked is reported each time, until the user wants another link of it [ERR-18]', async (t) => {
  const { user } = await linkApp(t);
  await user.ask(familyCalls.ftp.add, draftOf(ftpInfo));
  const refusal = await user.refusal(familyCalls.ftp.validate, draftOf(ftpInfo));
  assert.deepEqual([refusal.errorCode, refusal.status, refusal.message], [420, 409, 'You have already linked this account.']);
  await user.ask(familyCalls.ftp.add, draftOf(ftpInfo, { continueAnyway: true }));
  assert.equal((await rowsOf(user)).length, 2);
  assert.equal((await user.refusal(familyCalls.ftp.validate, draftOf(ftpInfo))).errorCode, 420);
  assert.equal((await user.refusal(familyCalls.ftp.validate, draftOf(ftpInfo))).errorCode, 420, 'no warning holds for a later dialog');
  assert.equal((await user.ask(familyCalls.ftp.validate, draftOf(ftpInfo, { continueAnyway: true }))).isValid, true);
});

test('wrong credentials of an account that is already linked are reported as such, before the duplicate', async (t) => {
  const { user, refuse } = await linkApp(t);
  await user.ask(familyCalls.s3.add, draftOf(s3Info));
  for (const [kind, code] of [
    ['wrongKey', 424],
    ['wrongSignature', 425],
    ['noBucket', 426],
  ] as const) {
    refuse(kind);
    for (const continueAnyway of [false, true])
      assert.equal((await user.refusal(familyCalls.s3.verify, draftOf(s3Info, { continueAnyway }))).errorCode, code);
  }
  refuse();
  assert.equal((await user.refusal(familyCalls.s3.verify, draftOf(s3Info))).errorCode, 420);
  assert.equal((await user.ask(familyCalls.s3.verify, draftOf(s3Info, { continueAnyway: true }))).isValid, true);
  await user.ask(familyCalls.webdav.add, draftOf(davInfo));
  refuse('unauthorized');
  assert.equal((await user.refusal(familyCalls.webdav.add, draftOf(davInfo))).errorCode, 422);
});

test('a save alone does not report a duplicate; an update to one does unless the user insists', async (t) => {
  const { user } = await linkApp(t);
  await addSftp(user, 'One');
  const { userLinkId } = await addSftp(user, 'Two', { server: 'two.example' });
  await addSftp(user, 'Three');
  const change = draftOf(sftpInfo, { userLinkId });
  assert.equal((await user.refusal(familyCalls.sftp.update, change)).errorCode, 420);
  await user.ask(familyCalls.sftp.update, { ...change, continueAnyway: true });
  const { userLinkId: fourth } = await addSftp(user, 'Four', { server: 'four.example' });
  await user.ask(familyCalls.sftp.update, draftOf(sftpInfo, { userLinkId: fourth, continueAnyway: true }));
});

test("another user's link to the same account is no duplicate", async (t) => {
  const { user, signUp } = await linkApp(t);
  await user.ask(familyCalls.ftp.add, draftOf(ftpInfo));
  assert.equal((await (await signUp()).ask(familyCalls.ftp.validate, draftOf(ftpInfo))).isValid, true);
});

test('a check of an existing link does not report the link itself as a duplicate', async (t) => {
  const { user } = await linkApp(t);
  const { userLinkId } = await user.ask(familyCalls.ftp.add, draftOf(ftpInfo));
  const sent = { ...ftpInfo, password: '••••••••' };
  assert.equal((await user.ask(familyCalls.ftp.validate, draftOf(sent, { userLinkId }))).isValid, true);
  assert.equal((await user.ask(familyCalls.ftp.validate, draftOf(sent))).isValid, true, 'the mask alone tells which link is meant');
});

test('facts learnt by a check are stored with the link that is saved after it', async (t) => {
  const { user, services, source } = await linkApp(t);
  const { open } = source.definition;
  source.definition.open = async (config, env) => {
    if ((await env.recall('hostKey')) === undefined) await env.remember('hostKey', 'SHA256:first');
    return open(config, env);
  };
  await user.ask(familyCalls.sftp.validate, draftOf(sftpInfo));
  const { userLinkId } = await user.ask(familyCalls.sftp.add, draftOf(sftpInfo));
  const facts = async () => {
    const rows = await services.database.db.selectFrom('link_fact').selectAll().where('linkId', '=', userLinkId).execute();
    return rows.map(({ fact, value }) => `${fact} ${value}`);
  };
  assert.deepEqual(await facts(), ['hostKey SHA256:first']);
  assert.equal((await rowsOf(user))[0]?.state, 'ok');
  await user.ask(familyCalls.sftp.update, draftOf({ ...sftpInfo, server: 'other.example' }, { userLinkId, continueAnyway: true }));
  assert.deepEqual(await facts(), [], 'nothing known about one server holds for another');
});

test('a check of a link that is to lead to another server ignores what is known of the old one', async (t) => {
  const { user, source } = await linkApp(t);
  const { open } = source.definition;
  const recalled: (string | undefined)[] = [];
  source.definition.open = async (config, env) => {
    recalled.push(await env.recall('hostKey'));
    await env.remember('hostKey', 'SHA256:first');
    return open(config, env);
  };
  await user.ask(familyCalls.sftp.validate, draftOf(sftpInfo));
  const { userLinkId } = await user.ask(familyCalls.sftp.add, draftOf(sftpInfo));
  await user.ask(familyCalls.sftp.validate, draftOf({ ...sftpInfo, path: '/films' }, { userLinkId }));
  await user.ask(familyCalls.sftp.validate, draftOf({ ...sftpInfo, server: 'other.example' }, { userLinkId }));
  assert.deepEqual(recalled, [undefined, 'SHA256:first', undefined]);
});

test('a private-network server is saved without asking [SFTP-17]', async (t) => {
  const { user, source } = await linkApp(t);
  await user.ask(familyCalls.sftp.add, draftOf({ ...sftpInfo, accessType: 'Private network' }));
  assert.equal(source.counts.opened, 0);
});
