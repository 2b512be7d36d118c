import { type LinkKnowledge, folderUsage, getLinkKnowledge } from '@sheaf/contract';
import { expect, expectAccessible, test } from '../fixtures/test.ts';
import { openFolder } from './browse/actions.ts';

const kib = (count: number, letter = 'x'): string => letter.repeat(count * 1024);

test('the usage of a link leads into its folders and to the largest files, and duplicates are compared @narrow', async ({
  owner: page,
  storage,
}) => {
  await storage.put({
    'Films/Summer/beach.mp4': kib(1500),
    'Films/copy of beach.mp4': kib(1500),
    'Photos/flower.jpg': kib(700),
    'other.mp4': kib(1500, 'y'),
  });
  for (const address of ['', '/Films', '/Films/Summer', '/Photos']) await openFolder(page, `/browse/Server${address}`);
  await expect.poll(async () => (await (await page.request.get(folderUsage.path)).json()) as unknown).toMatchObject({ data: { files: 4 } });

  await page.goto('/account/mysheaf');
  await page.getByRole('button', { name: 'Menu of Server' }).click();
  await page.getByRole('menuitem', { name: 'Usage' }).click();
  await expect(page.getByText('5.1 MB in 4 files. All 4 folders are known.')).toBeVisible();
  const map = page.getByRole('list', { name: 'Room used' });
  await expect(map.getByRole('link', { name: 'Films, 2.9 MB, 2 files' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Largest files' }).getByRole('listitem')).toHaveCount(4);
  await expectAccessible(page);

  const kept = page.getByRole('switch', { name: 'Keep this link searchable' });
  await expect(kept).not.toBeChecked();
  await expect(page.getByText('only what is in folders that somebody has opened')).toBeVisible();
  await kept.click();
  await expect(page.getByText('4 folders known, oldest look just now. Sheaf looks again from time to time.')).toBeVisible();
  // Simulates that indexing has read more than the user opened.
  await page.route(`**${getLinkKnowledge.path}?*`, async (route) => {
    const response = await route.fetch();
    const { data } = (await response.json()) as { data: LinkKnowledge };
    await route.fulfill({ response, json: { data: { ...data, foldersUnopened: 3 } } });
  });
  await page.reload();
  await kept.click();
  await expect(page.getByRole('dialog')).toContainText('Sheaf knows 3 folders here that nobody has opened.');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Stop and forget' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(kept).not.toBeChecked();
  await map.getByRole('link', { name: 'Films, 2.9 MB, 2 files' }).click({ position: { x: 20, y: 10 } });
  await expect(page.getByText('2.9 MB in 2 files.')).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Folders' })).toHaveText('All links / Server / Films');
  await page.getByRole('link', { name: 'Open folder' }).click();
  await expect(page).toHaveURL('/browse/Server/Films');
  await page.goBack();

  await page.getByRole('link', { name: 'Duplicates' }).click();
  const group = page.getByRole('region', { name: '3 files of 1.5 MB' });
  await group.getByRole('button', { name: 'Compare contents' }).click();
  await expect(group.getByRole('status')).toContainText('have to be read');
  await group.getByRole('button', { name: /Read and compare/ }).click();
  await expect(group.getByRole('status')).toHaveText('2 have the same content as another one, by reading them.');
  await expect(group.getByRole('listitem').filter({ hasText: 'Same content' })).toHaveCount(2);
  await expect(group.getByRole('listitem').filter({ hasText: 'other.mp4' })).toContainText('Different');
  await expectAccessible(page);
});
