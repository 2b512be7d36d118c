import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { startSheaf } from '../fixtures/sheaf.ts';
import { expect, expectAccessible, test } from '../fixtures/test.ts';

const agents = {
  mac: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  win: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
} as const;
const chooser = (page: Page) => page.getByRole('dialog', { name: 'Get Sheaf for your computer' });
const onMac = (page: Page) => page.getByRole('dialog', { name: 'Install Sheaf sync' });
const onWindows = (page: Page) => page.getByRole('dialog', { name: 'Install Sheaf on your computer' });

/** A visitor's page on a computer with that operating system. */
async function visitorOn(browser: Browser, baseURL: string | undefined, userAgent: string): Promise<Page> {
  const context = await browser.newContext({
    ...(baseURL !== undefined && { baseURL }),
    userAgent,
    viewport: { width: 1280, height: 860 },
  });
  const page = await context.newPage();
  await page.goto('/about');
  return page;
}
const open = (page: Page) => page.getByRole('navigation', { name: 'Menu' }).getByRole('button', { name: 'Download' }).click();

test('on a computer that is neither Mac nor Windows the user chooses the platform [NAV-23] [NAV-41] [NAV-42] [NAV-43] [NAV-54]', async ({
  page,
}) => {
  await page.goto('/about');
  await open(page);
  await expect(chooser(page).getByRole('button', { name: /Mac|Windows|Linux/ })).toHaveText(['Mac', 'Windows', 'Linux']);
  await expect(chooser(page).getByRole('link', { name: 'user forum' })).toHaveAttribute('href', 'https://forum.example/');
  await expectAccessible(page);
  const [download] = await Promise.all([page.waitForEvent('download'), chooser(page).getByRole('button', { name: 'Linux' }).click()]);
  expect(download.suggestedFilename()).toBe('sheaf-cli.tgz');
  const packed = await readFile(await download.path());
  expect(packed.subarray(0, 2).toString('hex')).toBe('1f8b');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(onMac(page)).toHaveCount(0);
});

test('on a Mac its steps are shown and its download starts; Windows is a click away [RT-086] [RT-087] [NAV-44] [NAV-45] [NAV-48] [NAV-50] [NAV-51] [NAV-53]', async ({
  browser,
  baseURL,
}) => {
  const page = await visitorOn(browser, baseURL, agents.mac);
  const [download] = await Promise.all([page.waitForEvent('download'), open(page)]);
  expect(new URL(download.url()).search).toBe('?platform=mac');
  await expect(onMac(page).getByRole('listitem')).toHaveCount(4);
  await expect(onMac(page).getByRole('link', { name: 'Click here' })).toHaveAttribute('href', '/downloaddesktop?platform=mac');
  const [other] = await Promise.all([page.waitForEvent('download'), onMac(page).getByRole('button', { name: 'Windows' }).click()]);
  expect(new URL(other.url()).search).toBe('?platform=win');
  await expect(onWindows(page)).toBeVisible();
  await page.context().close();
});

test('on Windows its steps are shown and its download starts; Mac is a click away [NAV-46] [NAV-47] [NAV-49] [NAV-50] [NAV-52] [NAV-53]', async ({
  browser,
  baseURL,
}) => {
  const page = await visitorOn(browser, baseURL, agents.win);
  const [download] = await Promise.all([page.waitForEvent('download'), open(page)]);
  expect(new URL(download.url()).search).toBe('?platform=win');
  await expect(onWindows(page).getByRole('listitem')).toHaveCount(3);
  await expect(onWindows(page).getByRole('link', { name: 'Click here' })).toHaveAttribute('href', '/downloaddesktop?platform=win');
  await onWindows(page).getByRole('button', { name: 'Mac' }).click();
  await expect(onMac(page)).toBeVisible();
  await page.context().close();
});

test('/download is the same page, and downloads nothing before a platform is chosen @narrow [RT-046]', async ({ page }) => {
  let downloads = 0;
  page.on('download', () => (downloads += 1));
  await page.goto('/download');
  await expect(page.getByRole('heading', { name: 'Get Sheaf for your computer' })).toBeVisible();
  await expectAccessible(page);
  expect(downloads).toBe(0);
  await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Mac' }).click()]);
  await expect(page.getByRole('heading', { name: 'Install Sheaf sync' })).toBeVisible();
  await expectAccessible(page);
  expect((await page.goto('/download/x'))?.status()).toBe(404);
});

test('if this Sheaf offers a self-contained client, one line installs it, and nothing is downloaded automatically @narrow', async ({
  page,
}) => {
  const bundles = await mkdtemp(join(tmpdir(), 'sheaf-clients-'));
  const sums = ['linux-x64', 'win32-x64'].map((name) => `${'0'.repeat(64)}  sheaf-${name}.tar.gz\n`);
  await writeFile(join(bundles, 'SHA256SUMS'), sums.join(''));
  const offering = await startSheaf({ SHEAF_CLIENT_BUNDLES: bundles });
  try {
    let downloads = 0;
    page.on('download', () => downloads++);
    await page.goto(`${offering.url}/download`);
    await page.getByRole('button', { name: 'Linux' }).click();
    await expect(page.getByText(`curl -fsSL ${offering.url}/client/install.sh | sh`)).toBeVisible();
    await expect(page.getByText('sheaf sync --watch ~/Documents')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Windows' }).click();
    await expect(page.getByText(`irm ${offering.url}/client/install.ps1 | iex`)).toBeVisible();
    await expect(page.getByRole('link', { name: 'Click here' })).toHaveAttribute('href', '/downloaddesktop?platform=win');
    expect(downloads).toBe(0);
    // No bundle is built for a Mac, which gets the npm package.
    await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Mac' }).click()]);
    await expect(page.getByText('npm install --global')).toBeVisible();
  } finally {
    await offering.stop();
    await rm(bundles, { recursive: true });
  }
});
