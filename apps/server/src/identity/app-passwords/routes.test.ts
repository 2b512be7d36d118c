import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { type AppError, addSshKey, createAppPassword, deleteAppPassword, listAppPasswords, prove, setPassword } from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import { testApp } from '#/testing/app.ts';
import { addSftp, linkApp } from '#/testing/links.ts';
import { mailsTo } from '#/testing/outbox.ts';
import { createEnds } from './ends.ts';

const device = { address: '192.0.2.7', usedBy: 'a test, WebDAV' };
const isCode = (code: string) => (error: AppError) => error.messageCode === code;

test('an app password is shown once, signs programs in within the chosen limits, and its last use is listed', async (t) => {
  let time = 1_800_000_000;
  const app = await linkApp(t, { now: () => time });
  const { user, services } = app;
  const { linkUri } = await addSftp(user, 'NAS');
  const made = await user.ask(createAppPassword, { name: ' Laptop ', linkUri: [linkUri], rights: 'read', expires: time + 86_400 });
  assert.match(made.username, /^mara-[a-z2-9]{6}$/);
  assert.match(made.password, /^(?:[a-z2-9]{5}-){4}[a-z2-9]{5}$/);
  assert.match(made.accessKeyId, /^SHF[A-Z2-9]{13}$/);
  assert.match(made.secretAccessKey, /^[\w-]{40}$/);

  const program = await services.appPasswords.signIn(made.username, made.password, device);
  assert.deepEqual([program.accountId, program.folders, program.rights], [user.userId, [linkUri], 'read']);
  const { secretAccessKey } = await services.appPasswords.signedBy(made.accessKeyId, (key) => key === made.secretAccessKey, device);
  assert.equal(secretAccessKey, made.secretAccessKey);
  await assert.rejects(services.appPasswords.signIn(made.username, made.secretAccessKey, device), isCode('INVALID_CREDENTIALS'));
  await assert.rejects(
    services.appPasswords.signedBy(made.accessKeyId, (key) => key === made.password, device),
    isCode('INVALID_CREDENTIALS'),
  );
  assert.equal(
    (await user.refusal(createAppPassword, { name: 'x', rights: 'write', linkUri: ['/unknown'] })).messageCode,
    'INVALID_LINK_URI',
  );

  const answer = await user.send(listAppPasswords, {});
  for (const secret of [made.password, made.secretAccessKey]) assert.ok(!answer.body.includes(secret) && !app.log().includes(secret));
  const [listed] = (await user.ask(listAppPasswords, {})).appPasswords;
  assert.deepEqual(listed, { ...made.appPassword, lastUsedAt: time, lastUsedBy: 'a test, WebDAV' });
  assert.equal(made.appPassword.name, 'Laptop');
  const stranger = await app.signUp();
  assert.deepEqual((await stranger.ask(listAppPasswords, {})).appPasswords, []);
  await stranger.ask(deleteAppPassword, { appPasswordId: made.appPassword.appPasswordId });

  time += 86_400;
  await services.appPasswords.recheck();
  assert.ok(program.ended.aborted);
  await assert.rejects(services.appPasswords.signIn(made.username, made.password, device), isCode('INVALID_CREDENTIALS'));
});

test('an app password needs a fresh proof, is mailed about, and a command-line client cannot make one', async (t) => {
  let time = 1_800_000_000;
  const app = await testApp(t, { now: () => time });
  const mara = await app.signUp();
  await mara.ask(createAppPassword, { name: 'Phone', linkUri: [], rights: 'write' });
  assert.ok((await mailsTo(app, mara.email)).some((mail) => mail.includes('The app password Phone was created')));
  time += 601;
  assert.equal((await mara.refusal(createAppPassword, { name: 'NAS', rights: 'write' })).messageCode, 'PROOF_NEEDED');
  await mara.ask(prove, { password: mara.password });
  await mara.ask(createAppPassword, { name: 'NAS', linkUri: [], rights: 'write' });
  for (const input of [{ rights: 'write' as const }, { name: ' ', rights: 'write' as const }, { name: 'x' }])
    assert.equal((await mara.refusal(createAppPassword, input)).messageCode, 'MISSING_PARAMETER');
  assert.equal((await mara.refusal(createAppPassword, { name: 'x', rights: 'write', expires: time })).messageCode, 'INVALID_PARAMETER');
});

