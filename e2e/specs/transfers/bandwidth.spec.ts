import { expect, expectAccessible, test } from '../../fixtures/test.ts';

test('speed limits by hours of the week are set by keyboard, and the page shows the current limit @narrow', async ({ owner: page }) => {
  await page.goto('/transfers');
  const open = page.getByRole('button', { name: 'No speed limit now' });
  await open.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Speed limits' });
  await dialog.getByRole('button', { name: 'Add hours' }).focus();
  await page.keyboard.press('Enter');
  await dialog.getByLabel('Days of row 1').selectOption('Every day');
  await dialog.getByLabel('From, row 1').fill('00:00');
  await dialog.getByLabel('Until, row 1').fill('00:00');
  await dialog.getByLabel('Limit of row 1').selectOption('5.0 MB/s');
  await dialog.getByRole('button', { name: 'Add hours' }).click();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save' }).focus();
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await page.reload();
  await page.getByRole('button', { name: 'At most 5.0 MB/s now' }).click();
  await expect(dialog.getByLabel('Days of row 2')).toHaveValue('Mon-Fri');
  await expect(dialog.getByLabel('From, row 2')).toHaveValue('08:00');
  await dialog.getByRole('button', { name: 'Remove row 1' }).click();
  await dialog.getByRole('button', { name: 'Remove row 1' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(open).toBeVisible();
});
