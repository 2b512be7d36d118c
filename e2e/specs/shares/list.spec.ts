import { refused } from '../../fixtures/link-calls.ts';
import { expect, expectAccessible, test } from '../../fixtures/test.ts';
import { choose, now, share, shareRows, watchShareCalls } from './actions.ts';

const all = [
  share('old1', 'beta.txt', { createdTimeStamp: Date.parse('2026-11-03T09:05:00+01:00') / 1000, nbrVisits: 1204 }),
  share('new1', 'Gotland', { isFolder: true, hasPassword: true, expirationSeconds: 604_800, expirationTimeStamp: now + 3 * 86_400 }),
  share('mid1', 'Alpha.pdf', { createdTimeStamp: now - 7200, expirationSeconds: 86_400, expirationTimeStamp: now - 60 }),
];

test('shares stand in columns, the newest first, with visits, dates and ends [SHR-01] [SHR-06] [SHR-23] [SHR-27] [SHR-28] [SHR-29] [RT-049] [RT-107]', async ({
  user: page,
}) => {
  await page.clock.setFixedTime(now * 1000);
  const calls = await watchShareCalls(page);
  calls.answer('get_weblinks', { data: all });
  await page.goto('/shared');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Shared links');
  await expect(page.getByRole('banner')).toBeVisible();
  await expect(page.getByRole('columnheader')).toHaveText(['LINKS', 'VISITS', 'CREATED', 'EXPIRATION', 'Menu']);
  await expect(shareRows(page).getByRole('cell')).toHaveText([
    'Gotland',
    '0',
    '11:00',
    '24 Nov 2026, 12:00',
    '',
    'Alpha.pdf',
    '0',
    '10:00',
    'Expired 21 Nov 2026, 11:59',
    '',
    'beta.txt',
    '1,204',
    '3 Nov 2026',
    'Never',
    '',
  ]);
  await expect(shareRows(page).first().getByRole('img', { name: 'Has a password' })).toBeVisible();
  await expectAccessible(page);
});

test('names and dates can be ordered, visits and ends cannot, and the order stands in the address [SHR-03] [SHR-04] [SHR-05] [SHR-07]', async ({
  user: page,
}) => {
  const calls = await watchShareCalls(page);
  calls.answer('get_weblinks', { data: all });
  await page.goto('/shared');
  await expect(page.getByRole('columnheader', { name: 'CREATED' })).toHaveAttribute('aria-sort', 'descending');
  await page.getByRole('button', { name: 'LINKS' }).click();
  await expect(shareRows(page)).toHaveText([/Alpha/, /beta/, /Gotland/]);
  await expect(page).toHaveURL('/shared?sort=name&order=asc');
  await page.reload();
  await expect(shareRows(page)).toHaveText([/Alpha/, /beta/, /Gotland/]);
  await page.getByRole('button', { name: 'CREATED' }).click();
  await page.getByRole('button', { name: 'CREATED' }).click();
  await expect(shareRows(page)).toHaveText([/beta/, /Alpha/, /Gotland/]);
  for (const title of ['VISITS', 'EXPIRATION']) {
    await expect(page.getByRole('columnheader', { name: title })).not.toHaveAttribute('aria-sort');
    await expect(page.getByRole('button', { name: title })).toHaveCount(0);
  }
});

