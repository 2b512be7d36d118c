import { expect, test } from '../fixtures/test.ts';
import { openFolder } from './browse/actions.ts';

test('a table of many columns keeps its words whole, and breaks one that is longer than a column', async ({ owner: page, storage }) => {
  const columns = Array.from({ length: 150 }, (_, at) => `column${at}`);
  await storage.put({ 'wide.csv': `${columns.join(',')}\n1,2`, 'long.csv': `what,${'x'.repeat(3000)}` });
  await openFolder(page, '/browse/Server?preview=wide.csv');
  await expect(page.getByText('The first 100 columns are shown.')).toBeVisible();
  expect((await page.getByRole('columnheader', { name: 'column42' }).boundingBox())?.height).toBeLessThan(40);
  await openFolder(page, '/browse/Server?preview=long.csv');
  expect((await page.getByRole('columnheader', { name: /xxx/ }).boundingBox())?.width).toBeLessThan(460);
});
