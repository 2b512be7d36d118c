import { expect, expectAccessible, test } from '../../fixtures/test.ts';
import { button, dialog, escape, heading, home, invited, joined, link, makeOrg, stranger } from './actions.ts';

test('a signed-out visitor reads the invitation, signs up and returns to accept; the token is never in a query @narrow', async ({
  user: owner,
  browser,
  sheaf,
  unique,
}) => {
  const org = await makeOrg(owner);
  const email = `ben-${unique}@ort.example`;
  const token = await invited(owner, sheaf, org, email, 'admin');
  const page = await (await browser.newContext({ baseURL: sheaf.url })).newPage();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(`/invitation/org#token=${token}`);
  await expect(heading(page, 'Join Halm Studio')).toBeVisible();
  await expect(page.getByText(`Mara Halm invites ${email} to the organisation as an admin.`)).toBeVisible();
  await expectAccessible(page);
  await link(page, 'Sign up to join').click();
  await page.getByRole('link', { name: /mail/i }).click();
  await page.getByLabel('Name').fill('Ben Ort');
  await expect(page.getByLabel('E-mail')).toHaveValue(email);
  await page.getByRole('textbox', { name: 'Password' }).fill('correct horse battery');
  await page.getByRole('button', { name: /Sign up|Create/ }).click();
  await expect(page).toHaveURL('/invitation/org');
  await button(page, 'Accept').click();
  await expect(page).toHaveURL(home);
  await expect(heading(page, 'Halm Studio')).toBeVisible();
  expect(asked.filter((url) => url.includes(token))).toEqual([]);

  await page.goto(`/invitation/org#token=${token}`);
  await expect(heading(page, 'This invitation is no longer valid')).toBeVisible();
  await expectAccessible(page);
});

test('a user with the wrong account is told whose invitation it is, and an invitation can be declined', async ({
  user: owner,
  browser,
  sheaf,
  unique,
}) => {
  const org = await makeOrg(owner);
  const email = `ben-${unique}@ort.example`;
  const token = await invited(owner, sheaf, org, email);
  await owner.goto(`/invitation/org#token=${token}`);
  await expect(owner.getByText(`This invitation is for ${email}.`)).toBeVisible();
  await expect(button(owner, 'Accept')).toHaveCount(0);
  await expectAccessible(owner);
  await button(owner, 'Sign in with another account').click();
  await expect(owner).toHaveURL(/^[^#]*\/login\/start\?redirectUrl=%2Finvitation%2Forg&/);
  const page = await (await browser.newContext({ baseURL: sheaf.url })).newPage();
  await page.goto(`/invitation/org#token=${token}`);
  await button(page, 'Decline').click();
  await expect(dialog(page, 'Decline this invitation?')).toBeVisible();
  await escape(page);
  await button(page, 'Decline').click();
  await dialog(page, 'Decline this invitation?').getByRole('button', { name: 'Decline' }).click();
  await expect(heading(page, 'You have declined the invitation.')).toBeVisible();
  await page.goto('/invitation/org#token=nonsense');
  await expect(heading(page, 'This invitation is no longer valid')).toBeVisible();
  await page.goto('/invitation/org');
  await page.reload();
  await expect(heading(page, 'Which invitation?')).toBeVisible();
});

test('an invitation to a verified address is listed among the organisations, where it is accepted or declined', async ({
  user: owner,
  browser,
  sheaf,
  unique,
}) => {
  const org = await makeOrg(owner);
  const email = `ben-${unique}@ort.example`;
  // Joining by a mail verifies the address.
  const other = await stranger(browser, sheaf, 'Ada Lind', `ada-${unique}@ort.example`);
  const page = await joined({ browser, sheaf, owner: other, org: await makeOrg(other, 'Lind') }, 'Ben Ort', email);
  await invited(owner, sheaf, org, email);
  await page.goto(home);
  await expect(page.getByRole('list', { name: 'Invitations' })).toContainText('Mara Halm invites you.');
  await expectAccessible(page);
  await button(page, 'Decline the invitation to Halm Studio').click();
  await dialog(page, 'Decline Halm Studio?').getByRole('button', { name: 'Decline' }).click();
  await expect(page.getByRole('list', { name: 'Invitations' })).toHaveCount(0);
  await invited(owner, sheaf, org, email);
  await page.reload();
  await button(page, 'Join Halm Studio').click();
  await expect(heading(page, 'Halm Studio')).toBeVisible();
  await expect(heading(page, 'Lind')).toBeVisible();
  await button(page, 'Menu of Halm Studio').click();
  await page.getByRole('menuitem', { name: 'Leave' }).click();
  await button(page, 'Leave').click();
  await expect(heading(page, 'Halm Studio')).toHaveCount(0);
});
