import { expect, expectAccessible, test } from '../fixtures/test.ts';

test('the operator makes a backup and sees when, why and how large @narrow', async ({ owner: page }) => {
  await page.goto('/account/mysheaf');
  await page.getByRole('button', { name: /^Account: / }).click();
  await page.getByRole('menuitem', { name: 'Backups' }).click();
  await expect(page.getByText('One is made each night, and fourteen are kept.')).toBeVisible();
  await expect(page.getByText('keep a copy of it apart')).toBeVisible();
  await page.getByRole('button', { name: 'Back up now' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'was made.' })).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'Made by an operator' }).first()).toContainText('KB');
  await expectAccessible(page);
});

test('the operator sees the state of the installation, and tests the mail @narrow', async ({ owner: page }) => {
  await page.goto('/account/mysheaf');
  await page.getByRole('button', { name: /^Account: / }).click();
  await page.getByRole('menuitem', { name: 'Health' }).click();
  await expect(page.getByRole('definition').filter({ hasText: 'answers in' })).toContainText('SQLite');
  await page.getByRole('button', { name: 'Send a test letter' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'A letter went to' })).toBeVisible();
  await expectAccessible(page);
});
