import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createAuthCode,
  exportLinks,
  exportRclone,
  familyCalls,
  importRemote,
  listAudit,
  makeToken,
  prove,
  readRclone,
} from '@sheaf/contract';
import { run } from '@sheaf/testbed';
import { addSftp, draftOf, ftpInfo, linkApp, rowsOf, sftpInfo } from '#/testing/links.ts';
import { codeAt, stage, withApp } from '#/testing/second-factors.ts';
import { obscure, reveal } from './obscure.ts';

const conf = (...sections: string[]): string => sections.join('\n\n');
const nas = (password = 'nas secret'): string => `[nas]\ntype = sftp\nhost = nas.example\nuser = mara\npass = ${obscure(password)}`;

test('passwords are obscured as rclone does it, and revealed again', async () => {
  assert.equal((await run('rclone', ['reveal', '--', obscure('pässword`"\\')])).trim(), 'pässword`"\\');
  assert.equal(reveal((await run('rclone', ['obscure', 'a secret'])).trim()), 'a secret');
  assert.equal(reveal('in plain text!'), undefined);
  assert.equal(reveal('short'), undefined);
});

test('the settings of all links are exported as a JSON file without any secret', async (t) => {
  const { user } = await linkApp(t);
  await addSftp(user, 'NAS');
  const answer = await user.send(exportLinks, {});
  assert.equal(answer.headers['content-disposition'], 'attachment; filename="sheaf-links.json"');
  const file = answer.json<{ format: string; version: number; links: { name: string; provider: string; settings: object }[] }>();
  assert.deepEqual([file.format, file.version, file.links.length], ['sheaf-links', 1, 1]);
  const { password, ...open } = sftpInfo;
  assert.deepEqual(file.links[0]?.settings, open);
  assert.ok(!answer.body.includes(password));
  assert.equal((await user.ask(listAudit, { limit: 1 })).entries[0]?.sentence, 'exported the settings of all links');
});

test('secrets are exported for the right password only, not to tokens, and only for so many attempts', async (t) => {
  let time = 1_800_000_000;
  const { user, visitor } = await linkApp(t, { now: () => time });
  await addSftp(user, 'NAS');
  assert.equal((await visitor().refusal(exportRclone, { password: user.password })).messageCode, 'INVALID_SESSION');
  assert.equal((await user.refusal(exportRclone, { password: user.password, rTag: 'wrong' })).messageCode, 'INVALID_SESSION');
  const { authCode } = await user.ask(createAuthCode, { name: 'Laptop' });
  const { token } = await visitor().ask(makeToken, { authCode });
  const byToken = await visitor().inject({
    method: 'POST',
    url: exportRclone.path,
    payload: { password: user.password },
    headers: { authorization: `Bearer ${token}` },
  });
  assert.equal(byToken.statusCode, 401);
  for (let count = 0; count < 5; count++) {
    assert.equal((await user.refusal(exportRclone, { password: 'wrong' })).messageCode, 'INVALID_CREDENTIALS');
  }
  assert.equal((await user.refusal(exportRclone, { password: user.password })).messageCode, 'TOO_MANY_TRIES');
  time += 901;
  assert.equal((await user.send(exportRclone, { password: user.password })).statusCode, 200);
  const taken = (await user.ask(listAudit, { limit: 50 })).entries.filter(({ action }) => action === 'account.exportSecrets');
  assert.equal(taken.length, 1);
});

test('an account with a second factor must confirm it before secrets are exported', async (t) => {
  const stand = await stage(t);
  const mara = await stand.signUp();
  const { secret } = await withApp(stand, mara);
  stand.time += 601;
  assert.equal((await mara.refusal(exportRclone, { password: mara.password })).messageCode, 'PROOF_NEEDED');
  assert.equal((await mara.refusal(prove, { password: mara.password })).messageCode, 'SECOND_STEP_NEEDED');
  await mara.ask(prove, { code: codeAt(secret, stand.time) });
  assert.equal((await mara.refusal(exportRclone, { password: 'wrong' })).messageCode, 'INVALID_CREDENTIALS');
  assert.equal((await mara.send(exportRclone, { password: mara.password })).statusCode, 200);
});

