import { expect, expectAccessible, test } from '../../fixtures/test.ts';
import { openFolder, rowOf } from '../browse/actions.ts';

test('several selected items become one link, which shows a visitor each of them @narrow', async ({ owner: page, storage, browser }) => {
  await storage.put({ 'Trip/a.txt': 'first', 'note.txt': 'second', 'secret.txt': 'secret' });
  await openFolder(page);
  for (const name of ['Trip', 'note.txt']) await rowOf(page, name).click({ modifiers: ['ControlOrMeta'] });
  await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Share' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Trip and 1 more');
  await dialog.getByText('More choices').click();
  await expect(dialog.getByLabel('Visitors only add files')).toHaveCount(0);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Share', exact: true }).click();
  const address = await dialog.getByLabel('SHARE THIS').inputValue();

  const visitor = await (await browser.newContext()).newPage();
  await visitor.goto(address);
  await expect(visitor.getByRole('heading', { name: 'Trip and 1 more' })).toBeVisible();
  await expect(visitor.getByText('secret.txt')).toHaveCount(0);
  await visitor.getByRole('link', { name: 'Trip', exact: true }).click();
  await visitor.getByRole('link', { name: 'a.txt', exact: true }).click();
  await expect(visitor.getByText('first')).toBeVisible();
  await visitor.goto(address);
  await visitor.getByRole('link', { name: 'note.txt', exact: true }).click();
  await expect(visitor.getByText('second')).toBeVisible();
  await visitor.context().close();
});
