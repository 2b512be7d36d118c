import { group, linked, row, watchLinkCalls } from '../fixtures/link-calls.ts';
import { expect, expectAccessible, test } from '../fixtures/test.ts';

test('one page opens the dialog of any type, regardless of case [LSP-01] [LSP-02]', async ({ user: page }) => {
  for (const address of ['/links/DropBox', '/links/dropbox']) {
    await page.goto(address);
    await expect(page.getByRole('heading', { name: 'Link Dropbox' })).toBeVisible();
  }
});

test('each form has its page [LSP-04] [RT-023] [RT-026] [RT-075]', async ({ user: page }) => {
  for (const [address, title, button] of [
    ['/links/googlecloud', 'Link Google Cloud Storage', 'Authorize'],
    ['/link/auth/googlecloud', 'Link Google Cloud Storage', 'Link'],
    ['/link/auth/oracle', 'Link Oracle Documents', 'Link Oracle Documents'],
  ] as const) {
    await page.goto(address);
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
    await expect(page.getByRole('button', { name: button, exact: true })).toBeVisible();
  }
});

test('a service that cannot be linked says why in one plain sentence instead of offering it', async ({ user: page }) => {
  for (const [route, sentence] of [
    ['clouddrive', 'Amazon ended this service on 31 December 2023, so it cannot be linked any more.'],
    ['canopy', 'Canopy publishes no interface for other programs, so it cannot be linked.'],
  ] as const) {
    await page.goto(`/links/${route}`);
    await expect(page.locator('main p')).toHaveText([sentence]);
    await expect(page.getByRole('button', { name: 'Authorize' })).toHaveCount(0);
  }
});

test('bare keys of types with a page of their own render nothing [LSP-10] [LSP-11]', async ({ user: page }) => {
  for (const key of ['b2', 'sheafgateway']) {
    await page.goto(`/links/${key}`);
    await expect(page.locator('main')).toBeVisible();
    await expect(page.locator('main form, main h1, main h2')).toHaveCount(0);
  }
});

test('an unknown type shows no dialog and is logged [LSP-13]', async ({ user: page }) => {
  const logged = page.waitForEvent('console', (message) => message.type() === 'error' && message.text().includes('gopher'));
  await page.goto('/links/gopher');
  await logged;
  await expect(page.locator('main form')).toHaveCount(0);
  await page.getByRole('link', { name: 'Show all types' }).click();
  await expect(page).toHaveURL('/links');
});

test('the picker shows every type, searches them, and links another account of one @narrow', async ({ user: page }) => {
  (await watchLinkCalls(page)).answer('all_links', linked(group('SFTP', 'SFTP', row('s1', 'Home server', 'SFTP'))));
  await page.goto('/links');
  await expect(page.getByRole('heading', { level: 2 })).toHaveCount(5);
  await expectAccessible(page);
  await page.getByRole('searchbox').fill('sftp');
  await expect(page.locator('main').getByRole('listitem')).toHaveCount(1);
  await page.getByRole('link', { name: /^SFTP/ }).click();
  await expect(page).toHaveURL('/links/sftp?mode=create');
  await expect(page.getByRole('heading', { name: 'Link SFTP' })).toBeVisible();
  await page.goto('/links/sftp');
  await expect(page.getByRole('heading', { name: 'Edit Home server' })).toBeVisible();
});

test('the marketplace leads a visitor through sign-in to the chosen type, and back when that is cancelled [ACC-01]', async ({ page }) => {
  await page.goto('/linkmarketplace');
  await expectAccessible(page);
  await page.getByRole('link', { name: /^SFTP/ }).click();
  await expect(page).toHaveURL(
    '/login/start?redirectUrl=%2Flinks%2Fsftp%3Fmode%3Dcreate&cancelUrl=%2Flinkmarketplace&flowOrigin=marketplace',
  );
  await page.getByRole('link', { name: 'Email' }).click();
  await page.getByRole('link', { name: 'Cancel' }).click();
  await expect(page).toHaveURL('/linkmarketplace');
});
