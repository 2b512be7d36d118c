import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { docxOf, pdfOf, pngOf, tiffOf, wavOf, zipOf } from '../fixtures/pictures.ts';
import { expect, expectAccessible, test } from '../fixtures/test.ts';
import { countCalls, openFolder, rowOf, rows, savedFrom } from './browse/actions.ts';

const viewer = (page: Page, name: string): Locator => page.getByRole('dialog', { name, exact: true });
const contents = (page: Page, name: string): Locator => page.getByRole('region', { name: `Contents of ${name}` });

/** Writes binary files to the storage. */
async function put(folder: string, files: Readonly<Record<string, Buffer | string>>): Promise<void> {
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes);
}

test('a picture opens over the list, goes through the folder with the arrow keys, and its address names it', async ({
  owner: page,
  storage,
}) => {
  await storage.put({ 'Album/': '', 'notes.txt': 'text between' });
  await put(storage.path, { 'a.png': pngOf(800, 400), 'b.png': pngOf(300, 600), 'z.png': pngOf(100, 100) });
  await openFolder(page);
  await rowOf(page, 'a.png').dblclick();
  await expect(viewer(page, 'a.png')).toBeVisible();
  await expect(page).toHaveURL('/browse/Server?preview=a.png');
  await expect(page.getByText('1 of 4')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Previous' })).toHaveCount(0);
  await page.keyboard.press('ArrowRight');
  await expect(viewer(page, 'b.png')).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(contents(page, 'notes.txt')).toContainText('text between');
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(viewer(page, 'z.png')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Next' })).toHaveCount(0);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await expect(page).toHaveURL('/browse/Server?preview=b.png');
  await page.reload();
  await expect(viewer(page, 'b.png')).toBeVisible();
  await expect(page.getByText('2 of 4')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(viewer(page, 'b.png')).toHaveCount(0);
  await expect(page).toHaveURL('/browse/Server');
});

test('Enter opens a preview, Escape and Back close it, and the focus returns', async ({ owner: page, storage }) => {
  await storage.put({ 'one.txt': 'first', 'two.txt': 'second' });
  await openFolder(page);
  await page.getByRole('grid').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(contents(page, 'two.txt')).toContainText('second');
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL('/browse/Server');
  await expect(page.getByRole('grid')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(contents(page, 'two.txt')).toBeVisible();
  await page.goBack();
  await expect(contents(page, 'two.txt')).toHaveCount(0);
  await expect(page).toHaveURL('/browse/Server');
});

test('a picture is zoomed, fitted and rotated', async ({ owner: page, storage }) => {
  await put(storage.path, { 'wide.png': pngOf(1200, 300) });
  await openFolder(page, '/browse/Server?preview=wide.png');
  const picture = page.getByRole('img', { name: 'wide.png' });
  const box = async (): Promise<{ width: number; height: number }> => (await picture.boundingBox()) ?? { width: 0, height: 0 };
  await expect.poll(async () => Math.round((await box()).width / (await box()).height)).toBe(4);
  const fitted = await box();
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await expect(page.getByRole('button', { name: 'Fit to the window' })).toHaveText('150%');
  await expect.poll(async () => (await box()).width).toBeGreaterThan(fitted.width * 1.4);
  await page.keyboard.press('0');
  await expect.poll(async () => Math.round((await box()).width)).toBe(Math.round(fitted.width));
  await page.keyboard.press('r');
  await expect.poll(async () => Math.round((await box()).height / (await box()).width)).toBe(4);
  expect((await box()).height).toBeLessThan(800);
  await page.getByRole('button', { name: 'Rotate' }).click();
  await page.keyboard.press('i');
  await expect(page.getByRole('complementary', { name: 'Info' })).toContainText('1200 × 300');
});

test('a picture format that no browser shows is converted', async ({ owner: page, storage }) => {
  await put(storage.path, { 'scan.tiff': tiffOf(300, 200) });
  await openFolder(page, '/browse/Server?preview=scan.tiff');
  const picture = page.getByRole('img', { name: 'scan.tiff' });
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight])).toEqual([300, 200]);
});

test('a drawing is shown, and its scripts and references neither run nor load', async ({ owner: page, storage, sheaf }) => {
  const drawing =
    '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60" onload="window.ran = true"><script>window.ran = true</script>' +
    '<image href="https://example.org/track.png" width="9" height="9"/><rect width="90" height="60" fill="teal"/></svg>';
  await put(storage.path, { 'drawing.svg': drawing });
  const outside: string[] = [];
  page.on('request', (request) => !request.url().startsWith(sheaf.url) && outside.push(request.url()));
  await openFolder(page, '/browse/Server?preview=drawing.svg');
  const picture = page.getByRole('img', { name: 'drawing.svg' });
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(90);
  expect(await page.evaluate(() => 'ran' in window)).toBe(false);
  expect(outside).toEqual([]);
});

test('audio plays and seeks by ranges', async ({ owner: page, storage }) => {
  await put(storage.path, { 'sound.wav': wavOf(3600) });
  await openFolder(page, '/browse/Server?preview=sound.wav');
  const sound = page.getByLabel('sound.wav', { exact: true }).and(page.locator('audio'));
  await expect.poll(() => sound.evaluate((element: HTMLAudioElement) => Math.round(element.duration))).toBe(3600);
  // A range from the middle of the file is requested without the bytes before it.
  const asked = page.waitForResponse(
    (response) => response.status() === 206 && /^bytes (?!0)\d{8}-/.test(response.headers()['content-range'] ?? ''),
  );
  await sound.evaluate((element: HTMLAudioElement) => void (element.currentTime = 3000));
  await asked;
  await expect.poll(() => sound.evaluate((element: HTMLAudioElement) => element.seeking)).toBe(false);
  expect(await sound.evaluate((element: HTMLAudioElement) => element.currentTime)).toBe(3000);
});

test('text, code, tables and Markdown are shown formatted, and nothing in them runs', async ({ owner: page, storage, sheaf }) => {
  await put(storage.path, {
    'latin.txt': Buffer.from('na\u00efve caf\u00e9', 'latin1'),
    'long.txt': 'x'.repeat((1 << 20) + 5),
    'empty.txt': '',
    'main.ts': 'export const answer: number = 42; // why\n',
    'people.csv': 'Name;Town\n"Halm; Mara";Visby\nNils;"Big ""Sur"""\n',
    'page.md': [
      '# Harvest',
      'A *good* [year](https://example.org/a) and [bad](javascript:alert(1)) one.',
      '<script>window.ran = true</script><img src=x onerror="window.ran = true">',
      '| a | b |\n|---|---|\n| 1 | 2 |',
      '![a picture elsewhere](https://example.org/track.png)',
    ].join('\n\n'),
    'page.html': '<!doctype html><script>window.ran = true</script><h1>Not a page</h1>',
  });
  const outside: string[] = [];
  page.on('request', (request) => !request.url().startsWith(sheaf.url) && outside.push(request.url()));
  const look = async (name: string): Promise<Locator> => {
    await openFolder(page, `/browse/Server?preview=${name}`);
    return contents(page, name);
  };
  await expect(await look('latin.txt')).toContainText('naïve café');
  await expect(await look('long.txt')).toContainText('Only the beginning is shown.');
  await expect(await look('empty.txt')).toContainText('This file is empty.');
  await expect((await look('main.ts')).locator('.hljs-keyword').first()).toHaveText('export');
  const table = await look('people.csv');
  await expect(table.getByRole('columnheader')).toHaveText(['Name', 'Town']);
  await expect(table.getByRole('cell')).toHaveText(['Halm; Mara', 'Visby', 'Nils', 'Big "Sur"']);
  const text = await look('page.md');
  await expect(text.getByRole('heading', { name: 'Harvest' })).toBeVisible();
  await expect(text.getByRole('link', { name: 'year' })).toHaveAttribute('href', 'https://example.org/a');
  await expect(text.getByRole('link', { name: 'year' })).toHaveCSS('text-decoration-line', 'underline');
  await expect(text.getByText('bad')).not.toHaveAttribute('href', /./);
  await expect(text.getByRole('columnheader')).toHaveText(['a', 'b']);
  await expect(text.locator('script, img')).toHaveCount(0);
  await expect(await look('page.html')).toContainText('<h1>Not a page</h1>');
  expect(await page.evaluate(() => 'ran' in window)).toBe(false);
  expect(outside).toEqual([]);
});

test('a PDF’s pages are drawn', async ({ owner: page, storage }) => {
  await put(storage.path, { 'letter.pdf': pdfOf(12) });
  await openFolder(page, '/browse/Server?preview=letter.pdf');
  const first = page.getByRole('img', { name: 'Page 1', exact: true });
  await expect(first).toHaveAttribute('data-drawn', 'true');
  const isInked = (): Promise<boolean> =>
    first.evaluate((canvas: HTMLCanvasElement) => {
      const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
      return data.some((value, index) => index % 4 === 0 && value < 60 && (data[index + 3] ?? 0) > 200);
    });
  await expect.poll(isInked).toBe(true);
  await expect(page.getByRole('img', { name: 'Page 12', exact: true })).toHaveCount(0);
  await contents(page, 'letter.pdf').press('End');
  await expect(page.getByRole('img', { name: 'Page 12', exact: true })).toBeVisible();
});

test('a page of a PDF that is damaged says so, and the one before it is drawn @narrow', async ({ owner: page, storage }) => {
  let number = 0;
  const damaged = pdfOf(3)
    .toString('latin1')
    .replaceAll(/<<\/Type\/Page\/Parent.*?>>(?=endobj)/g, (dictionary) =>
      (number += 1) === 2 ? '7'.padEnd(dictionary.length) : dictionary,
    );
  await put(storage.path, { 'letter.pdf': Buffer.from(damaged, 'latin1') });
  await openFolder(page, '/browse/Server?preview=letter.pdf');
  await expect(page.getByRole('img', { name: 'Page 1', exact: true })).toHaveAttribute('data-drawn', 'true');
  for (const key of ['PageDown', 'PageDown']) await contents(page, 'letter.pdf').press(key);
  await expect(page.getByText('Page 2 cannot be shown.')).toBeAttached();
  await expect(page.getByRole('img', { name: 'Page 2', exact: true })).toHaveCount(0);
  await expectAccessible(page);
});

test('the character map for a PDF with a CJK encoding is loaded from Sheaf itself', async ({ owner: page, storage }) => {
  await put(storage.path, { 'letter.pdf': pdfOf(1, '/90ms-RKSJ-H') });
  const table = page.waitForResponse((response) => response.url().endsWith('/90ms-RKSJ-H.bcmap'));
  await openFolder(page, '/browse/Server?preview=letter.pdf');
  expect((await table).status()).toBe(200);
});

test('the contents of an archive are shown without downloading it; a file that is one only by name says so', async ({
  owner: page,
  storage,
}) => {
  await put(storage.path, { 'box.zip': zipOf(['letters/', 'letters/März.txt']), 'fake.zip': 'no archive' });
  const downloads = countCalls(page, 'download');
  await openFolder(page, '/browse/Server?preview=box.zip');
  await expect(contents(page, 'box.zip').getByRole('listitem')).toHaveText(['letters', /letters\/März\.txt.*0 bytes/]);
  await openFolder(page, '/browse/Server?preview=fake.zip');
  await expect(page.getByRole('heading', { name: 'There is no preview of this file' })).toBeVisible();
  expect(downloads.count()).toBe(0);
});

test('the text of an office document is shown without downloading it; a file that is one only by name says so', async ({
  owner: page,
  storage,
}) => {
  await put(storage.path, {
    'letter.docx': docxOf(['Dear Mara,', 'see you in Visby.']),
    'fake.docx': 'no document',
    'box.docx': zipOf(['a.txt']),
  });
  const downloads = countCalls(page, 'download');
  await openFolder(page, '/browse/Server?preview=letter.docx');
  await expect(contents(page, 'letter.docx').getByRole('paragraph')).toHaveText([
    'Only the text is shown. Download the document to see how it looks.',
    'Dear Mara,',
    'see you in Visby.',
  ]);
  await expectAccessible(page);
  for (const name of ['fake.docx', 'box.docx']) {
    await openFolder(page, `/browse/Server?preview=${name}`);
    await expect(page.getByRole('heading', { name: 'There is no preview of this file' })).toBeVisible();
  }
  expect(downloads.count()).toBe(0);
});

test('a file without a preview says so and offers the download; in the list it is downloaded at once', async ({ owner: page, storage }) => {
  await put(storage.path, { 'a.txt': 'text', 'data.bin': 'bytes', 'sound.png': pngOf(40, 40), 'torn.png': pngOf(40, 40).subarray(0, 30) });
  await openFolder(page, '/browse/Server?preview=a.txt');
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByRole('heading', { name: 'There is no preview of this file' })).toBeVisible();
  expect((await savedFrom(page, () => page.getByRole('link', { name: 'Download data.bin' }).click())).toString()).toBe('bytes');
  await page.keyboard.press('ArrowRight');
  const zoom = page.getByRole('group', { name: 'Zoom' });
  await expect(zoom).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(viewer(page, 'torn.png').getByText('There is no preview of this file')).toBeVisible();
  await expect(zoom).toBeHidden();
  const around = page.getByRole('navigation', { name: 'Pictures in this folder' });
  await expect(around.getByRole('button', { name: 'torn.png' }).locator('svg')).toBeVisible();
  await page.keyboard.press('Escape');
  await openFolder(page);
  expect((await savedFrom(page, () => rowOf(page, 'data.bin').dblclick())).toString()).toBe('bytes');
});

