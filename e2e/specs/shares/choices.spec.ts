import type { Page } from '@playwright/test';
import { expect, expectAccessible, test } from '../../fixtures/test.ts';
import { openFolder } from '../browse/actions.ts';
import { askToShare, choose } from './actions.ts';

const dialog = (page: Page) => page.getByRole('dialog');

test('a share gets a chosen expiration, a limit and no downloads, which its settings show again; a visitor can view and not download @narrow', async ({
  owner: page,
  storage,
  browser,
}) => {
  await storage.put({ 'Trip/letter.txt': 'Dear reader', 'Trip/tool.bin': 'bits' });
  await openFolder(page);
  await askToShare(page, 'Trip');
  await dialog(page).getByText('More choices').click();
  await dialog(page).getByLabel('Ends on').fill('2020-01-01T08:00');
  await expect(dialog(page)).toContainText('This time has passed.');
  await expect(dialog(page).getByRole('button', { name: 'Share', exact: true })).toBeDisabled();
  await dialog(page).getByLabel('Ends on').fill('2099-05-04T10:30');
  await expect(dialog(page).getByRole('radio', { name: 'NEVER EXPIRES' })).toBeDisabled();
  await dialog(page).getByLabel('Limit of downloads').fill('3');
  await dialog(page).getByLabel('Visitors may look, but not download').check();
  await dialog(page).getByLabel('Tell me by mail when it is opened').check();
  await expectAccessible(page);
  await dialog(page).getByRole('button', { name: 'Share', exact: true }).click();
  await expect(dialog(page)).toContainText('2099');
  const address = await dialog(page).getByLabel('SHARE THIS').inputValue();
  await dialog(page).getByText('QR code').click();
  await expect(dialog(page).getByRole('img', { name: 'QR code of the address' })).toBeVisible();
  await dialog(page).getByRole('button', { name: 'FINISHED' }).click();

  const visitor = await (await browser.newContext()).newPage();
  await visitor.goto(address);
  await visitor.getByRole('link', { name: 'letter.txt', exact: true }).click();
  await expect(visitor.getByText('Dear reader')).toBeVisible();
  await expect(visitor.getByRole('link', { name: /Download/ })).toHaveCount(0);
  await visitor.goBack();
  await visitor.getByRole('link', { name: 'tool.bin', exact: true }).click();
  await expect(visitor.getByText('There is no preview of this file')).toBeVisible();
  await expect(visitor.getByRole('link', { name: /Download/ })).toHaveCount(0);
  await visitor.context().close();

  await page.goto('/shared');
  await choose(page, 'Trip', 'Settings');
  await expect(dialog(page).getByLabel('Ends on')).toHaveValue('2099-05-04T10:30');
  await expect(dialog(page).getByLabel('Limit of downloads')).toHaveValue('3');
  await expect(dialog(page).getByLabel('Visitors may look, but not download')).toBeChecked();
  await dialog(page).getByLabel('Ends on').fill('');
  await dialog(page).getByLabel('Visitors may look, but not download').uncheck();
  await dialog(page).getByRole('button', { name: 'Save Changes' }).click();
  await expect(dialog(page)).toHaveCount(0);
  await choose(page, 'Trip', 'Settings');
  await expect(dialog(page).getByLabel('Ends on')).toHaveValue('');
  await expect(dialog(page).getByLabel('Limit of downloads')).toHaveValue('3');
});
