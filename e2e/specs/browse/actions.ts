import { readFile } from 'node:fs/promises';
import { type Locator, type Page, type Response, expect } from '@playwright/test';

/** Rows of the visible folder, without the header. */
export const rows = (page: Page): Locator => page.getByRole('grid').locator('[role=row][aria-label]');

/** Row of the item with exactly that name. */
export const rowOf = (page: Page, name: string): Locator => page.getByRole('row', { name, exact: true });

/** Opens the link's folder and waits until the storage has answered. */
export async function openFolder(page: Page, address = '/browse/Server'): Promise<void> {
  await page.goto(address);
  await expect(page.getByRole('button', { name: 'Refresh' })).toBeVisible();
}

/** Returns the download that `begin` starts. */
export async function savedFrom(page: Page, begin: () => Promise<void>): Promise<Buffer> {
  const [saved] = await Promise.all([page.waitForEvent('download'), begin()]);
  return readFile(await saved.path());
}

/** Renames the item in its row with F2. */
export async function rename(page: Page, from: string, to: string): Promise<void> {
  await rowOf(page, from).click();
  await page.keyboard.press('F2');
  await page.getByLabel('New name').fill(to);
  await page.keyboard.press('Enter');
}

/** Drops local files and folders on the visible folder, as from the desktop. */
export async function drop(page: Page, ...files: readonly string[]): Promise<void> {
  const box = await page.getByRole('toolbar', { name: 'Folder' }).boundingBox();
  if (!box) throw new Error('no folder is in sight');
  await dragFiles(page, { x: box.x + box.width / 2, y: box.y + box.height / 2 }, files, 'drop');
}

/** Drags local files and folders to a position in the window, and drops them or holds them there. */
export async function dragFiles(
  page: Page,
  at: { readonly x: number; readonly y: number },
  files: readonly string[],
  end: 'drop' | 'hold',
): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const event = { ...at, data: { items: [], files: [...files], dragOperationsMask: 1 } };
  // A browser repeats dragover while the pointer holds still (WHATWG HTML, section 6.11.5).
  const types = ['dragEnter', 'dragOver', 'dragOver', 'dragOver', ...(end === 'drop' ? (['drop'] as const) : [])] as const;
  for (const type of types) await devtools.send('Input.dispatchDragEvent', { type, ...event });
  await devtools.detach();
}

/** Waits for the next answer to the call of that name. */
export const answerOf = (page: Page, name: string): Promise<Response> =>
  page.waitForResponse((response) => new URL(response.url()).pathname.endsWith(`/${name}`));

/** Counts the calls of that name from now on. */
export function countCalls(page: Page, name: string): { readonly count: () => number; readonly bodies: () => readonly string[] } {
  const bodies: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.endsWith(`/${name}`)) bodies.push(request.postData() ?? search);
  });
  return { count: () => bodies.length, bodies: () => bodies };
}