test('a row leads to its public page and copies its address [SHR-16] [SHR-30]', async ({ user: page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const calls = await watchShareCalls(page);
  calls.answer('get_weblinks', { data: all });
  await page.goto('/shared');
  await expect(page.getByRole('link', { name: 'beta.txt' })).toHaveAttribute('title', 'http://sheaf.example/s/old1');
  await shareRows(page).last().hover();
  await page.getByRole('button', { name: 'Copy the address of beta.txt' }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('http://sheaf.example/s/old1');
  await shareRows(page)
    .last()
    .click({ position: { x: 700, y: 20 } });
  await expect(page).toHaveURL('/s/old1');
});

test('the row menu has Settings and Delete; Delete asks nothing and the row goes when it is done [SHR-02] [SHR-12] [SHR-13]', async ({
  user: page,
}) => {
  const calls = await watchShareCalls(page);
  const done = Promise.withResolvers<{ data: object }>();
  calls.answer('get_weblinks', { data: all });
  calls.answer('remove_weblink', done.promise);
  await page.goto('/shared');
  await page.getByRole('button', { name: 'Menu of beta.txt' }).click();
  await expect(page.getByRole('menuitem')).toHaveText(['Settings', 'Delete']);
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect.poll(() => calls.of('remove_weblink').map(({ form }) => form['webLinkId'])).toEqual(['old1']);
  await expect(shareRows(page)).toHaveCount(3);
  done.resolve({ data: {} });
  await expect(shareRows(page)).toHaveText([/Gotland/, /Alpha/]);
});

test('a share that cannot be deleted stays, and the reason is told', async ({ user: page }) => {
  const calls = await watchShareCalls(page);
  calls.answer('get_weblinks', { data: all });
  calls.answer('remove_weblink', refused(799, 'UNEXPECTED', 'An unknown error occurred. [799]'));
  await page.goto('/shared');
  await choose(page, 'beta.txt', 'Delete');
  await expect(page.getByRole('alert')).toHaveText('Cannot delete beta.txt. An unknown error occurred. [799]');
  await expect(shareRows(page)).toHaveCount(3);
});

test('while the list is on its way that shows, and an empty one says so @narrow [SHR-08] [SHR-09]', async ({ user: page }) => {
  const calls = await watchShareCalls(page);
  const arrived = Promise.withResolvers<{ data: object }>();
  calls.answer('get_weblinks', arrived.promise);
  await page.goto('/shared');
  await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible();
  arrived.resolve({ data: [] });
  await expect(page.getByText('This folder is empty', { exact: true })).toBeVisible();
  await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
  await expectAccessible(page);
});

test('a list that cannot be had is told, and can be asked for again [SHR-22]', async ({ user: page }) => {
  const calls = await watchShareCalls(page);
  calls.answer('get_weblinks', refused(799, 'UNEXPECTED', 'An unknown error occurred. [799]'));
  await page.goto('/shared');
  await expect(page.getByText('Cannot access shared links. An unknown error occurred. [799]')).toBeVisible();
  calls.answer('get_weblinks', { data: all });
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(shareRows(page)).toHaveCount(3);
});

test('a session that has ended leads to signing in and back [SHR-18]', async ({ user: page }) => {
  const calls = await watchShareCalls(page);
  calls.answer('get_weblinks', refused(104, 'INVALID_SESSION', 'Your session has expired. Please sign in again.'));
  await page.goto('/shared');
  await expect(page).toHaveURL(/\/login\/start\?redirectUrl=%2Fshared&/);
});

test('a visitor sees no list but the way in [SHR-17]', async ({ page }) => {
  for (const address of ['/shared', '/shared/anything', '/sharelink/anything']) {
    await page.goto(address);
    await expect(page).toHaveURL(/\/login\/start\?redirectUrl=%2Fshare/);
    await expect(page.getByRole('table')).toHaveCount(0);
  }
});

for (const [address, ids] of [
  ['/shared/of/mine', '[RT-047] [RT-098]'],
  ['/sharelink/of/mine', '[RT-048] [RT-099]'],
] as const) {
  test(`${address} is the same list without menu bar and side menu ${ids}`, async ({ user: page }) => {
    const calls = await watchShareCalls(page);
    calls.answer('get_weblinks', { data: all });
    await page.goto(address);
    await expect(shareRows(page)).toHaveCount(3);
    await expect(page.getByRole('banner')).toHaveCount(0);
    await expect(page.getByRole('navigation')).toHaveCount(0);
  });
}

test('below 730 px only name and menu are left, and the margins are 16 px instead of 32 [SHR-14] [SHR-15]', async ({ user: page }) => {
  const calls = await watchShareCalls(page);
  calls.answer('get_weblinks', { data: all });
  await page.goto('/shared/x');
  const margin = (): Promise<number> => page.getByRole('heading', { level: 1 }).evaluate((head) => head.getBoundingClientRect().left);
  for (const [width, columns, padding] of [
    [729, ['LINKS', 'Menu'], 16],
    [730, ['LINKS', 'VISITS', 'CREATED', 'EXPIRATION', 'Menu'], 32],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await expect(page.getByRole('columnheader')).toHaveText([...columns]);
    expect(await margin()).toBe(padding);
  }
});
