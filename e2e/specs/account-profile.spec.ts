import type { Page } from '@playwright/test';
import { type Oidc, freePort, startOidc } from '@sheaf/testbed';
import { startSheaf } from '../fixtures/sheaf.ts';
import { type Account, call, expect, expectAccessible, signUp, test } from '../fixtures/test.ts';
import { tokenTo } from './spaces/actions.ts';

const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

async function signIn(page: Page, { email, password }: Pick<Account, 'email' | 'password'>): Promise<void> {
  await page.goto('/login/start?provider=email');
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

test('the profile has its sections, each linked from the list next to them @narrow [RT-079] [ACC-08] [ACC-09] [ACC-10] [ACC-11] [ACC-12] [ACC-13]', async ({
  user: page,
}) => {
  await page.goto('/account/profile');
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([
    'Change name',
    'Change email',
    'Verify email',
    'Mails about failing links',
    'Change account',
    'Two-step verification',
    'Expire sessions',
    'Authentication codes',
    'App passwords',
    'Agents',
    'Your data',
    'Close account',
  ]);
  await expect(part(page, 'Change account').getByText('Opens the account together with your e-mail address')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Close account' }).click();
  await expect(page).toHaveURL('/account/profile#close');
  await expect(part(page, 'Close account')).toBeInViewport();
});

test('each section returns to the profile when done; a new address is pending, and can be cancelled [ACC-08] [ACC-10] [ACC-12] [ACC-14]', async ({
  user: page,
  unique,
  account,
  sheaf,
  browser,
  baseURL,
}) => {
  const other = await browser.newContext(baseURL === undefined ? {} : { baseURL });
  await signIn(await other.newPage(), account);
  await call(page, '/rest/auth/email/verify', { token: await tokenTo(sheaf, account.email, '/account/verifyemail') });
  await page.goto('/account/profile');
  await part(page, 'Change name').getByLabel('Name').fill('Ada Lind');
  await part(page, 'Change name').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Your name was changed.')).toBeVisible();
  const email = part(page, 'Change email');
  await email.getByLabel('E-mail address').fill(`ada-${unique}@lind.example`);
  await email.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('We sent a message there. Your address changes once you have confirmed it.')).toBeVisible();
  await expect(
    email.getByText(`ada-${unique}@lind.example waits to be confirmed. Until then you sign in with ${account.email}.`),
  ).toBeVisible();
  await expect(email.getByLabel('E-mail address')).toHaveValue(account.email);
  await expect(part(page, 'Verify email').getByText('Your e-mail address is verified.')).toBeVisible();
  await expectAccessible(page);
  await email.getByRole('button', { name: 'Send again' }).click();
  await expect(page.getByText('The message was sent.')).toBeVisible();
  await email.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText(`Your address stays ${account.email}.`)).toBeVisible();
  await expect(email.getByText('waits to be confirmed')).toHaveCount(0);
  await part(page, 'Expire sessions').getByRole('button', { name: 'End all other sessions' }).click();
  await expect(part(page, 'Expire sessions').getByRole('listitem')).toHaveCount(1);
  await expect(page).toHaveURL('/account/profile');
  await other.close();
});

test('changing the password needs reauthentication, and the new one signs in from then on @narrow [ACC-09] [ACC-14]', async ({
  user: page,
  account,
}) => {
  let isOld = true;
  // Simulates ten minutes after the sign-in; the reauthentication and the retry are real.
  await page.route('**/rest/account/set_password', (route) => {
    if (!isOld) return route.fallback();
    isOld = false;
    return route.fulfill({
      status: 403,
      json: { errorCode: 760, messageCode: 'PROOF_NEEDED', message: 'Please confirm that it is you.' },
    });
  });
  await page.goto('/account/profile');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByRole('textbox', { name: 'New password' }).fill('another battery staple');
  await page.getByRole('button', { name: 'Save password' }).click();
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await proof.getByRole('textbox', { name: 'Password' }).fill('not it at all');
  await proof.getByRole('button', { name: 'Confirm' }).click();
  await expect(proof.getByText('The password is not correct.')).toBeVisible();
  await expectAccessible(page);
  await proof.getByRole('textbox', { name: 'Password' }).fill(account.password);
  await proof.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Your password was changed, and all other sessions were ended.')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.context().clearCookies();
  await signIn(page, { ...account, password: 'another battery staple' });
  await expect(page).toHaveURL('/account/mysheaf');
});

