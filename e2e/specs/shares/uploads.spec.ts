import { expect, expectAccessible, test } from '../../fixtures/test.ts';
import { openFolder } from '../browse/actions.ts';
import { askToShare } from './actions.ts';

test('a visitor uploads into a folder, sees nothing of it, and continues after a lost connection; its owner sees the files arrive @narrow', async ({
  owner: page,
  storage,
  browser,
}) => {
  await storage.put({ 'Letters/secret.txt': 'secret' });
  await openFolder(page);
  await askToShare(page, 'Letters');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('More choices').click();
  await dialog.getByLabel('Visitors only add files').check();
  await expect(dialog.getByLabel('Visitors may look, but not download')).toHaveCount(0);
  await dialog.getByLabel('Limit of files').fill('4');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Share', exact: true }).click();
  const address = await dialog.getByLabel('SHARE THIS').inputValue();
  await dialog.getByRole('button', { name: 'FINISHED' }).click();

  const context = await browser.newContext();
  const visitor = await context.newPage();
  await visitor.goto(address);
  await expect(visitor.getByRole('heading', { name: 'Letters' })).toBeVisible();
  await expect(visitor.getByText('secret')).toHaveCount(0);
  await expectAccessible(visitor);
  const choose = (name: string, text: string): Promise<void> =>
    visitor.getByLabel('Files to add').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
  await choose('dear.txt', 'Dear you');
  await expect(visitor.getByRole('status')).toHaveText('Your file was added. Thank you.');
  await context.setOffline(true);
  await choose('secret.txt', 'mine');
  await expect(visitor.getByText('Waiting for the connection; it goes on by itself')).toBeVisible();
  await context.setOffline(false);
  await expect(visitor.getByRole('status')).toHaveText('All 2 files were added. Thank you.');
  await expectAccessible(visitor);

  await page.goto('/shared');
  await expect(page.getByRole('row', { name: 'Letters' }).getByRole('img', { name: 'Visitors only add files' })).toBeVisible();
  await expect(page.getByRole('row', { name: 'Letters' })).toContainText('2 of 4 files');
  await openFolder(page, '/browse/Server/Letters');
  await expect(page.getByRole('row', { name: 'dear.txt', exact: true })).toBeVisible();
  await expect(page.getByRole('row', { name: 'secret 2.txt', exact: true })).toBeVisible();
  await context.close();
});
