import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  forgotPassword,
  removePassword,
  removePasskey,
  removeTotp,
  renewRecoveryCodes,
  resetPassword,
  setPassword,
  signInWays,
} from '@sheaf/contract';
import { startSmtp } from '@sheaf/testbed';
import { createBackground } from '#/platform/background.ts';
import { createLog } from '#/platform/log.ts';
import { mailedToken, newSubjects } from '#/testing/outbox.ts';
import { stage, withApp, withPasskey } from '#/testing/second-factors.ts';
import { createAlerts } from './alerts.ts';

const newPassword = 'another battery staple';

async function setting(t: TestContext) {
  const stand = await stage(t);
  const user = await stand.signUp();
  return { stand, user, subjects: await newSubjects(stand, user.email) };
}

test('adding or removing a second factor and renewing recovery codes each send one mail', async (t) => {
  const { stand, user, subjects } = await setting(t);
  await withApp(stand, user);
  assert.deepEqual(await subjects(), ['An authenticator app was added to your Sheaf account']);
  await withPasskey(user, 'Phone');
  assert.deepEqual(await subjects(), ['The passkey Phone was added to your Sheaf account']);
  await user.ask(renewRecoveryCodes, {});
  assert.deepEqual(await subjects(), ['New recovery codes for Sheaf were created']);
  await user.ask(removeTotp, {});
  assert.deepEqual(await subjects(), ['An authenticator app was removed from your Sheaf account']);
  const [{ passkeyId } = { passkeyId: '' }] = (await user.ask(signInWays, {})).passkeys;
  await user.ask(removePasskey, { passkeyId });
  assert.deepEqual(await subjects(), ['The passkey Phone was removed from your Sheaf account']);
});

test('no mail is sent for removing something that did not exist, or for a refused change', async (t) => {
  const { user, subjects } = await setting(t);
  await user.ask(removeTotp, {});
  await user.ask(removePasskey, { passkeyId: 'none' });
  await user.refusal(renewRecoveryCodes, {});
  await user.refusal(removePassword, {});
  await user.refusal(setPassword, { newPassword: 'short' });
  assert.deepEqual(await subjects(), []);
});

test('setting a password, resetting it by a mailed link and removing it each send a mail', async (t) => {
  const { stand, user, subjects } = await setting(t);
  await stand.services.accounts.markVerified({ id: user.userId, email: user.email });
  await user.ask(setPassword, { newPassword });
  assert.deepEqual(await subjects(), ['Your password for Sheaf was changed']);
  await withPasskey(user, 'Phone');
  await user.ask(removePassword, {});
  assert.deepEqual(await subjects(), ['The passkey Phone was added to your Sheaf account', 'Your password for Sheaf was removed']);
  await stand.visitor().ask(forgotPassword, { email: user.email });
  await subjects();
  const token = await mailedToken(stand, user.email, '/login/reset');
  await stand.visitor().ask(resetPassword, { token, password: newPassword });
  assert.deepEqual(await subjects(), ['Your password for Sheaf was changed']);
});

test('the mail says when and from where, what to do if it was somebody else, and goes through the mail server', async (t) => {
  const smtp = await startSmtp();
  t.after(() => smtp.stop());
  const stand = await stage(t, { SHEAF_PUBLIC_URL: 'https://sheaf.example', SHEAF_SMTP_URL: smtp.url });
  const user = await stand.signUp('mara@example.org');
  await user.inject({
    method: 'POST',
    url: setPassword.path,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    },
    payload: new URLSearchParams({ newPassword, rTag: user.cookies.get('sh') ?? '' }).toString(),
  });
  await stand.services.background.idle();
  const source = smtp.mails.findLast((mail) => mail.source.includes('Your password for Sheaf was changed'))?.source ?? '';
  const text = source.replaceAll(/=\r\n/g, '').replaceAll('\r\n', '\n');
  assert.match(text, /This was done on 15 January 2027 at 08:00 UTC, from Firefox on Linux \(127\.0\.0\.1\)\./);
  assert.match(text, /https:\/\/sheaf\.example\/account\/profile/);
  assert.match(text, /If it was not, set a new password/);
  assert.ok(!text.includes(newPassword));
});

test('the mails of one account leave in the order of the changes, also when the first one is held up', async () => {
  const background = createBackground(createLog('info', { write: () => undefined }));
  const looked = Promise.withResolvers<void>();
  const sent: string[] = [];
  let looks = 0;
  const alerts = createAlerts({
    accounts: {
      async get(id) {
        looks += 1;
        if (looks === 1) await looked.promise;
        return { name: 'Mara', email: `${id}@example.org` };
      },
    },
    mailer: { send: async ({ subject }) => void sent.push(subject) },
    background,
    publicUrl: 'https://sheaf.example',
    now: () => 1_800_000_000,
  });
  const device = { userAgent: '', address: '127.0.0.1' };
  alerts.tell('mara', { kind: 'added', what: 'The passkey Phone' }, device);
  alerts.tell('mara', { kind: 'removed', what: 'The passkey Phone' }, device);
  alerts.tell('noor', { kind: 'passwordChanged' }, device);
  await new Promise(setImmediate);
  assert.deepEqual(sent, ['Your password for Sheaf was changed']);
  looked.resolve();
  await background.idle();
  assert.deepEqual(sent.slice(1), [
    'The passkey Phone was added to your Sheaf account',
    'The passkey Phone was removed from your Sheaf account',
  ]);
});
