import type { Page } from '@playwright/test';
import { expect, expectAccessible, test } from '../../fixtures/test.ts';
import { openFolder, rowOf } from './actions.ts';

const text = (page: Page) => page.getByRole('textbox', { name: 'Text of notes.md' });
const editor = (page: Page) => page.getByRole('toolbar', { name: 'Editor' });

test('a new text file is named, edited and saved over the version that was read; a conflict loses nothing @narrow', async ({
  owner: page,
  storage,
}) => {
  await storage.put({ 'a.txt': 'a' });
  await openFolder(page);
  await page.getByRole('button', { name: 'Upload' }).click();
  await page.getByRole('menuitem', { name: 'New text file' }).click();
  await page.getByLabel('New name').fill('notes.md');
  await page.keyboard.press('Enter');
  await expect.poll(() => storage.names()).toEqual(['a.txt', 'notes.md']);

  await openFolder(page);
  await rowOf(page, 'notes.md').dblclick();
  await page.getByRole('button', { name: 'Edit' }).click();
  await expect(text(page)).toBeFocused();
  await page.keyboard.type('# Plan i 1');
  await expect(editor(page)).toContainText('Unsaved changes');
  await expectAccessible(page);
  await page.keyboard.press('Control+s');
  await expect(editor(page)).toContainText('Everything is saved');
  expect(await storage.text('notes.md')).toBe('# Plan i 1');

  // Another user saves meanwhile.
  await storage.put({ 'notes.md': 'theirs, and longer' });
  await text(page).press('End');
  await page.keyboard.type(' mine');
  await editor(page).getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('"notes.md" was changed by somebody else');
  expect(await storage.text('notes.md')).toBe('theirs, and longer');
  await page.keyboard.press('Escape');
  const question = page.getByRole('dialog', { name: 'Discard your changes?' });
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expect(question).toHaveCount(0);
  await expect(text(page)).toHaveText('# Plan i 1 mine');
  await page.getByRole('button', { name: 'Save mine as a copy' }).click();
  await expect(page.getByText('Saved as notes 2.md')).toBeVisible();
  expect([await storage.text('notes.md'), await storage.text('notes 2.md')]).toEqual(['theirs, and longer', '# Plan i 1 mine']);

  await page.getByRole('button', { name: 'Edit' }).click();
  await expect(text(page)).toHaveText('theirs, and longer');
  for (const [at, theirs] of ['their second text', 'the third text of theirs'].entries()) {
    await text(page).press('End');
    await page.keyboard.type(' mine');
    await storage.put({ 'notes.md': theirs });
    await page.keyboard.press('Control+s');
    await page.getByRole('button', { name: at === 0 ? 'Reload' : 'Replace it with mine' }).click();
    expect(await storage.text('notes.md')).toBe(theirs);
    if (at === 0) await page.getByRole('dialog').getByRole('button', { name: 'Discard and reload' }).click();
    else await page.getByRole('dialog', { name: 'Replace the newer version?' }).getByRole('button', { name: 'Replace' }).click();
    await expect(text(page)).toHaveText(at === 0 ? theirs : 'their second text mine');
    await expect(editor(page)).toContainText('Everything is saved');
  }
  expect(await storage.text('notes.md')).toBe('their second text mine');
  await text(page).press('End');
  await page.keyboard.type('!');
  await page.goBack();
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await storage.text('notes.md')).toBe('their second text mine');
  await expect(rowOf(page, 'notes 2.md')).toBeVisible();
});
