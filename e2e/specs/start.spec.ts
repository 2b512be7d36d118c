import { type Page, request } from '@playwright/test';
import { expect, expectAccessible, test } from '../fixtures/test.ts';

const signUp = (page: Page) => page.getByRole('dialog', { name: 'You’re almost done...' });

test('the start page shows pictures of the product in the visitor’s theme, and links to the next pages @narrow', async ({ page }) => {
  await page.goto('/');
  const picture = page.getByRole('img', { name: /^The page My links in Sheaf/ });
  await expect(picture).toBeVisible();
  const drawn = () => picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 1000);
  await expect.poll(drawn).toBe(true);
  const light = await picture.getAttribute('src');
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.reload();
  await expect.poll(drawn).toBe(true);
  expect(await picture.getAttribute('src')).not.toBe(light);
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await page.getByRole('link', { name: 'See what you can link' }).first().click();
  await expect(page).toHaveURL('/linkmarketplace');
});

test('every public page is reached from the footer of the start page, and is readable in light and dark @narrow', async ({ page }) => {
  const pages = [
    ['Help', '/forum'],
    ['About', '/about'],
    ['Careers', '/careers'],
    ['Download', '/download'],
    ['What you can link', '/linkmarketplace'],
  ] as const;
  for (const [name, address] of pages) {
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.getByRole('navigation', { name: 'More pages' }).getByRole('link', { name }).click();
    await expect(page).toHaveURL(address);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  }
});

test('"links" in the query invites a visitor to sign up, with the methods that are set up @narrow [NAV-55] [NAV-56] [NAV-60]', async ({
  page,
}) => {
  await page.goto('/about?links');
  await expect(signUp(page)).toBeVisible();
  await expect(signUp(page)).toContainText('Sign up to download Sheaf for free');
  await expectAccessible(page);
  await expect(signUp(page).getByRole('link')).toHaveText(['Email']);
  await signUp(page).getByRole('link', { name: 'Email' }).click();
  await expect(page).toHaveURL(/^[^?]+\/login\/start\?/);
});

test('the line on privacy shows in tall windows only [NAV-58] [NAV-59]', async ({ page }) => {
  await page.setViewportSize({ width: 1000, height: 600 });
  await page.goto('/about?links=1');
  await expect(page.getByText('All your stuff is private.')).toBeVisible();
  await page.setViewportSize({ width: 1000, height: 599 });
  await expect(page.getByText('All your stuff is private.')).toBeHidden();
});

test('closing the invitation removes "links" from the address, and nothing else [NAV-68]', async ({ page }) => {
  await page.goto('/about?links=x&from=mail');
  await expect(signUp(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(signUp(page)).toBeHidden();
  await expect(page).toHaveURL('/about?from=mail');
});

test('a signed-in user, or an address without "links" in the query, gets no invitation [NAV-61]', async ({ page, account }) => {
  await page.goto('/about');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(signUp(page)).toHaveCount(0);
  await page.request.post('/rest/auth/email/signup', { form: { ...account } });
  await page.goto('/about?links');
  await expect(page.getByRole('button', { name: 'Account: Mara Halm' })).toBeVisible();
  await expect(signUp(page)).toHaveCount(0);
});

test('an account that does not exist is reported, with a link to sign up [NAV-62] [NAV-63]', async ({ page }) => {
  await page.goto('/about?authError=userNotFound');
  const dialog = page.getByRole('dialog', { name: "Sorry, this account doesn't exist!" });
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('link', { name: 'Click here to link your apps and sign up.' }).click();
  await expect(page).toHaveURL(/\/about\?links=?$/);
  await expect(signUp(page)).toBeVisible();
});

test('an account that already exists is reported, with a link to it [NAV-64] [NAV-65]', async ({ user: page }) => {
  await page.goto('/about?authError=extraSignup');
  const dialog = page.getByRole('dialog', { name: 'You already have an account!' });
  await dialog.getByRole('link', { name: 'Go to my Sheaf.' }).click();
  await expect(page).toHaveURL('/account/mysheaf');
});

test('any other authError shows nothing, and closing removes it, and nothing else, from the address [NAV-66] [NAV-67]', async ({
  page,
}) => {
  await page.goto('/about?authError=somethingElse');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.goto('/about?authError=extraSignup&from=mail#top');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await expect(page).toHaveURL('/about?from=mail#top');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('"/downloaddesktop" and "/logout" are pages for a browser, not calls [API-69]', async ({ sheaf, user: page }) => {
  const visitor = await request.newContext({ baseURL: sheaf.url });
  const client = await visitor.get('/downloaddesktop?platform=mac');
  expect([client.status(), client.headers()['content-type']]).toEqual([200, 'application/gzip']);
  expect((await visitor.get('/logout')).headers()['content-type']).toContain('text/html');
  for (const path of ['/downloaddesktop', '/logout']) expect((await visitor.post(`/rest${path}`)).status()).toBe(404);
  await visitor.dispose();
  await page.goto('/logout');
  await expect(page.getByRole('link', { name: 'SIGN IN' })).toBeVisible();
});

test('the marketplace and the page of organisation access fit a narrow window @narrow', async ({ user: page }) => {
  const width = page.viewportSize()?.width ?? 0;
  await page.goto('/org-access');
  const line = await page.locator('main').getByText('Purchase for your whole group with one credit card.').boundingBox();
  expect(line?.height).toBeLessThan(50);
  await page.context().clearCookies();
  await page.goto('/linkmarketplace');
  const field = await page.getByPlaceholder(/^Search \d+ source types$/).boundingBox();
  expect((field?.x ?? 0) + (field?.width ?? width + 1)).toBeLessThanOrEqual(width);
});
