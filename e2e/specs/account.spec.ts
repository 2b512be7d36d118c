import type { Page } from '@playwright/test';
import { type Account, expect, expectAccessible, signUp, test } from '../fixtures/test.ts';

async function fillSignIn(page: Page, { email, password }: Pick<Account, 'email' | 'password'>): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });

test('the sign-in page offers the configured methods, and leads to creating an account @narrow [RT-078]', async ({ page }) => {
  await page.goto('/login/start');
  await expect(heading(page, 'Sign in to Sheaf')).toBeVisible();
  await expect(page.getByRole('link')).toHaveText([/Email/, 'Create an account']);
  await expect(page.getByText('All your stuff is private.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Create an account' }).click();
  await expect(heading(page, 'Sign up for Sheaf')).toBeVisible();
});

test('signing in by e-mail returns to where it began [ACC-06]', async ({ page, account }) => {
  await signUp(page, account);
  await page.context().clearCookies();
  await page.goto('/login/start?provider=email&redirectUrl=/account/profile');
  await expectAccessible(page);
  await fillSignIn(page, account);
  await expect(page).toHaveURL('/account/profile');
});

test('a wrong password is reported next to the form and nothing is lost', async ({ page, account }) => {
  await signUp(page, account);
  await page.context().clearCookies();
  await page.goto('/login/start?provider=email');
  await fillSignIn(page, { ...account, password: 'not it at all' });
  await expect(page.getByText('The user name or password is not correct.')).toBeVisible();
  await expect(page.getByLabel('E-mail address')).toHaveValue(account.email);
  await expectAccessible(page);
});

test('too many wrong passwords are reported with the seconds to wait', async ({ page, account }) => {
  await signUp(page, account);
  await page.context().clearCookies();
  for (let tries = 0; tries < 12; tries += 1)
    await page.request.post('/rest/auth/email/login', { form: { email: account.email, password: 'wrong again' } });
  await page.goto('/login/start?provider=email');
  await fillSignIn(page, account);
  await expect(page.getByText(/Too many attempts\. Please wait \d+ seconds and try again\./)).toBeVisible();
});

test('signing up reports each mistake at its field', async ({ page, account }) => {
  await signUp(page, account);
  await page.context().clearCookies();
  await page.goto('/signup/start?provider=email');
  await page.getByLabel('E-mail address').fill(account.email);
  await page.getByRole('textbox', { name: 'Password' }).fill('short');
  await page.getByRole('button', { name: 'Create account', exact: true }).click();
  await expect(page.getByText('Please choose a password of at least 8 characters.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Password' }).fill('long enough now');
  await page.getByRole('button', { name: 'Create account', exact: true }).click();
  await expect(page.getByText('There is already an account for this e-mail address. Please sign in.')).toBeVisible();
  await expectAccessible(page);
});

test('a forgotten password is replaced through a mail, and every session ends', async ({ page, account, sheaf }) => {
  await signUp(page, account);
  await page.goto('/login/forgot');
  await page.getByLabel('E-mail address').fill(account.email);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await expect(heading(page, 'Check your mail')).toBeVisible();
  const addressIn = async (): Promise<string | undefined> => /http:\/\/\S+\/login\/reset\S*/.exec(await sheaf.mailTo(account.email))?.[0];
  await expect.poll(addressIn).toBeDefined();
  const address = (await addressIn()) ?? '';
  await page.goto(address);
  await expectAccessible(page);
  await page.getByRole('textbox', { name: 'New password' }).fill('another battery staple');
  await page.getByRole('button', { name: 'Set password' }).click();
  await expect(heading(page, 'Your new password is set')).toBeVisible();
  await page.goto('/account/profile');
  await expect(page).toHaveURL(/\/login\/start/);
  await page.goto('/login/start?provider=email');
  await fillSignIn(page, { ...account, password: 'another battery staple' });
  await expect(page).toHaveURL('/account/mysheaf');
  await page.goto(address);
  await page.getByRole('textbox', { name: 'New password' }).fill('a third battery staple');
  await page.getByRole('button', { name: 'Set password' }).click();
  await expect(page.getByText('This link is no longer valid. Please ask for a new one.')).toBeVisible();
});

test("the mailed link confirms the address once, and a pending one becomes the account's through its own link; a used link offers another [ACC-10] [ACC-15]", async ({
  user: page,
  account,
  unique,
  sheaf,
  browser,
}) => {
  const linkTo = async (email: string) => /http:\/\/\S+\/account\/verifyemail\S*/.exec(await sheaf.mailTo(email))?.[0] ?? '';
  const change = async (email: string) => {
    await page.getByLabel('E-mail address').fill(email);
    await page.getByRole('button', { name: 'Save' }).last().click();
    await expect(page.getByText(`${email} waits to be confirmed.`)).toBeVisible();
  };
  const address = await linkTo(account.email);
  await page.goto('/account/verifyemail#token=nonsense');
  await expect(heading(page, 'This verification link is no longer valid.')).toBeVisible();
  await expectAccessible(page);
  await page.goto(address);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/verified|no longer valid/);
  await page.goto('/account/profile');
  await expect(page.getByText('Your e-mail address is verified.')).toBeVisible();
  await page.goto('/account/verifyemail#token=nonsense');
  await expect(page.getByText(`${account.email} is verified.`)).toBeVisible();
  await page.getByRole('link', { name: 'Go to my profile' }).click();
  const other = `ada-${unique}@lind.example`;
  await change(other);
  const stranger = await (await browser.newContext()).newPage();
  await stranger.goto(await linkTo(other));
  await expect(heading(stranger, 'Sign in to confirm this address')).toBeVisible();
  await expectAccessible(stranger);
  await stranger.context().close();
  await page.goto(await linkTo(other));
  await expect(heading(page, 'Your e-mail address is verified.')).toBeVisible();
  await expect(page.getByText(other)).toBeVisible();
  await page.goto('/account/profile');
  await expect(page.getByLabel('E-mail address')).toHaveValue(other);
  const third = `eva-${unique}@lind.example`;
  await change(third);
  await page.goto('/account/verifyemail#token=nonsense');
  await page.getByRole('button', { name: 'Send a new one' }).click();
  await expect(heading(page, 'A new message is on its way')).toBeVisible();
  await expect(page.getByText(third)).toBeVisible();
});

