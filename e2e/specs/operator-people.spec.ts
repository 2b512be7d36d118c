import { sheafOf, test as base, expect, expectAccessible } from '../fixtures/test.ts';

/** An installation that other machines can reach. */
const test = base.extend<object, object>({ sheaf: sheafOf({ SHEAF_HOST: '0.0.0.0' }) });

test('the holder of the printed code sets Sheaf up and invites people; others see that they need an invitation @narrow', async ({
  page,
  browser,
  sheaf,
  account,
}) => {
  const code = /with the code (\S+)/.exec(sheaf.log())?.[1] ?? '';
  await page.goto('/');
  await page.getByRole('link', { name: 'Create an account' }).click();
  const fill = async (typed: string): Promise<void> => {
    await page.getByLabel('Code').fill(typed);
    await page.getByLabel('E-mail address').fill(account.email);
    await page.getByRole('textbox', { name: 'Password' }).fill(account.password);
    await page.getByRole('button', { name: 'Create account' }).click();
  };
  await fill('wrong');
  await expect(page.getByText('This is not the code that Sheaf printed when it started.')).toBeVisible();
  await expectAccessible(page);
  await fill(code);
  await expect(page).toHaveURL('/account/mysheaf');

  await page.goto('/operator/people');
  await expect(page.getByText('New accounts are by invitation (SHEAF_SIGNUP).')).toBeVisible();
  await page.getByRole('button', { name: 'Invite people' }).click();
  await page.getByLabel('How').first().click();
  await page.getByRole('option', { name: 'Link to copy' }).click();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Make a link' }).click();
  const link = await page.getByLabel('Link for one person').inputValue();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('list').getByText('A link to copy')).toBeVisible();
  await expectAccessible(page);

  const guest = await (await browser.newContext({ baseURL: sheaf.url })).newPage();
  await guest.goto('/login/start');
  await expect(guest.getByText('New accounts are by invitation here.')).toBeVisible();
  await guest.goto('/signup/start');
  await expect(guest.getByRole('heading', { name: 'You cannot sign up here' })).toBeVisible();
  await expectAccessible(guest);
  const signUp = async (email: string): Promise<void> => {
    await guest.goto('about:blank');
    await guest.goto(link);
    await guest.getByLabel('E-mail address').fill(email);
    await guest.getByRole('textbox', { name: 'Password' }).fill(account.password);
    await guest.getByRole('button', { name: 'Create account' }).click();
  };
  await signUp(`guest-${account.email}`);
  await expect(guest).toHaveURL('/account/mysheaf');

  await page.reload();
  const row = page
    .getByRole('region', { name: 'Accounts' })
    .getByRole('listitem')
    .filter({ hasText: `guest-${account.email}` });
  await expect(row).toContainText('0 links, 0 stored names, no second factor');
  await page.getByRole('button', { name: `Menu of guest-${account.email}` }).click();
  await page.getByRole('menuitem', { name: 'Disable' }).click();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Disable' }).click();
  await expect(row).toContainText('Disabled');
  await expect(page.getByRole('region', { name: 'What operators did' })).toContainText(`disabled guest-${account.email}.`);
  await expectAccessible(page);
  await guest.goto('/account/profile');
  await expect(guest).toHaveURL(/\/login\/start/);
  await guest.context().clearCookies();
  await guest.goto('about:blank');
  await guest.goto(link);
  await expect(guest.getByRole('heading', { name: 'This invitation is no longer valid' })).toBeVisible();
  await guest.context().close();
});
