import { expect, expectAccessible } from '../../fixtures/test.ts';
import { openFolder, rowOf } from '../browse/actions.ts';
import { chooseTarget, expectMessage, openTargets, test } from './places.ts';

test('a folder is copied to a folder of another link, and the target shows it @narrow', async ({ owner: page, storage, backup }) => {
  await storage.put({ 'Photos/2025/beach.txt': 'waves', 'Photos/list.txt': 'all' });
  await backup.put({ 'Archive/': '' });
  await openFolder(page);
  const dialog = await openTargets(page, 'Photos', 'Copy');
  await expect(dialog.getByRole('button', { name: 'Copy here' })).toBeDisabled();
  await chooseTarget(dialog, 'Backup', 'Archive');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Copy here' }).click();
  await expect(dialog).toHaveCount(0);
  await expectMessage(page, 'Copied Photos to Archive.');
  expect(await backup.text('Archive/Photos/2025/beach.txt')).toBe('waves');
  expect(await storage.names('Photos')).toEqual(['2025', 'list.txt']);
  await page.goto('/browse/Backup/Archive');
  await expect(rowOf(page, 'Photos')).toBeVisible();
});

test('selected items move by the selection bar, and leave their folder', async ({ owner: page, storage, backup }) => {
  await storage.put({ 'a.txt': 'a', 'b.txt': 'b', 'stays.txt': 's' });
  await backup.put({ 'Inbox/': '' });
  await openFolder(page);
  await rowOf(page, 'a.txt').click();
  await rowOf(page, 'b.txt').click({ modifiers: ['ControlOrMeta'] });
  await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Move to…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Move 2 items' });
  await chooseTarget(dialog, 'Backup', 'Inbox');
  await dialog.getByRole('button', { name: 'Move here' }).click();
  await expectMessage(page, 'Moved 2 items to Inbox.');
  await expect(rowOf(page, 'a.txt')).toHaveCount(0);
  await expect(rowOf(page, 'stays.txt')).toBeVisible();
  expect([await storage.names(), await backup.names('Inbox')]).toEqual([['stays.txt'], ['a.txt', 'b.txt']]);
});

