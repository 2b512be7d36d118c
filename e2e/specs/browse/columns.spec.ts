import { expect, expectAccessible, test } from '../../fixtures/test.ts';
import { openFolder, rowOf } from './actions.ts';

test('columns are chosen, resized by mouse and keyboard, and remembered; known folders have a size', async ({ owner: page, storage }) => {
  await storage.put({ 'Album/inside.txt': 'x'.repeat(1500), 'letter.pdf': 'Dear reader' });
  await openFolder(page, '/browse/Server/Album');
  await openFolder(page);
  await expect(rowOf(page, 'Album')).toContainText('1 KB');
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Type' }).click();
  await expect(rowOf(page, 'letter.pdf')).toContainText('PDF');
  await expectAccessible(page);
  await page.getByRole('menuitemcheckbox', { name: 'Modified' }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('columnheader', { name: 'Modified' })).toHaveCount(0);

  const edge = page.getByRole('separator', { name: 'Width of Type' });
  await edge.focus();
  await page.keyboard.press('ArrowLeft');
  await expect(edge).toHaveAttribute('aria-valuenow', '128');
  const box = await edge.boundingBox();
  if (!box) throw new Error('no edge');
  await page.mouse.move(box.x + 5, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(box.x - 95, box.y + 10, { steps: 3 });
  await page.mouse.up();
  await expect(edge).toHaveAttribute('aria-valuenow', '228');
  await page.reload();
  await expect(page.getByRole('separator', { name: 'Width of Type' })).toHaveAttribute('aria-valuenow', '228');
  await expect(page.getByRole('columnheader', { name: 'Modified' })).toHaveCount(0);
});