test('opening a file that no longer exists says so', async ({ owner: page, storage }) => {
  await storage.put({ 'a.txt': 'x', 'b.txt': 'y' });
  await openFolder(page, '/browse/Server?preview=a.txt');
  await expect(contents(page, 'a.txt')).toBeVisible();
  await rm(join(storage.path, 'b.txt'));
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('alert').filter({ hasText: 'This file cannot be shown' })).toContainText('"b.txt" no longer exists.');
});

test('a preview list shows a folder and its files, and changes nothing [RT-053]', async ({ owner: page, storage }) => {
  await storage.put({ 'Letters/one.txt': 'first', 'Letters/two.txt': 'second' });
  await openFolder(page, '/preview/list/Server');
  await expect(page.getByRole('grid').getByRole('button', { name: /^Menu of/ })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Upload' })).toHaveCount(0);
  await rowOf(page, 'Letters').dblclick();
  await expect(page).toHaveURL('/preview/list/Server/Letters');
  await rowOf(page, 'one.txt').dblclick();
  await expect(page).toHaveURL('/preview/list/Server/Letters/one.txt');
  await expect(contents(page, 'one.txt')).toContainText('first');
  await page.keyboard.press('ArrowRight');
  await expect(page).toHaveURL('/preview/list/Server/Letters/two.txt');
  await page.reload();
  await expect(contents(page, 'two.txt')).toContainText('second');
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL('/preview/list/Server/Letters');
  await expect(rows(page)).toHaveCount(2);
  await page.getByRole('grid').focus();
  await page.keyboard.press('F2');
  await expect(page.getByLabel('New name')).toHaveCount(0);
});

test('the viewer is accessible at both widths @narrow', async ({ owner: page, storage }) => {
  await put(storage.path, {
    'a.png': pngOf(600, 400),
    'b.png': pngOf(400, 600),
    'n.ts': 'export const a: number = 1; // why\n/* and */ function f(x = "y") { return null; }\n',
    'n.md': '# Title\n\n[link](https://example.org) `code`',
    't.csv': 'a,b\n1,2',
  });
  for (const name of ['a.png', 'n.ts', 'n.md', 't.csv']) {
    await openFolder(page, `/browse/Server?preview=${name}`);
    await expect(viewer(page, name)).toBeVisible();
    if (name === 'a.png') {
      await expect(page.getByRole('navigation', { name: 'Pictures in this folder' }).getByRole('button')).toHaveCount(2);
      await page.getByRole('button', { name: 'Info' }).click();
    } else await expect(contents(page, name)).toBeVisible();
    await expectAccessible(page);
  }
});