test('a taken name asks before anything is copied, and one rule can apply to all @narrow', async ({ owner: page, storage, backup }) => {
  await storage.put({ 'Notes/one.txt': 'new one', 'Notes/two.txt': 'new two', 'Notes/three.txt': 'new three' });
  await backup.put({ 'Notes/one.txt': 'old one', 'Notes/two.txt': 'old two' });
  await openFolder(page);
  const targets = await openTargets(page, 'Notes', 'Copy');
  await chooseTarget(targets, 'Backup');
  await targets.getByRole('button', { name: 'Copy here' }).click();
  const dialog = page.getByRole('dialog', { name: '2 decisions' });
  await expect(dialog.getByText('Nothing has been copied yet.')).toBeVisible();
  await expect(dialog.getByRole('list', { name: 'Items to decide' }).getByRole('listitem')).toHaveCount(2);
  await expectAccessible(page);
  expect(await backup.names('Notes')).toEqual(['one.txt', 'two.txt']);
  await dialog.getByLabel('For all whose name is taken').selectOption('Keep both');
  await expect(page.getByRole('dialog').getByLabel('What to do with one.txt')).toHaveValue('rename');
  await page.getByRole('dialog').getByLabel('What to do with two.txt').selectOption('Replace');
  await page.getByRole('dialog').getByRole('button', { name: 'Start copying' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expectMessage(page, 'Copied Notes to Backup.');
  expect(await backup.names('Notes')).toEqual(['one 2.txt', 'one.txt', 'three.txt', 'two.txt']);
  expect([await backup.text('Notes/one.txt'), await backup.text('Notes/one 2.txt'), await backup.text('Notes/two.txt')]).toEqual([
    'old one',
    'new one',
    'new two',
  ]);
});

test('the plan can be reviewed first, left undecided, and started from the page of transfers', async ({ owner: page, storage, backup }) => {
  await storage.put({ 'letter.txt': 'new' });
  await backup.put({ 'letter.txt': 'old' });
  await openFolder(page);
  const dialog = await openTargets(page, 'letter.txt', 'Copy');
  await chooseTarget(dialog, 'Backup');
  await dialog.getByRole('button', { name: 'Review plan' }).click();
  await expect(page).toHaveURL(/\/transfers\/.+/);
  await expect(page.getByRole('heading', { name: 'Copy letter.txt to Backup' })).toBeVisible();
  await expect(page.getByText('1 left to decide.')).toBeVisible();
  await expectAccessible(page);
  await page.goto('/transfers');
  const waiting = page.getByRole('region', { name: 'Needs a decision' });
  await waiting.getByRole('link', { name: 'Decide' }).click();
  await page.getByLabel('What to do with letter.txt').selectOption('Skip');
  await page.getByRole('button', { name: 'Start copying' }).click();
  await expect(page.getByRole('heading', { name: 'Copied letter.txt to Backup' })).toBeVisible({ timeout: 20_000 });
  expect(await backup.text('letter.txt')).toBe('old');
});

test('a target is found by keyboard alone, in a folder created on the way, and comes first next time', async ({
  owner: page,
  storage,
  backup,
}) => {
  await storage.put({ 'a.txt': 'a', 'b.txt': 'b' });
  await backup.put({ 'Deep/er/': '' });
  await openFolder(page);
  const dialog = await openTargets(page, 'a.txt', 'Copy');
  await dialog.getByRole('region', { name: 'Links' }).getByRole('button').first().focus();
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Into Backup')).toBeVisible();
  await dialog.getByRole('list', { name: 'Folders' }).getByRole('button', { name: 'Deep' }).focus();
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('button', { name: 'er', exact: true })).toBeFocused();
  await page.keyboard.press('Backspace');
  await expect(dialog.getByRole('button', { name: 'Deep', exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('button', { name: 'er', exact: true })).toBeFocused();
  await dialog.getByRole('button', { name: 'New folder' }).focus();
  await page.keyboard.press('Enter');
  await expect(dialog.getByLabel('New name')).toBeFocused();
  await page.keyboard.type('Fresh');
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Fresh' }).focus();
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Into Backup / Deep / Fresh')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Copy here' })).toBeEnabled();
  await dialog.getByRole('button', { name: 'Copy here' }).focus();
  await page.keyboard.press('Enter');
  await expectMessage(page, 'Copied a.txt to Fresh.');
  expect(await backup.text('Deep/Fresh/a.txt')).toBe('a');

  const again = await openTargets(page, 'b.txt', 'Move');
  await again.getByRole('region', { name: 'Recent targets' }).getByRole('button', { name: 'Deep / Fresh' }).click();
  await again.getByRole('button', { name: 'Move here' }).click();
  await expectMessage(page, 'Moved b.txt to Fresh.');
  expect([await backup.names('Deep/Fresh'), await storage.names()]).toEqual([['a.txt', 'b.txt'], ['a.txt']]);
});

test('a folder cannot be put into itself, nor moved to where it is', async ({ owner: page, storage }) => {
  await storage.put({ 'Photos/2025/': '' });
  await openFolder(page);
  const dialog = await openTargets(page, 'Photos', 'Move');
  await dialog.getByRole('region', { name: 'Links' }).getByRole('button', { name: 'Server' }).click();
  await expect(dialog.getByText('The items are in this folder already.')).toBeVisible();
  await dialog.getByRole('list', { name: 'Folders' }).getByRole('button', { name: 'Photos' }).click();
  await expect(dialog.getByText('A folder cannot be put into itself.')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Move here' })).toBeDisabled();
});

test('a copy can be limited and read back, and its page says so @narrow', async ({ owner: page, storage, backup }) => {
  await storage.put({ 'report.txt': 'figures' });
  await backup.put({ 'Archive/': '' });
  await openFolder(page);
  const dialog = await openTargets(page, 'report.txt', 'Copy');
  await chooseTarget(dialog, 'Backup', 'Archive');
  await dialog.getByRole('button', { name: 'More options' }).click();
  await dialog.getByLabel('Verify copies').selectOption('Read all back');
  await dialog.getByLabel('Limit the speed').selectOption({ index: 2 });
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Copy here' }).click();
  await expectMessage(page, 'Copied report.txt to Archive.');
  expect(await backup.text('Archive/report.txt')).toBe('figures');
  await page.goto('/transfers');
  await page.getByRole('link', { name: /report\.txt/ }).click();
  await expect(page.getByText(/^at most .+\/s/)).toBeVisible();
  await expect(page.getByText('Read back', { exact: true }).first()).toBeVisible();
});