test('the account is closed with its address and password, and kept by signing in again @narrow [ACC-11]', async ({
  owner: page,
  account,
  sheaf,
}) => {
  await page.goto('/account/profile');
  await page.getByRole('button', { name: 'Close account...' }).click();
  const dialog = page.getByRole('dialog', { name: 'Close account' });
  await expect(dialog.getByRole('listitem')).toHaveText([
    '1 link with all that is needed to open it',
    'your profile, settings and activity',
  ]);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await page.getByRole('button', { name: 'Close account...' }).click();
  const close = dialog.getByRole('button', { name: 'Close account', exact: true });
  await dialog.getByLabel('Your e-mail address').fill('somebody@else.example');
  await dialog.getByRole('textbox', { name: 'Password' }).fill('not it at all');
  await expect(close).toBeDisabled();
  await dialog.getByLabel('Your e-mail address').fill(account.email);
  await close.click();
  await expect(dialog.getByText('The password is not correct.')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Password' }).fill(account.password);
  await close.click();
  await expect(page.getByText(/^Your account will be closed on .* Sign in before then to keep it\.$/)).toBeVisible();
  await expectAccessible(page);
  await expect.poll(() => sheaf.mailTo(account.email)).toContain('your account will be closed on');
  await page.goto('/account/profile');
  await expect(page).toHaveURL(/\/login\/start/);

  await signIn(page, account);
  await expect(page.getByRole('heading', { name: /^This account will be closed on .*\.$/ })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Keep my account' }).click();
  await expect(page).toHaveURL('/account/mysheaf');
  await page.goto('/account/profile');
  await expect(part(page, 'Change name').getByLabel('Name')).toHaveValue(account.name);
});

test('an owner of an organisation is told to hand it over before closing the account [ACC-11]', async ({ user: page }) => {
  const cookies = await page.context().cookies();
  const rTag = cookies.find(({ name }) => name === 'sh')?.value ?? '';
  const made = await page.request.post('/rest/subscription/show_org', { form: { trialDays: 7, orgName: 'Halm GmbH', rTag } });
  expect(made.ok(), await made.text()).toBe(true);
  await page.goto('/account/profile');
  await page.getByRole('button', { name: 'Close account...' }).click();
  const dialog = page.getByRole('dialog', { name: 'Close account' });
  await expect(dialog.getByText('You own what other people use. Hand it over or close it first:')).toBeVisible();
  await expect(dialog.getByRole('link')).toHaveAttribute('href', /^\/org\/members\?orgOid=/);
  await expect(dialog.getByRole('textbox')).toHaveCount(0);
});

const joining = test.extend<{ person: string }, { provided: { oidc: Oidc; port: number } }>({
  provided: [
    async ({}, use) => {
      const port = await freePort();
      const oidc = await startOidc({ redirectUris: [`http://127.0.0.1:${port}/login/with/google/callback`] });
      await use({ oidc, port });
      await oidc.stop();
    },
    { scope: 'worker' },
  ],
  sheaf: [
    async ({ provided: { oidc, port } }, use) => {
      const sheaf = await startSheaf({
        SHEAF_PORT: String(port),
        SHEAF_GOOGLE_CLIENT_ID: oidc.clientId,
        SHEAF_GOOGLE_CLIENT_SECRET: oidc.clientSecret,
        SHEAF_GOOGLE_ISSUER_URL: oidc.issuer,
      });
      await use(sheaf);
      await sheaf.stop();
    },
    { scope: 'worker' },
  ],
  person: ({ unique }, use) => use(`mara-${unique}@provider.example`),
});

joining('Google is added to the account, opens it, and is removed again [ACC-09] [ACC-14]', async ({ page, account, person }) => {
  await signUp(page, account);
  await page.goto('/account/profile');
  await expect(part(page, 'Change account').getByText('Not set up on this installation')).toHaveCount(1);
  await page.getByRole('button', { name: 'Add Google' }).click();
  await page.getByLabel('E-mail', { exact: true }).fill(person);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page).toHaveURL('/account/profile?joined=google');
  await expect(page.getByText('Google opens this account from now on.')).toBeVisible();
  await expect(part(page, 'Change account').getByText(person)).toBeVisible();
  await page.getByRole('button', { name: `Remove Google (${person})` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('Done. It no longer opens your account.')).toBeVisible();
  await expect(part(page, 'Change account').getByText(person)).toHaveCount(0);
});
