import type { Locator } from '@playwright/test';
import { expect, test } from '../fixtures/test.ts';
import { openFolder, rename, rowOf } from './browse/actions.ts';

async function boxOf(place: Locator) {
  const box = await place.boundingBox();
  if (!box) throw new Error('nothing is shown there');
  return { top: box.y, bottom: box.y + box.height };
}

test('on a narrow screen a message is below the first lines of a preview and above the buttons at its end', async ({
  owner: page,
  storage,
}) => {
  await storage.put({ 'draft.txt': 'first line', 'letter.txt': 'Dear reader' });
  await openFolder(page);
  await rename(page, 'draft.txt', 'notes.txt');
  const message = page.getByRole('status').filter({ hasText: 'notes.txt' });
  await expect(message).toBeVisible();
  // A message stays while the pointer is on it.
  await message.hover();
  await page.setViewportSize({ width: 390, height: 844 });
  const selection = await boxOf(page.getByRole('toolbar', { name: 'Selection' }));
  expect((await boxOf(message)).bottom).toBeLessThanOrEqual(selection.top);
  await rowOf(page, 'notes.txt').dispatchEvent('dblclick');
  const contents = page.getByRole('region', { name: 'Contents of notes.txt' });
  await expect(contents).toContainText('first line');
  await expect(message).toBeVisible();
  const shown = await boxOf(message);
  expect(shown.top).toBeGreaterThan((await boxOf(contents.getByText('first line'))).bottom);
  expect(shown.bottom).toBeLessThanOrEqual(
    (
      await boxOf(
        page
          .getByRole('button', { name: 'Previous' })
          .or(page.getByRole('button', { name: 'Next' }))
          .first(),
      )
    ).top,
  );
});
