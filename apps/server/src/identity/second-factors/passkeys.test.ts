import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addPasskey,
  beginPasskey,
  emailLogin,
  getSession,
  isSession,
  listAudit,
  passkeyLogin,
  passkeyOptions,
  proofOptions,
  prove,
  removePassword,
  removePasskey,
  removeTotp,
  renamePasskey,
  secondFactor,
  signInWays,
} from '@sheaf/contract';
import type { User } from '#/testing/app.ts';
import { device, stage, ticketOf, withApp, withPasskey } from '#/testing/second-factors.ts';

test('a passkey is created, named, used as the second factor, and its last use is recorded', async (t) => {
  const stand = await stage(t);
  const mara = await stand.signUp();
  const key = device(false);
  await withPasskey(mara, 'Key ring', key);
  const browser = stand.visitor();
  const { ticket, kinds } = await ticketOf(browser, mara);
  assert.deepEqual(kinds, ['passkey', 'recovery']);
  const { options } = await browser.ask(passkeyOptions, { ticket });
  stand.time += 5;
  assert.ok(isSession(await browser.ask(secondFactor, { ticket, assertion: key.get(options) })));
  const [passkey] = (await mara.ask(signInWays, {})).passkeys;
  assert.deepEqual([passkey?.name, passkey?.signsIn, passkey?.lastUsedAt], ['Key ring', false, stand.time]);
  await mara.ask(renamePasskey, { passkeyId: passkey?.passkeyId ?? '', name: ' Blue key ' });
  assert.equal((await mara.ask(signInWays, {})).passkeys[0]?.name, 'Blue key');
});

test('a passkey that verifies its user signs in without a password; one that does not is refused', async (t) => {
  const stand = await stage(t);
  const mara = await stand.signUp();
  const [phone, key] = [await withPasskey(mara, 'Phone'), await withPasskey(mara, 'Key', device(false))];
  const browser = stand.visitor();
  const ask = async (): Promise<string> => (await browser.ask(passkeyOptions, {})).options;
  const options = JSON.parse(await ask()) as { allowCredentials?: unknown; userVerification: string };
  assert.deepEqual([options.allowCredentials, options.userVerification], [undefined, 'required']);
  assert.equal((await browser.refusal(passkeyLogin, { assertion: key.get(await ask()) })).messageCode, 'PASSKEY_REFUSED');
  assert.ok(isSession(await browser.ask(passkeyLogin, { assertion: phone.get(await ask()) })));
  assert.equal((await browser.ask(getSession, {})).loginAccount, mara.email);
});

test('a passkey of another origin, party, challenge, account or counter is refused', async (t) => {
  const stand = await stage(t);
  const [mara, eve] = [await stand.signUp(), await stand.signUp()];
  const phone = await withPasskey(mara, 'Phone');
  const eves = await withPasskey(eve, 'Phone');
  const browser = stand.visitor();
  const ask = async (ticket?: string): Promise<string> =>
    (await browser.ask(passkeyOptions, ticket === undefined ? {} : { ticket })).options;
  const refused = async (assertion: string, what: string): Promise<void> => {
    assert.equal((await browser.refusal(passkeyLogin, { assertion })).messageCode, 'PASSKEY_REFUSED', what);
    assert.equal(browser.cookies.has('sid'), false, what);
  };
  await refused(phone.get(await ask(), { from: 'https://sheaf.example.evil.test' }), 'origin');
  await refused(phone.get(await ask(), { party: 'evil.test' }), 'party');
  await refused(phone.get(JSON.stringify({ challenge: 'c29tZXRoaW5nIGVsc2U' })), 'challenge');
  await refused(device().get(await ask()), 'unknown passkey');
  for (const nonsense of ['', '{', 'null', '{"response":{},"clientExtensionResults":{}}', '[1]']) await refused(nonsense, nonsense);
  const once = phone.get(await ask());
  const replay = await browser.ask(passkeyLogin, { assertion: once });
  assert.ok(isSession(replay));
  browser.cookies.clear();
  await refused(once, 'replayed');
  const late = phone.get(await ask());
  stand.time += 601;
  await refused(late, 'late');
  phone.rewind();
  await refused(phone.get(await ask()), 'counter of a copy');

  const { ticket } = await ticketOf(browser, mara);
  const forMara = await ask(ticket);
  const refusal = await browser.refusal(secondFactor, { ticket, assertion: eves.get(forMara) });
  assert.equal(refusal.messageCode, 'PASSKEY_REFUSED', 'of another account');
  await refused(eves.get(await ask((await ticketOf(browser, eve)).ticket)), 'a challenge of a second step');
  const proof = (await eve.ask(proofOptions, {})).options;
  assert.equal((await mara.refusal(prove, { assertion: phone.get(proof) })).messageCode, 'PASSKEY_REFUSED', "another's proof");
});

