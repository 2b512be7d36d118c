import { expect, expectAccessible } from '../../fixtures/test.ts';
import { openFolder } from '../browse/actions.ts';
import { chooseTarget, openTargets, test } from './places.ts';

test('a folder is backed up from the copy dialog; the schedule can be run, changed, paused and deleted @narrow', async ({
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
  await expect(dialog.getByRole('list', { name: 'Next runs' }).getByRole('listitem')).toHaveCount(5);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Back up' }).click();
  const row = page.getByRole('region', { name: 'Scheduled' }).getByRole('listitem').filter({ hasText: 'Holidays' });
  await expect(row.getByText('Mirror Photos to Archive')).toBeVisible();
  await row.getByRole('button', { name: 'Run now' }).click();
  await expect.poll(() => backup.names('Archive'), { timeout: 20_000 }).toContain('Photos');
  await expect.poll(() => backup.names('Archive/Photos'), { timeout: 20_000 }).toEqual(['a.txt', 'b.txt']);

  const choose = async (entry: string): Promise<void> => {
    await row.getByRole('button', { name: 'Menu of Holidays' }).click();
    await page.getByRole('menuitem', { name: entry }).click();
  };
  await choose('Edit');
  const edit = page.getByRole('dialog', { name: 'Edit Holidays' });
  await edit.getByLabel('How often').selectOption('Every week');
  await edit.getByRole('button', { name: 'Monday' }).click();
  await expect(edit.getByRole('button', { name: 'Save' })).toBeDisabled();
  await edit.getByRole('button', { name: 'Sunday' }).click();
  await edit.getByLabel('At', { exact: true }).fill('09:15');
  await edit.getByLabel('Time zone').selectOption('Asia/Tokyo');
  await edit.getByLabel('Days to keep old files').fill('90');
  await expect(edit.getByRole('list', { name: 'Next runs' }).getByText(/^Sunday.*09:15$/)).toHaveCount(5);
  await expectAccessible(page);
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(edit).toHaveCount(0);
  await choose('Edit');
  await expect(edit.getByLabel('Days to keep old files')).toHaveValue('90');
  await edit.getByLabel('How often').selectOption('Cron text');
  await expect(edit.getByLabel('Cron text')).toHaveValue('15 9 * * 0');
  await edit.getByLabel('Cron text').fill('0 0 31 2 *');
  await expect(edit.getByText('These times never come, or are not cron text.')).toBeVisible();
  await edit.getByRole('button', { name: 'Cancel' }).click();
  await choose('Pause');
  await expect(row.getByText('Paused')).toBeVisible();
  await choose('Resume');
  await expect(row.getByText(/^Next /)).toBeVisible();
  await choose('Delete');
  await page.getByRole('button', { name: 'Delete schedule' }).click();
  await expect(row).toHaveCount(0);
  expect(await backup.names('Archive/Photos')).toEqual(['a.txt', 'b.txt']);
});

test('a folder is backed up from its menu, and without Premium the dialog says what is missing @narrow', async ({
  owner: page,
  storage,
  backup,
}) => {
  await storage.put({ 'Photos/a.txt': 'a' });
  await backup.put({ 'Archive/': '' });
  await openFolder(page);
  const targets = await openTargets(page, 'Photos', 'Back up');
  await chooseTarget(targets, 'Backup', 'Archive');
  await targets.getByRole('button', { name: 'Back up here' }).click();
  const dialog = page.getByRole('dialog', { name: 'Back up Photos' });
  await dialog.getByLabel('How often').selectOption('Every month');
  await dialog.getByRole('button', { name: 'Back up' }).click();
  await expect(dialog.getByText('You need a Backup subscription')).toBeVisible();
});
