import type { Locator, Page } from '@playwright/test';
import { startSheaf } from '../fixtures/sheaf.ts';
import { call, expect, expectAccessible, test } from '../fixtures/test.ts';
import { cards, fillCard } from './purchase/actions.ts';

const address = '/account/mysheaf?catid=encryption';
const view = (page: Page): Locator => page.getByRole('switch', { name: 'Show Encryption among my links' });
const root = (page: Page): Locator => page.getByRole('link', { name: /^Encryption Encrypted folders/ });

test('the list says that encryption is part of Premium, and links to it @narrow [RT-066]', async ({ user: page }) => {
  await page.goto(address);
  await expect(page.getByRole('heading', { name: 'Encryption', exact: true })).toBeVisible();
  await expect(page.getByText('Encryption belongs to Premium.')).toBeVisible();
  await expect(page.getByText('There is no encrypted folder yet')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Get Premium' }).click();
  await expect(page).toHaveURL(`${address}&confirmPurchase=true`);
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page).toHaveURL(address);
});

test('the page of vaults leads to ten sentences of help about what Sheaf can see of them @narrow', async ({ user: page }) => {
  await page.goto(address);
  await page.getByRole('link', { name: 'What Sheaf can see of a vault, and what not' }).click();
  await expect(page).toHaveURL('/forum#vaults');
  const about = page.locator('#vaults');
  await expect(about.getByRole('heading', { name: 'What can Sheaf see of a vault, and what not?' })).toBeInViewport();
  const sentences = await about.getByRole('listitem').allInnerTexts();
  expect(sentences.length).toBe(10);
  for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z][^.]+\.$/);
  await expectAccessible(page);
});

test('with confirmPurchase=true the confirmation of the purchase is open at once [RT-066]', async ({ user: page }) => {
  await page.goto(`${address}&confirmPurchase=true`);
  await expect(page.getByRole('dialog', { name: 'Purchase Premium' })).toContainText('$150');
  await page.reload();
  await expect(page.getByRole('dialog', { name: 'Purchase Premium' })).toBeVisible();
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await fillCard(page, cards.pays);
  await page.getByRole('dialog').getByRole('button', { name: 'Purchase', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'Thank You' })).toBeVisible();
  await page.getByRole('button', { name: 'OK' }).click();
  await expect(page).toHaveURL(address);

  await page.goto(`${address}&confirmPurchase=true`);
  await expect(page.getByText('It is included for you.')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('the encryption root is hidden while its view is switched off @narrow [BRW-20] [BRW-21]', async ({ owner: page }) => {
  await page.goto('/browse');
  await expect(page.getByRole('link', { name: /^Server/ })).toBeVisible();
  await expect(root(page)).toHaveCount(0);

  await page.goto(address);
  await expect(view(page)).not.toBeChecked();
  const [answer] = await Promise.all([page.waitForResponse(/\/rest\/encryption\/set_root_view$/), view(page).click()]);
  expect(answer.ok()).toBe(true);
  await expect(view(page)).toBeChecked();

  await page.goto('/browse');
  await root(page).click();
  await expect(page).toHaveURL(address);
  await expect(page.getByText('There is no encrypted folder yet')).toBeVisible();
  await expect(view(page)).toBeChecked();

  await Promise.all([page.waitForResponse(/\/rest\/encryption\/set_root_view$/), view(page).click()]);
  await page.goto('/browse');
  await expect(page.getByRole('link', { name: /^Server/ })).toBeVisible();
  await expect(root(page)).toHaveCount(0);
});

test('the folder picker shows the root only with its view on, and nothing can be selected in it [BRW-20] [BRW-21]', async ({
  owner: page,
}) => {
  const { url } = await call<{ url: string }>(page, '/rest/handoff/start', { action: 'sync', name: 'Laptop' });
  const entry = page.getByRole('list', { name: 'Links' }).getByRole('button', { name: 'Encryption' });
  await page.goto(url);
  await expect(page.getByRole('list', { name: 'Links' }).getByRole('button', { name: /^Server/ })).toBeVisible();
  await expect(entry).toHaveCount(0);
  await call(page, '/rest/encryption/set_root_view', { rootView: 'true' });
  await page.reload();
  await entry.click();
  await expect(page.getByText('There is no encrypted folder yet.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Okay' })).toBeDisabled();
  await page.getByRole('button', { name: 'BACK' }).click();
  await expect(entry).toBeVisible();
});

test('if switching the view fails, it is reset and the reason is shown', async ({ user: page }) => {
  await page.goto(address);
  await page.route('**/rest/encryption/set_root_view', (route) => route.abort());
  await view(page).click();
  await expect(page.getByText(/^Cannot change the view\./)).toBeVisible();
  await expect(view(page)).not.toBeChecked();
});

test('if everything is included the list says so, and offers no purchase', async ({ browser, account }) => {
  const sheaf = await startSheaf({ SHEAF_BILLING: 'off' });
  const context = await browser.newContext({ baseURL: sheaf.url });
  try {
    const page = await context.newPage();
    await page.request.post('/rest/auth/email/signup', { form: { ...account } });
    await page.goto(address);
    await expect(page.getByText('It is included for you.')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Get Premium' })).toHaveCount(0);
  } finally {
    await context.close();
    await sheaf.stop();
  }
});