/** A public key as a .pub file has it. */
function newKey(): string {
  const raw = Buffer.from(generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  const fields = [Buffer.from('ssh-ed25519'), raw].map((field) => Buffer.concat([Buffer.of(0, 0, 0, field.length), field]));
  return `ssh-ed25519 ${Buffer.concat(fields).toString('base64')} mara@laptop\n`;
}

test('an SSH key needs a fresh proof, is mailed about with its fingerprint, and opens nothing by password', async (t) => {
  let time = 1_800_000_000;
  const app = await testApp(t, { now: () => time });
  const mara = await app.signUp();
  const publicKey = newKey();
  const { appPassword: key } = await mara.ask(addSshKey, {
    name: 'Laptop',
    publicKey,
    linkUri: [],
    rights: 'read',
    expires: time + 86_400,
  });
  assert.match(key.sshKey?.fingerprint ?? '', /^SHA256:[A-Za-z0-9+/]{43}$/);
  assert.deepEqual([key.name, key.rights, key.expires, key.accessKeyId], ['Laptop', 'read', time + 86_400, undefined]);
  const mail = (await mailsTo(app, mara.email)).find((one) => one.includes('The SSH key Laptop'));
  assert.ok(mail?.replaceAll(/=?\r?\n/g, '').includes(key.sshKey?.fingerprint ?? ''));
  assert.deepEqual((await mara.ask(listAppPasswords, {})).appPasswords, [key]);

  const line = publicKey.split(' ').slice(0, 2).join(' ');
  const { appPasswords } = app.services;
  const { accountId, rights, ended } = await appPasswords.signInWithKey(key.username, line, device);
  assert.deepEqual([accountId, rights], [mara.userId, 'read']);
  for (const password of ['', line, publicKey])
    await assert.rejects(appPasswords.signIn(key.username, password, device), isCode('INVALID_CREDENTIALS'));
  const made = await mara.ask(createAppPassword, { name: 'Phone', linkUri: [], rights: 'write' });
  for (const [username, sent] of [
    [made.username, line],
    [key.username, newKey().split(' ').slice(0, 2).join(' ')],
    ['nobody', line],
  ] as const)
    await assert.rejects(appPasswords.signInWithKey(username, sent, device), isCode('INVALID_CREDENTIALS'));

  // The user name decides, so that nobody learns that somebody else has added the key.
  const noor = await app.signUp();
  const { appPassword: second } = await noor.ask(addSshKey, { name: 'Laptop', publicKey, linkUri: [], rights: 'write' });
  assert.equal((await appPasswords.signInWithKey(second.username, line, device)).accountId, noor.userId);
  await noor.ask(deleteAppPassword, { appPasswordId: key.appPasswordId });
  assert.ok(!ended.aborted);
  await mara.ask(deleteAppPassword, { appPasswordId: key.appPasswordId });
  assert.ok(ended.aborted);
  await assert.rejects(appPasswords.signInWithKey(key.username, line, device), isCode('INVALID_CREDENTIALS'));
  await appPasswords.revokeAll(noor.userId);
  await assert.rejects(appPasswords.signInWithKey(second.username, line, device), isCode('INVALID_CREDENTIALS'));
  time += 601;
  assert.equal((await mara.refusal(addSshKey, { name: 'x', publicKey, linkUri: [], rights: 'write' })).messageCode, 'PROOF_NEEDED');
});

test('a private key that is pasted by mistake is neither stored nor logged', async (t) => {
  const app = await testApp(t);
  const mara = await app.signUp();
  const body = Buffer.from('openssh-key-v1\0secret').toString('base64');
  const publicKey = `-----BEGIN OPENSSH PRIVATE KEY-----\n${body}\n-----END OPENSSH PRIVATE KEY-----\n`;
  for (const text of [publicKey, body])
    assert.equal(
      (await mara.refusal(addSshKey, { name: 'x', publicKey: text, linkUri: [], rights: 'write' })).messageCode,
      'SSH_KEY_PRIVATE',
    );
  assert.equal(
    (await mara.refusal(addSshKey, { name: 'x', publicKey: 'x', linkUri: [], rights: 'write' })).messageCode,
    'SSH_KEY_UNREADABLE',
  );
  assert.equal(
    (await mara.refusal(addSshKey, { name: 'x', publicKey: `${body}${'A'.repeat(20_000)}`, rights: 'write' })).messageCode,
    'INVALID_PARAMETER',
  );
  assert.ok(!app.log().includes(body));
  assert.deepEqual((await mara.ask(listAppPasswords, {})).appPasswords, []);
});

test('connections with wrong keys are limited by user name and network, and the right key is never refused for them', async (t) => {
  const app = await testApp(t);
  const mara = await app.signUp();
  const publicKey = newKey();
  const { appPassword: key } = await mara.ask(addSshKey, { name: 'x', publicKey, linkUri: [], rights: 'write' });
  const { appPasswords } = app.services;
  for (let tries = 0; tries < 12; tries++) await appPasswords.countFailure(key.username, device.address);
  await assert.rejects(appPasswords.signIn(key.username, 'wrong', device), isCode('TOO_MANY_TRIES'));
  await appPasswords.signInWithKey(key.username, publicKey.split(' ').slice(0, 2).join(' '), device);
});

test('a revoked app password ends at once, and running work with it, on every instance', async (t) => {
  const app = await testApp(t);
  const mara = await app.signUp();
  const other = await app.secondInstance();
  const make = () => mara.ask(createAppPassword, { name: 'Phone', linkUri: [], rights: 'write' });
  const made = await make();
  const here = await app.services.appPasswords.signIn(made.username, made.password, device);
  const there = await other.appPasswords.signIn(made.username, made.password, device);
  assert.ok(!here.ended.aborted && !there.ended.aborted);
  await mara.ask(deleteAppPassword, { appPasswordId: made.appPassword.appPasswordId });
  assert.ok(here.ended.aborted);
  await assert.rejects(app.services.appPasswords.signIn(made.username, made.password, device), isCode('INVALID_CREDENTIALS'));
  // SQLite sends no notifications between processes, so that the test calls what they would.
  if (app.config.databaseUrl === '') await other.appPasswords.recheck(mara.userId);
  await eventually(() => there.ended.aborted, 'the other instance has heard');
  await assert.rejects(other.appPasswords.signIn(made.username, made.password, device), isCode('INVALID_CREDENTIALS'));

  const second = await make();
  await mara.ask(setPassword, { newPassword: 'a password of mine', keepAuthCodes: true });
  await app.services.appPasswords.signIn(second.username, second.password, device);
  await mara.ask(setPassword, { newPassword: 'another password of mine' });
  await assert.rejects(app.services.appPasswords.signIn(second.username, second.password, device), isCode('INVALID_CREDENTIALS'));
});

test('guesses are limited by user name and network, and the right password is never refused for them', async (t) => {
  const app = await testApp(t);
  const mara = await app.signUp();
  const made = await mara.ask(createAppPassword, { name: 'Phone', linkUri: [], rights: 'write' });
  const { appPasswords } = app.services;
  const outcomes: string[] = [];
  for (let tries = 0; tries < 12; tries++)
    await appPasswords.signIn(made.username, 'wrong', device).catch((error: AppError) => outcomes.push(error.messageCode));
  assert.deepEqual(outcomes, [...Array.from({ length: 10 }, () => 'INVALID_CREDENTIALS'), 'TOO_MANY_TRIES', 'TOO_MANY_TRIES']);
  await appPasswords.signIn(made.username, made.password, device);
  await assert.rejects(appPasswords.signIn(made.username, 'wrong', device), isCode('TOO_MANY_TRIES'));

  // A program whose password was revoked tries again and again, in the network of all others.
  for (let tries = 0; tries < 310; tries++) await appPasswords.signIn(`gone-${tries}`, 'wrong', device).catch(() => undefined);
  await assert.rejects(appPasswords.signIn('gone', 'wrong', device), isCode('TOO_MANY_TRIES'));
  const second = await mara.ask(createAppPassword, { name: 'NAS', linkUri: [], rights: 'write' });
  await appPasswords.signIn(second.username, second.password, device);
  await appPasswords.signedBy(second.accessKeyId, (key) => key === second.secretAccessKey, device);
});

test('an app password that expires ends running work', async (t) => {
  const app = await testApp(t);
  const mara = await app.signUp();
  const { appPasswords, now } = app.services;
  const made = await mara.ask(createAppPassword, { name: 'Phone', linkUri: [], rights: 'read', expires: now() + 2 });
  const { ended } = await appPasswords.signIn(made.username, made.password, device);
  assert.ok(!ended.aborted);
  await eventually(() => ended.aborted, 'it has ended by itself');
});

test('work ends when its password is no longer followed', () => {
  const ends = createEnds(() => 0, 2);
  const [first, second, third] = ['a', 'b', 'c'].map((id) => ends.signalOf(id, 'mara', null));
  assert.deepEqual([first?.aborted, second?.aborted, third?.aborted], [true, false, false]);
  assert.deepEqual(ends.ids('mara'), ['b', 'c']);
});

test("keys of app passwords are sealed anew with the vault's newest key", async (t) => {
  const app = await testApp(t);
  const mara = await app.signUp();
  const made = await mara.ask(createAppPassword, { name: 'Phone', linkUri: [], rights: 'write' });
  assert.deepEqual(await app.services.appPasswords.reseal(), { sealed: 0, unreadable: 0 });
  const newKey = Buffer.alloc(32, 7).toString('base64');
  const { masterKeys } = await import('#/secrets/master-key.ts');
  const { createVault } = await import('#/secrets/vault.ts');
  const { createAppPasswords } = await import('./service.ts');
  const { createAppPasswordStore } = await import('./store.ts');
  const vault = createVault(Buffer.from(newKey, 'base64'), [(await masterKeys(app.config)).current]);
  const { db, accounts, throttle, newId, now } = app.services;
  const renewed = createAppPasswords({ store: createAppPasswordStore(db), accounts, vault, throttle, newId, now });
  assert.deepEqual(await renewed.reseal(), { sealed: 1, unreadable: 0 });
  await renewed.signedBy(made.accessKeyId, (key) => key === made.secretAccessKey, device);
});
