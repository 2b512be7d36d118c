import { expect, expectAccessible, test } from '../fixtures/test.ts';

test('the operator sets limits for everyone, makes an exception and removes it @narrow', async ({ owner: page, account }) => {
  await page.goto('/operator/limits');
  const everyone = page.getByRole('region', { name: 'Everyone' });
  await everyone.getByLabel('Transfers at once').fill('0');
  await everyone.getByRole('button', { name: 'Save limits' }).click();
  await expect(everyone.getByText('A number from 1 to 50, or nothing.')).toBeVisible();
  await everyone.getByLabel('Transfers at once').fill('3');
  await everyone.getByRole('button', { name: 'Save limits' }).click();
  await expect(page.getByText('The limits are in force.')).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Add an exception' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Person or organisation').fill(account.email);
  await dialog.getByRole('button', { name: account.email }).click();
  await dialog.getByLabel('Links', { exact: true }).fill('500');
  await dialog.getByLabel('Speed of transfers').fill('1.5');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save limits' }).click();
  const row = page.getByRole('region', { name: 'Exceptions' }).getByRole('listitem').filter({ hasText: account.email });
  await expect(row).toContainText('500 links, 1.5 MiB a second');
  await row.getByRole('button', { name: /^Menu of/ }).click();
  await page.getByRole('menuitem', { name: 'Remove exception' }).click();
  await expect(row).toHaveCount(0);
});

test('the operator sees what runs, waits and has failed in the background @narrow', async ({ owner: page }) => {
  await page.goto('/account/mysheaf');
  await page.getByRole('button', { name: /^Account: / }).click();
  await page.getByRole('menuitem', { name: 'Jobs' }).click();
  const waiting = page.getByRole('region', { name: 'Waiting' });
  const nightly = waiting.getByRole('listitem', { name: 'Make the nightly backup' });
  await expect(nightly).toContainText('Runs ');
  await expect(page.getByRole('region', { name: 'Failed' })).toBeVisible();
  await expectAccessible(page);
  await nightly.getByRole('button', { name: /^Menu of/ }).click();
  await page.getByRole('menuitem', { name: 'Run now' }).click();
  await expect(page.getByText('Started: Make the nightly backup.')).toBeVisible();
});

test('the operator finds a setting, sees where it comes from, and no secret @narrow', async ({ owner: page }) => {
  await page.goto('/operator/settings');
  await expect(page.getByRole('region', { name: 'At their presets' })).toContainText('SHEAF_MAIL_FROM');
  await expectAccessible(page);
  await page.getByRole('searchbox', { name: 'Search settings' }).fill('metrics');
  const row = page.getByRole('listitem').filter({ hasText: 'SHEAF_METRICS_TOKEN' });
  await expect(row).toContainText('Not set');
  await expect(page.getByText('SHEAF_MAIL_FROM')).toHaveCount(0);
});