test('Sign in tells the sign-in page which page it comes from and where it started @narrow [ACC-01] [ACC-02] [ACC-03]', async ({
  page,
}) => {
  await page.goto('/about?a=1');
  await page.getByRole('link', { name: 'SIGN IN' }).click();
  await expect(page).toHaveURL(/\/login\/start\?/);
  const asked = new URL(page.url()).searchParams;
  expect(Object.fromEntries(asked)).toEqual({ redirectUrl: '/login/websuccess', cancelUrl: '/about?a=1', flowOrigin: 'menubar' });
});

test('signing in leads only to addresses of this installation [ACC-02]', async ({ page, account }) => {
  await signUp(page, account);
  for (const target of ['https://evil.example/', '//evil.example/', '/\\evil.example', 'javascript:alert(1)', '/login/start', '']) {
    await page.context().clearCookies();
    await page.goto(`/login/start?provider=email&redirectUrl=${encodeURIComponent(target)}`);
    await fillSignIn(page, account);
    await expect(page, target).toHaveURL('/account/mysheaf');
    await page.goto('/about');
  }
});

test('a call that finds the session ended leads to signing in and back again [ERR-01] [ERR-03]', async ({ owner: page }) => {
  await page.goto('/account/mysheaf');
  await expect(page.getByRole('link', { name: 'Server' })).toBeVisible();
  // A call in progress would find the session ended before the click.
  await page.waitForLoadState('networkidle');
  await page.context().clearCookies();
  await page.getByRole('link', { name: 'Server' }).click();
  await expect(page).toHaveURL(/\/login\/start\?/);
  const asked = new URL(page.url()).searchParams;
  expect(asked.get('redirectUrl')).toBe('/browse/Server');
  expect(asked.get('cancelUrl')).toBe('/browse/Server');
});

test('sessions are listed and ended from the profile', async ({ user: page, account, browser, baseURL }) => {
  const other = await browser.newContext(baseURL === undefined ? {} : { baseURL });
  const elsewhere = await other.newPage();
  await elsewhere.goto('/login/start?provider=email');
  await fillSignIn(elsewhere, account);
  await expect(elsewhere).toHaveURL('/account/mysheaf');
  await page.goto('/account/profile');
  await expect(page.getByText('This one')).toHaveCount(1);
  await expectAccessible(page);
  await page.getByRole('button', { name: /^End the session of/ }).click();
  await expect(page.getByRole('button', { name: /^End the session of/ })).toHaveCount(0);
  await elsewhere.goto('/account/profile');
  await expect(elsewhere).toHaveURL(/\/login\/start/);
  await other.close();
});

test('name and address are changed in the profile', async ({ user: page, unique, sheaf }) => {
  await page.goto('/account/profile');
  await page.getByLabel('Name', { exact: true }).fill('Ada Lind');
  await page.getByRole('button', { name: 'Save' }).first().click();
  await expect(page.getByRole('button', { name: 'Account: Ada Lind' })).toBeVisible();
  await page.getByLabel('E-mail address').fill(`ada-${unique}@lind.example`);
  await page.getByRole('button', { name: 'Save' }).last().click();
  await expect(page.getByText('Your address was changed. We sent you a message to confirm it.')).toBeVisible();
  expect(await sheaf.mailTo(`ada-${unique}@lind.example`)).toContain('/account/verifyemail');
  await page.getByRole('button', { name: 'Send the message again' }).click();
  await expect(page.getByText('The message was sent.')).toBeVisible();
});

test('the welcome form leads on to the note about the mail [RT-043]', async ({ user: page, account }) => {
  await page.goto('/welcome');
  await expect(heading(page, 'Welcome to Sheaf')).toBeVisible();
  await expect(page.getByLabel('E-mail address')).toHaveValue(account.email);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page).toHaveURL('/welcome-email');
  await expectAccessible(page);
});

test('the sign-up pages offer the same sign-in methods [RT-039] [RT-041]', async ({ page }) => {
  for (const address of ['/auth/signup', '/signup/start']) {
    await page.goto(address);
    await expect(heading(page, 'Sign up for Sheaf')).toBeVisible();
    await expect(page.getByRole('link')).toHaveText([/Email/, /Sign in/]);
  }
  await expectAccessible(page);
});

test('signing out ends the session, clears its cookie and says so, even if the session has already ended @narrow [RT-042]', async ({
  user: page,
}) => {
  await page.goto('/logout');
  await expect(heading(page, 'You have been signed out.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'SIGN IN' })).toBeVisible();
  expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('sh');
  await expectAccessible(page);
  const answered = page.waitForResponse('/rest/auth/logout');
  await page.reload();
  expect((await answered).status()).toBe(401);
  await expect(heading(page, 'You have been signed out.')).toBeVisible();
  await expect(page).toHaveURL('/logout');
});

test('signing out in one tab leads the guarded page of another to the start page [NAV-39]', async ({ user: page, context }) => {
  await page.goto('/account/profile');
  await expect(page.getByRole('heading', { name: 'Profile' })).toBeVisible();
  const other = await context.newPage();
  await other.goto('/logout');
  await expect(heading(other, 'You have been signed out.')).toBeVisible();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('link', { name: 'SIGN IN' })).toBeVisible();
});
