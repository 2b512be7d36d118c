import { type Smtp, startSmtp } from '@sheaf/testbed';
import { startSheaf } from '../fixtures/sheaf.ts';
import { test as base, expect, expectAccessible } from '../fixtures/test.ts';

/** An installation that sends mails, and its mail server. */
const test = base.extend<object, { smtp: Smtp }>({
  smtp: [
    async ({}, use) => {
      const smtp = await startSmtp();
      await use(smtp);
      await smtp.stop();
    },
    { scope: 'worker' },
  ],
  sheaf: [
    async ({ smtp, database }, use) => {
      const sheaf = await startSheaf({ SHEAF_SMTP_URL: smtp.url }, database);
      await use(sheaf);
      await sheaf.stop();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
});

/** Address of the page linked in the newest mail to that address. */
async function linkTo(smtp: Smtp, address: string): Promise<string> {
  const source = (await smtp.mailTo(address)).source.replaceAll('=\r\n', '').replaceAll('=3D', '=');
  return /\/account\/verifyemail#\S+/.exec(source)?.[0] ?? '';
}

test('signing up leads through the mail back to where it began, and a taken address looks the same @narrow', async ({
  page,
  smtp,
  account,
}) => {
  const signUp = async (): Promise<void> => {
    await page.goto('/signup/start?provider=email&redirectUrl=%2Faccount%2Fprofile&cancelUrl=%2F');
    await page.getByLabel('Name').fill(account.name);
    await page.getByLabel('E-mail address').fill(account.email);
    await page.getByRole('textbox', { name: 'Password' }).fill(account.password);
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page.getByRole('heading', { name: 'Check your mail' })).toBeVisible();
    await expect(page.getByText(`We sent a message to ${account.email}. Open it to go on.`)).toBeVisible();
  };
  await signUp();
  await expectAccessible(page);
  await page.goto(await linkTo(smtp, account.email));
  await expect(page).toHaveURL('/account/profile');
  await expect(page.getByText(account.email).first()).toBeVisible();
  await page.context().clearCookies();
  await signUp();
  await expect.poll(async () => (await smtp.mailTo(account.email)).source).toContain('You already have a Sheaf account');
});

test('in another browser the mailed link asks for the password, and a used one says so', async ({
  page,
  browser,
  sheaf,
  smtp,
  account,
}) => {
  const answer = await page.request.post('/rest/auth/email/signup', { form: { ...account } });
  expect(await answer.json()).toEqual({ data: { mailedTo: account.email } });
  const link = await linkTo(smtp, account.email);
  const other = await (await browser.newContext({ baseURL: sheaf.url })).newPage();
  await other.goto(link);
  await expect(other.getByRole('heading', { name: 'Confirm with your password' })).toBeVisible();
  await expectAccessible(other);
  await other.getByRole('textbox', { name: 'Password' }).fill('a wrong password');
  await other.getByRole('button', { name: 'Open my account' }).click();
  await expect(other.getByText('The user name or password is not correct.')).toBeVisible();
  await other.getByRole('textbox', { name: 'Password' }).fill(account.password);
  await other.getByRole('button', { name: 'Open my account' }).click();
  await expect(other).toHaveURL('/account/mysheaf');
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'This link is no longer valid.' })).toBeVisible();
  await other.context().close();
});
