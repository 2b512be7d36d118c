import { readFile } from 'node:fs/promises';
import { type Proxy, startProxy } from '@sheaf/testbed';
import { linkFolder, sftpInfo } from '../../fixtures/storage.ts';
import { expect, expectAccessible } from '../../fixtures/test.ts';
import { openFolder, rowOf } from '../browse/actions.ts';
import { test as base, chooseTarget, expectMessage, lineOf, openTargets } from './places.ts';

const size = 24 << 20;

/** Tests with a third link "Slow" to the folder of "Backup", over a connection that can be slowed down. */
const test = base.extend<{ line: Proxy }>({
  line: async ({ owner, ssh, backup }, use) => {
    const proxy = await startProxy({ target: ssh });
    await linkFolder(owner, 'Slow', sftpInfo({ ...ssh, port: proxy.port }, backup.path));
    await use(proxy);
    await proxy.stop();
  },
});

test('a transfer shows its progress, pauses and resumes, and its page verifies and undoes it', async ({
  owner: page,
  storage,
  backup,
  line,
}) => {
  await storage.put({ 'film.bin': 'x'.repeat(size) });
  await openFolder(page);
  const dialog = await openTargets(page, 'film.bin', 'Copy');
  await chooseTarget(dialog, 'Slow');
  // SFTP waits for acknowledgements, so latency makes it slow.
  line.delay(250);
  await dialog.getByRole('button', { name: 'Copy here' }).click();
  const row = lineOf(page, 'film.bin');
  await expect(row.getByRole('progressbar', { name: 'film.bin' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Transfers, 1 running' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Transfers, 1 running, \d+ %$/ })).toBeVisible();
  await row.getByRole('button', { name: 'Pause film.bin' }).click();
  await expect(row.getByText('Paused')).toBeVisible();
  await expectAccessible(page);
  await row.getByRole('link', { name: 'film.bin' }).click();
  await expect(page.getByRole('heading', { name: 'Copy film.bin to Slow' })).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Limit the speed').selectOption('50 MB/s');
  await expect(page.getByText('at most 50 MB/s')).toBeVisible();
  await page.getByRole('main').getByRole('button', { name: 'Resume' }).click();
  await expect(page.getByRole('heading', { name: 'Copied film.bin to Slow' })).toBeVisible({ timeout: 40_000 });
  await expect(page.getByText('1 item, 24 MB, all arrived')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Verification' })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Items of the transfer' }).getByRole('listitem')).toHaveCount(1);
  await expectAccessible(page);
  expect(await backup.names()).toEqual(['film.bin']);

  const [report] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'CSV', exact: true }).click()]);
  expect(await readFile(await report.path(), 'utf8')).toContain('film.bin');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => backup.names()).toEqual([]);
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);
  await expect(page.getByText('Undone: everything is as it was before.')).toBeVisible();
  expect(await storage.names()).toEqual(['film.bin']);
});

test('a cancelled transfer leaves nothing half-done @narrow', async ({ owner: page, storage, backup, line }) => {
  await storage.put({ 'film.bin': 'x'.repeat(size) });
  await openFolder(page);
  const dialog = await openTargets(page, 'film.bin', 'Move');
  await chooseTarget(dialog, 'Slow');
  line.delay(250);
  await dialog.getByRole('button', { name: 'Move here' }).click();
  await expect(dialog).toHaveCount(0);
  await page.goto('/transfers');
  const running = page.getByRole('region', { name: 'Running' });
  await expect(running.getByRole('link', { name: 'Moving film.bin to Slow' })).toBeVisible();
  await expectAccessible(page);
  await running.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel transfer' }).click();
  await expect(page.getByRole('region', { name: 'Ended' }).getByText('Cancelled')).toBeVisible();
  expect(await storage.names()).toEqual(['film.bin']);
  await expect.poll(() => backup.names(), { timeout: 20_000 }).toEqual([]);
});

