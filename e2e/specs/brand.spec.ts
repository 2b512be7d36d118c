import { writeFile } from 'node:fs/promises';
import { tempDir } from '@sheaf/testbed';
import type { Sheaf } from '../fixtures/sheaf.ts';
import { startSheaf } from '../fixtures/sheaf.ts';
import { test as base, expect, expectAccessible, signUp } from '../fixtures/test.ts';

/** A server with the operator's own branding. */
const test = base.extend<object, { branded: Sheaf }>({
  branded: [
    async ({ database }, use) => {
      const folder = await tempDir('brand');
      const logo = `${folder.path}/logo.svg`;
      await writeFile(logo, '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4" fill="#b4552d"/></svg>');
      const pages = { SHEAF_IMPRINT_URL: 'https://halm.example/imprint', SHEAF_PRIVACY_URL: 'https://halm.example/privacy' };
      const sheaf = await startSheaf({ SHEAF_BRAND_NAME: 'Halm Files', SHEAF_BRAND_LOGO: logo, ...pages }, database);
      await use(sheaf);
      await sheaf.stop();
      await folder.remove();
    },
    { scope: 'worker' },
  ],
});

test('name, logo and pages of the operator appear on the sign-in pages and on every other page @narrow', async ({
  browser,
  branded,
  account,
  viewport,
}) => {
  const context = await browser.newContext({ baseURL: branded.url, viewport });
  const page = await context.newPage();
  await page.goto('/login/start');
  await expect(page.getByRole('heading', { name: 'Sign in to Halm Files' })).toBeVisible();
  await expect(page.locator('section img')).toHaveJSProperty('naturalWidth', 150);
  await expect(page.getByRole('link', { name: 'Privacy' })).toHaveAttribute('href', 'https://halm.example/privacy');
  await expectAccessible(page);
  await page.goto('/about');
  await expect(page.getByRole('link', { name: 'Imprint' })).toBeVisible();
  await signUp(page, account);
  await page.goto('/account/mysheaf');
  await expect(page.getByRole('link', { name: 'Halm Files, my links' })).toBeVisible();
  await expectAccessible(page);
  await context.close();
});
