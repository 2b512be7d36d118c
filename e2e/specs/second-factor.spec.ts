import { createHmac } from 'node:crypto';
import type { CDPSession, Page } from '@playwright/test';
import { freePort } from '@sheaf/testbed';
import { startSheaf } from '../fixtures/sheaf.ts';
import { type Account, test as base, expect, expectAccessible } from '../fixtures/test.ts';

/** A server with a host name, which passkeys need. */
const test = base.extend({
  sheaf: [
    async ({}, use) => {
      const port = String(await freePort());
      const sheaf = await startSheaf({ SHEAF_PORT: port, SHEAF_PUBLIC_URL: `http://localhost:${port}` });
      await use(sheaf);
      await sheaf.stop();
    },
    { scope: 'worker' },
  ],
  baseURL: ({ sheaf }, use) => use(sheaf.url.replace('127.0.0.1', 'localhost')),
});

/** The code of an authenticator app (RFC 6238), periods of 30 s ahead or back. */
function codeOf(secret: string, ahead = 0): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...secret.replaceAll(' ', '')].map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + ahead));
  const mac = createHmac('sha1', key).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

const proofNeeded = {
  status: 403,
  json: { errorCode: 760, messageCode: 'PROOF_NEEDED', message: 'Please confirm that it is you.' },
};

/** Adds a virtual authenticator for passkeys. */
async function plugDevice(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return session;
}

/** Signs out as if on another device: removes the cookies when the page has no calls in progress. */
async function leave(page: Page): Promise<void> {
  await page.goto('/about');
  await page.context().clearCookies();
}

async function enterPassword(page: Page, { email, password }: Account): Promise<void> {
  await page.goto('/login/start?provider=email');
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

test('an authenticator app is set up, requested at sign-in, replaced by a recovery code, and removed @narrow', async ({
  user: page,
  account,
}) => {
  test.slow();
  await page.goto('/account/profile');
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' });
  await expect(dialog.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible();
  await expectAccessible(page);
  const secret = (await dialog.getByRole('code').textContent()) ?? '';
  await dialog.getByRole('textbox', { name: 'Code', exact: true }).fill('000000');
  await dialog.getByRole('button', { name: 'Switch on' }).click();
  await expect(dialog.getByText('That code is not correct.')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Code', exact: true }).fill(codeOf(secret));
  await dialog.getByRole('button', { name: 'Switch on' }).click();
  const codes = page.getByRole('dialog', { name: 'Your recovery codes' });
  await expect(codes.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')).toHaveCount(10);
  await expectAccessible(page);
  const [recoveryCode = '', another = ''] = await codes.getByRole('listitem').allTextContents();
  await codes.getByRole('button', { name: 'I have kept them' }).click();
  await expect(page.getByText('10 left, for when nothing else is at hand')).toBeVisible();

  await leave(page);
  await enterPassword(page, account);
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible();
  await expectAccessible(page);
  expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('sid');
  await page.getByRole('textbox', { name: 'Code', exact: true }).fill('000000');
  await page.keyboard.press('Enter');
  await expect(page.getByText('That code is not correct.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Code', exact: true }).fill(codeOf(secret, 1));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/account/mysheaf');

  await leave(page);
  await enterPassword(page, account);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(recoveryCode);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page).toHaveURL('/account/mysheaf');
  await page.goto('/account/profile');
  await expect(page.getByText('9 left, for when nothing else is at hand')).toBeVisible();
  // The password alone does not close the account either.
  await page.getByRole('button', { name: 'Close account...' }).click();
  const closing = page.getByRole('dialog', { name: 'Close account' });
  await expect(closing.getByRole('textbox')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(closing).toHaveCount(0);
  // Simulates ten minutes after the sign-in; the reauthentication and the retry are real.
  await page.route('**/rest/account/totp/remove', (route) => route.fulfill(proofNeeded), { times: 1 });
  await page.getByRole('button', { name: 'Remove the authenticator app' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await expect(proof.getByRole('textbox')).toHaveCount(1);
  await expectAccessible(page);
  await proof.getByLabel('Code of your authenticator app, or a recovery code').fill(another);
  await proof.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByRole('button', { name: 'Set up an authenticator app' })).toBeVisible();
  await leave(page);
  await enterPassword(page, account);
  await expect(page).toHaveURL('/account/mysheaf');
});

test('a passkey is added, renamed, signs in alone and as the second factor, and is removed', async ({ user: page, account }) => {
  await plugDevice(page);
  await page.goto('/account/profile');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
  await dialog.getByLabel('Name of the passkey').fill('Laptop');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('dialog', { name: 'Your recovery codes' }).getByRole('button', { name: 'I have kept them' }).click();
  await expect(page.getByText('1 signs in without a password')).toBeVisible();
  await page.getByRole('button', { name: 'Rename the passkey Laptop' }).click();
  await page.getByRole('dialog').getByLabel('Name of the passkey').fill('Blue laptop');
  await page.getByRole('dialog').getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Passkey, not used yet, also signs in alone')).toBeVisible();

  await leave(page);
  await page.goto('/login/start?redirectUrl=/account/profile');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page).toHaveURL('/account/profile');
  await expect(page.getByText(/^Passkey, last used .*, also signs in alone$/)).toBeVisible();

  await leave(page);
  await enterPassword(page, account);
  await expect(page.getByText('Use your passkey to confirm that it is you.')).toBeVisible();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page).toHaveURL('/account/mysheaf');

  await page.goto('/account/profile');
  await page.getByRole('button', { name: 'Remove the passkey Blue laptop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('None that signs in without a password')).toBeVisible();
  await leave(page);
  await page.goto('/login/start');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByText('This passkey was not accepted. Please try again.')).toBeVisible();
});

test('a passkey that the user cancels is reported, and nothing is lost', async ({ user: page }) => {
  const device = await plugDevice(page);
  await page.goto('/account/profile');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const { options } = { options: { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true } as const };
  await device.send('WebAuthn.disable');
  await device.send('WebAuthn.enable');
  await device.send('WebAuthn.addVirtualAuthenticator', { options: { ...options, isUserVerified: false } });
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByText('No passkey was used. Please try again.')).toBeVisible();
  await expect(dialog.getByLabel('Name of the passkey')).not.toHaveValue('');
});

base('where browsers have no passkeys the profile says so, and the way in does not offer them', async ({ user: page }) => {
  await page.goto('/account/profile');
  await expect(page.getByText(/^Passkeys need an address with a host name and https\./)).toBeVisible();
  await leave(page);
  await page.goto('/login/start');
  await expect(page.getByRole('link', { name: 'Email' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toHaveCount(0);
});
