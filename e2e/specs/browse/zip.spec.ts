import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Download } from '@playwright/test';
import { run } from '@sheaf/testbed';
import { expect, test } from '../../fixtures/test.ts';
import { openFolder, rowOf, savedFrom } from './actions.ts';

/** Unpacks with an independent program. */
async function unpack(zip: Buffer, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'all.zip'), zip);
  await run('python3', [
    '-c',
    'import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])',
    join(folder, 'all.zip'),
    folder,
  ]);
}

test('a folder, and a selection with a folder in it, are downloaded as one zip', async ({ owner: page, storage }, info) => {
  await storage.put({ 'Trip/a.txt': 'first', 'Trip/Days/b.txt': 'second', 'c.txt': 'third' });
  await openFolder(page);
  await rowOf(page, 'Trip').hover();
  await page.getByRole('button', { name: 'Menu of Trip' }).click();
  const one = await savedFrom(page, () => page.getByRole('menuitem', { name: 'Download' }).click());
  await unpack(one, info.outputPath('one'));
  expect(await readFile(info.outputPath('one/Trip/Days/b.txt'), 'utf8')).toBe('second');
  await rowOf(page, 'Trip').click();
  await rowOf(page, 'c.txt').click({ modifiers: ['Control'] });
  const both = await savedFrom(page, () =>
    page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Download' }).click(),
  );
  await unpack(both, info.outputPath('both'));
  expect(await readFile(info.outputPath('both/c.txt'), 'utf8')).toBe('third');
  expect(await readFile(info.outputPath('both/Trip/a.txt'), 'utf8')).toBe('first');
});

test('all of a dozen selected files are saved, although the browser allows ten at a time', async ({ owner: page, storage }) => {
  const names = Array.from({ length: 12 }, (_, index) => `${index}.txt`);
  await storage.put(Object.fromEntries(names.map((name) => [name, `content of ${name}`])));
  await openFolder(page);
  const saved: Download[] = [];
  page.on('download', (download) => saved.push(download));
  await page.getByRole('checkbox', { name: 'Select all' }).click();
  await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Download' }).click();
  await expect.poll(() => saved.map((download) => download.suggestedFilename()).toSorted()).toEqual(names.toSorted());
});