test('an attestation for another origin or account, or a repeated one, creates no passkey', async (t) => {
  const stand = await stage(t);
  const [mara, eve] = [await stand.signUp(), await stand.signUp()];
  const add = async (user: User, attestation: string): Promise<string> =>
    (await user.refusal(addPasskey, { name: 'Phone', attestation })).messageCode;
  const begin = async (user: User): Promise<string> => (await user.ask(beginPasskey, {})).options;
  assert.equal(await add(mara, device().create(await begin(mara), 'https://evil.test')), 'PASSKEY_REFUSED');
  assert.equal(await add(eve, device().create(await begin(mara))), 'PASSKEY_REFUSED');
  const made = device().create(await begin(mara));
  await mara.ask(addPasskey, { name: 'Phone', attestation: made });
  assert.equal(await add(mara, made), 'PASSKEY_REFUSED');
  assert.equal((await mara.ask(signInWays, {})).passkeys.length, 1);
});

test('without a host name or https there are no passkeys, and the answer says so', async (t) => {
  const table: readonly (readonly [address: string, can: boolean])[] = [
    ['http://127.0.0.1:8180', false],
    ['http://[::1]:8180', false],
    ['https://192.0.2.7', false],
    ['http://sheaf.example', false],
    ['http://localhost:8180', true],
    ['https://sheaf.example', true],
  ];
  for (const [address, can] of table) {
    const stand = await stage(t, { SHEAF_PUBLIC_URL: address });
    const mara = await stand.signUp();
    assert.equal((await mara.ask(signInWays, {})).canPasskey, can, address);
    if (!can) assert.equal((await mara.refusal(beginPasskey, {})).messageCode, 'NO_PASSKEYS_HERE', address);
  }
});

test('without second factors the password is enough again, the recovery codes are deleted, and the log records all of it', async (t) => {
  const stand = await stage(t);
  const mara = await stand.signUp();
  await withApp(stand, mara);
  await withPasskey(mara, 'Phone');
  await mara.ask(removeTotp, {});
  assert.equal((await mara.ask(signInWays, {})).recoveryCodesLeft, 10, 'the passkey is still there');
  const [{ passkeyId } = { passkeyId: '' }] = (await mara.ask(signInWays, {})).passkeys;
  await mara.ask(removePasskey, { passkeyId });
  assert.equal((await mara.ask(signInWays, {})).recoveryCodesLeft, 0);
  assert.ok(isSession(await stand.visitor().ask(emailLogin, mara)));
  const { entries } = await mara.ask(listAudit, { limit: 50 });
  assert.deepEqual(
    entries.map(({ action, name }) => [action, name]),
    [
      ['account.factorRemoved', 'Phone'],
      ['account.factorRemoved', 'an authenticator app'],
      ['account.factorAdded', 'Phone'],
      ['account.factorAdded', 'an authenticator app'],
    ],
  );
});

test("nobody changes another user's passkey, and the only way to sign in cannot be removed", async (t) => {
  const stand = await stage(t);
  const [mara, eve] = [await stand.signUp(), await stand.signUp()];
  assert.equal((await mara.refusal(removePassword, {})).messageCode, 'LAST_WAY_IN');
  await withPasskey(mara, 'Phone');
  const [{ passkeyId } = { passkeyId: '' }] = (await mara.ask(signInWays, {})).passkeys;
  await eve.ask(removePasskey, { passkeyId });
  await eve.ask(renamePasskey, { passkeyId, name: 'mine' });
  assert.deepEqual(
    (await mara.ask(signInWays, {})).passkeys.map(({ name }) => name),
    ['Phone'],
  );
  const removals = await Promise.all([mara.send(removePassword, {}), mara.send(removePasskey, { passkeyId })]);
  assert.deepEqual(new Set(removals.map(({ statusCode }) => statusCode)), new Set([200, 409]), 'one way is left');
});
