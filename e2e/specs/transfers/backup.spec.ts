import { expect, expectAccessible } from '../../fixtures/test.ts';
import { openFolder } from '../browse/actions.ts';
import { chooseTarget, openTargets, test } from './places.ts';

test('a folder is backed up from the copy dialog; the schedule can be run and deleted @narrow', async ({
  owner: page,
  storage,
  backup,
}) => {
  await page.goto('/upgrade#thirtydaytrialScreen');
  await page.getByRole('button', { name: 'Get Trial' }).click();
  await expect(page.getByRole('heading', { name: 'Thank You' })).toBeVisible();
  await storage.put({ 'Photos/a.txt': 'a', 'Photos/b.txt': 'b' });
  await backup.put({ 'Archive/': '' });
  await openFolder(page);
  const targets = await openTargets(page, 'Photos', 'Copy');
  await chooseTarget(targets, 'Backup', 'Archive');
  await targets.getByRole('button', { name: 'Back up' }).click();
  const dialog = page.getByRole('dialog', { name: 'Back up Photos' });
  await dialog.getByLabel('Name').fill('Holidays');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Back up' }).click();
  const row = page.getByRole('region', { name: 'Scheduled' }).getByRole('listitem').filter({ hasText: 'Holidays' });
  await expect(row.getByText('Mirror Photos to Archive')).toBeVisible();
  await row.getByRole('button', { name: 'Run now' }).click();
  await expect.poll(() => backup.names('Archive'), { timeout: 20_000 }).toContain('Photos');
  await expect.poll(() => backup.names('Archive/Photos'), { timeout: 20_000 }).toEqual(['a.txt', 'b.txt']);
  await row.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete schedule' }).click();
  await expect(row).toHaveCount(0);
  expect(await backup.names('Archive/Photos')).toEqual(['a.txt', 'b.txt']);
});