test('a link cannot write options of its own into the file, and what rclone cannot reach is said in it', async (t) => {
  const { user } = await linkApp(t);
  await addSftp(user, 'NAS', { username: 'mara\nproxy_command = touch /tmp/x' });
  await user.ask(familyCalls.ftp.add, draftOf({ ...ftpInfo, username: '`back"tick' }, { linkName: 'FTP [1]' }));
  await user.ask(familyCalls.ofs.add, draftOf({ server: 'files.example', username: 'm', password: 'p' }, { linkName: 'Files' }));
  const { body } = await user.send(exportRclone, { password: user.password });
  assert.ok(!/^proxy_command/m.test(body));
  assert.match(body, /^# {3}SFTP "NAS": a setting holds a line break\.$/m);
  assert.match(body, /^# {3}Sheaf File Server "Files": rclone has no such storage\.$/m);
  assert.match(body, /^\[FTP _1_ account\]\ntype = ftp$/m);
  assert.match(body, /^user = ``back"tick`$/m);
});

test('every remote of a file is reported as ready, as needing a bucket or a sign-in, or as unsupported with the reason', async (t) => {
  const { user } = await linkApp(t);
  await addSftp(user, 'nas');
  const config = conf(
    '# a comment\n; another',
    nas(),
    '[buckets]\ntype = s3\nprovider = Wasabi\naccess_key_id = A\nsecret_access_key = S\nendpoint = s3.wasabisys.com',
    '[photos]\ntype = alias\nremote = buckets:photos/',
    '[inner]\ntype = alias\nremote = buckets:photos/2024',
    '[drive]\ntype = drive\ntoken = {"access_token":"secret"}',
    '[secret]\ntype = crypt\nremote = nas:secret',
    '[odd]\ntype = hdfs',
    '[plain]\ntype = ftp\nhost = h\nuser = u\npass = not obscured!',
    '[agent]\ntype = sftp\nhost = h\nuser = u\nkey_file = ~/.ssh/id_ed25519',
    '[constructor]\nprovider = none',
  );
  const { remotes } = await user.ask(readRclone, { config });
  const seen = Object.fromEntries(remotes.map(({ remote, state, title, note }) => [remote, [state, title, note]]));
  const { noteCode, noteDetails } = remotes.find(({ remote }) => remote === 'odd') ?? {};
  assert.deepEqual([noteCode, noteDetails], ['REMOTE_TYPE_UNKNOWN', { type: 'hdfs' }]);
  assert.deepEqual(seen, {
    nas: ['ready', 'SFTP', undefined],
    buckets: ['bucket', 'Wasabi', undefined],
    photos: ['ready', 'Wasabi', undefined],
    inner: ['unsupported', 'alias', 'It begins in a folder of a bucket. Sheaf links whole buckets.'],
    drive: ['authorize', 'Google Drive', undefined],
    secret: ['unsupported', 'crypt', 'It wraps another remote: Sheaf links the storage itself.'],
    odd: ['unsupported', 'hdfs', 'Sheaf has no storage of the type "hdfs".'],
    plain: ['unsupported', 'ftp', 'Its password is not in the form that rclone writes.'],
    agent: ['unsupported', 'sftp', 'Its key is a file on your computer: link it by hand and paste the key.'],
    constructor: ['unsupported', '', 'It says no type.'],
  });
  assert.equal(remotes[0]?.linkName, 'nas 2');
  assert.equal(remotes[1]?.isBase, true);
  assert.ok(!JSON.stringify(remotes).includes('access_token'));
});

test('names such as constructor and __proto__ in a file are ordinary text', async (t) => {
  const { user } = await linkApp(t);
  const keys = 'access_key_id = A\nsecret_access_key = S';
  const words = ['constructor', '__proto__', 'toString'];
  const config = conf(
    ...words.map((word) => `[${word}]\ntype = ${word}`),
    `[s3]\ntype = s3\nprovider = constructor\nstorage_class = constructor\n${keys}`,
  );
  const { remotes } = await user.ask(readRclone, { config });
  assert.deepEqual(
    remotes.map(({ remote, state, title, provider, note }) => [remote, state, title, provider, note]),
    [
      ...words.map((word) => [word, 'unsupported', word, undefined, `Sheaf has no storage of the type "${word}".`]),
      ['s3', 'bucket', 'Amazon S3', 'S3', undefined],
    ],
  );
  await user.ask(importRemote, { config, remote: 's3', bucketName: 'photos' });
});

test('a file of nothing but line breaks, or an address of nothing but slashes, is read in linear time', async (t) => {
  const { user } = await linkApp(t);
  const lines = await user.ask(readRclone, { config: `${nas()}${'\n'.repeat(199_000)}` });
  assert.deepEqual(
    lines.remotes.map(({ state }) => state),
    ['ready'],
  );
  const slashes = await user.ask(readRclone, { config: `[dav]\ntype = webdav\nurl = https://dav.example${'/'.repeat(190_000)}x` });
  assert.deepEqual(
    slashes.remotes.map(({ state }) => state),
    ['ready'],
  );
});

test('a file that cannot be read is refused with words that help', async (t) => {
  const { user, visitor } = await linkApp(t);
  const refused = async (config: string) => (await user.refusal(readRclone, { config })).messageCode;
  assert.equal(await refused('# Encrypted rclone configuration File\n\nRCLONE_ENCRYPT_V0:\nabc'), 'RCLONE_ENCRYPTED');
  assert.equal(await refused('RCLONE_ENCRYPT_V0:\nabc'), 'RCLONE_ENCRYPTED');
  assert.equal(await refused('hello there'), 'RCLONE_UNREADABLE');
  assert.equal(await refused(''), 'RCLONE_UNREADABLE');
  assert.equal(await refused(`[a]\n# ${'x'.repeat(200_000)}`), 'RCLONE_TOO_LARGE');
  assert.equal(await refused(Array.from({ length: 501 }, (_, index) => `[r${index}]\ntype = ftp`).join('\n')), 'RCLONE_TOO_LARGE');
  assert.equal((await visitor().refusal(readRclone, { config: nas() })).messageCode, 'INVALID_SESSION');
});

test('a remote is linked once it answers; one that does not is linked unchecked if the user insists', async (t) => {
  const { user, refuse } = await linkApp(t);
  const config = conf(nas(), '[s3]\ntype = s3\nprovider = AWS\naccess_key_id = A\nsecret_access_key = S', '[drive]\ntype = drive');
  refuse('unreachable');
  assert.equal((await user.refusal(importRemote, { config, remote: 'nas' })).messageCode, 'CANNOT_CONNECT');
  assert.deepEqual(await rowsOf(user), []);
  await user.ask(importRemote, { config, remote: 'nas', continueAnyway: true });
  refuse();
  assert.equal((await user.refusal(importRemote, { config, remote: 's3' })).messageCode, 'MISSING_PARAMETER');
  await user.ask(importRemote, { config, remote: 's3', bucketName: 'photos', linkName: 'nas' });
  assert.deepEqual((await rowsOf(user)).map(({ name, state, provider }) => `${name}: ${state}, ${provider}`).toSorted(), [
    'nas 2: ok, S3',
    'nas: unknown, SFTP',
  ]);
  const drive = await user.refusal(importRemote, { config, remote: 'drive' });
  assert.equal(drive.message, '"drive" cannot be linked. It must be linked by signing in at its provider.');
  assert.equal((await user.refusal(importRemote, { config, remote: 'none' })).messageCode, 'REMOTE_UNSUPPORTED');
});