test('a folder shows incoming items, with a link to the transfer @narrow', async ({ owner: page, storage, line }) => {
  await storage.put({ 'film.bin': 'x'.repeat(size) });
  await openFolder(page, '/browse/Slow');
  await openFolder(page);
  const dialog = await openTargets(page, 'film.bin', 'Copy');
  await chooseTarget(dialog, 'Slow');
  line.hangAfterUp(line.bytesUp() + size / 2);
  await dialog.getByRole('button', { name: 'Copy here' }).click();
  await expect(dialog).toHaveCount(0);
  await page.goto('/browse/Slow');
  const arriving = page.getByRole('link', { name: /^film.bin arriving, \d+ %$/ });
  await expect(arriving).toBeVisible();
  await arriving.click();
  await expect(page.getByRole('heading', { name: 'Copying film.bin to Slow' })).toBeVisible();
  line.resume();
  await expect(page.getByRole('heading', { name: 'Copied film.bin to Slow' })).toBeVisible({ timeout: 40_000 });
  await page.goBack();
  await expect(rowOf(page, 'film.bin')).toBeVisible();
  await expect(arriving).toHaveCount(0);
});

test('without events the page polls, and sees the end', async ({ owner: page, storage, backup }) => {
  await storage.put({ 'a.txt': 'a' });
  await page.route('/rest/transfers/events', (route) => route.abort());
  await openFolder(page);
  const dialog = await openTargets(page, 'a.txt', 'Copy');
  await chooseTarget(dialog, 'Backup');
  await dialog.getByRole('button', { name: 'Copy here' }).click();
  await expectMessage(page, 'Copied a.txt to Backup.');
  expect(await backup.names()).toEqual(['a.txt']);
});

test('the page of transfers says when there are none, and when they cannot be loaded @narrow', async ({ owner: page }) => {
  await page.route(/\/rest\/transfers\?/, (route) =>
    route.fulfill({ status: 500, json: { errorCode: 100, messageCode: 'X', message: '' } }),
  );
  await page.goto('/transfers');
  await expect(page.getByRole('heading', { name: 'The transfers cannot be shown' })).toBeVisible();
  await page.unroute(/\/rest\/transfers\?/);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'No transfers yet' })).toBeVisible();
  await expectAccessible(page);
  await page.goto('/transfers/unknown');
  await expect(page.getByRole('heading', { name: 'This transfer cannot be shown' })).toBeVisible();
  await expect(page.getByText('This transfer no longer exists.')).toBeVisible();
});

test('the browser notifies of the end of a long transfer once the user has allowed it', async ({ owner: page }) => {
  await page.addInitScript(() => {
    class FakeNotification extends EventTarget {
      static permission = 'default';
      static shown: string[] = [];
      static requestPermission(): Promise<string> {
        FakeNotification.permission = 'granted';
        return Promise.resolve('granted');
      }
      constructor(_title: string, { body }: { body: string }) {
        super();
        FakeNotification.shown.push(body);
      }
      close(): void {}
    }
    Object.defineProperty(window, 'Notification', { value: FakeNotification, configurable: true });
  });
  const now = Date.now();
  const place = (path: string) => ({ linkUri: '/gone', path, isFolder: true });
  const transfer = {
    transferId: 't1',
    kind: 'copy',
    state: 'running',
    conflict: 'fail',
    verify: 'auto',
    canUndo: false,
    problems: 0,
    bytesDone: 10,
    bytesTotal: 20,
    bytesSentTwice: 0,
    itemsDone: 1,
    itemsTotal: 2,
    itemsFailed: 0,
    from: [place('Server/Photos')],
    to: place('Backup'),
    createdAt: now - 90_000,
    startedAt: now - 90_000,
  };
  const list = (transfers: readonly object[]) => ({ json: { data: { transfers, total: transfers.length, hasMore: false } } });
  let listed: readonly object[] = [transfer];
  await page.route(/\/rest\/transfers\?/, (route) => route.fulfill(list(listed)));
  await page.route('/rest/transfers/events', (route) => route.abort());
  await page.goto('/transfers');
  await page.getByRole('button', { name: 'Notify me when long ones end' }).click();
  await expect(page.getByRole('button', { name: 'Notify me when long ones end' })).toHaveCount(0);
  listed = [{ ...transfer, state: 'done', endedAt: now }];
  const shown = (): Promise<string[]> => page.evaluate(() => (window.Notification as unknown as { shown: string[] }).shown);
  await expect.poll(shown).toEqual(['Copied Photos to Backup.']);
});
