import { hold, spoil, watchRequests } from '../../fixtures/held.ts';
import { call, expect, expectAccessible, test } from '../../fixtures/test.ts';
import { choose, shareRows, shareThree } from './actions.ts';

test('shares are listed in columns, newest first, with visits, dates and expirations [SHR-01] [SHR-06] [SHR-23] [SHR-27] [SHR-28] [SHR-29] [RT-049] [RT-107]', async ({
  owner: page,
  storage,
  request,
}) => {
  const [beta] = await shareThree(page, storage);
  const opened = await request.post('/rest/weblink/open', { form: { weblinkId: beta.split('/').at(-1) ?? '' } });
  expect(opened.ok(), await opened.text()).toBe(true);
  await page.goto('/shared');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Shared links');
  await expect(page.getByRole('banner')).toBeVisible();
  await expect(page.getByRole('columnheader')).toHaveText(['LINKS', 'VISITS', 'CREATED', 'EXPIRATION', 'Menu']);
  const time = /^(Yesterday )?\d\d:\d\d$/;
  const date = /^\d{1,2} \w+ \d{4}, \d\d:\d\d$/;
  await expect(shareRows(page).getByRole('cell')).toHaveText(
    [
      ['Gotland', '0', time, date, ''],
      ['Alpha.pdf', '0', time, date, ''],
      ['beta.txt', '1', time, 'Never', ''],
    ].flat(),
  );
  await expect(shareRows(page).first().getByRole('img', { name: 'Has a password' })).toBeVisible();
  await expectAccessible(page);
});

test('names and dates can be sorted, visits and expirations cannot, and the order is part of the address [SHR-03] [SHR-04] [SHR-05] [SHR-07]', async ({
  owner: page,
  storage,
}) => {
  await shareThree(page, storage);
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

test('a row leads to its public page and copies its address [SHR-16] [SHR-30]', async ({ owner: page, storage, context, sheaf }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const [beta] = await shareThree(page, storage);
  await page.goto('/shared');
  await expect(page.getByRole('link', { name: 'beta.txt' })).toHaveAttribute('title', sheaf.url + beta);
  await shareRows(page).last().hover();
  await page.getByRole('button', { name: 'Copy the address of beta.txt' }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(sheaf.url + beta);
  await shareRows(page)
    .last()
    .click({ position: { x: 700, y: 20 } });
  await expect(page).toHaveURL(beta);
});

test('the row menu has Settings and Delete; Delete asks nothing and the row disappears when it is done [SHR-02] [SHR-12] [SHR-13]', async ({
  owner: page,
  storage,
}) => {
  const [beta] = await shareThree(page, storage);
  const calls = watchRequests(page, /\/remove_weblink$/);
  const held = await hold(page, 'remove_weblink');
  await page.goto('/shared');
  await page.getByRole('button', { name: 'Menu of beta.txt' }).click();
  await expect(page.getByRole('menuitem')).toHaveText(['Settings', 'Delete']);
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect.poll(() => calls.sent.map(({ form }) => `/s/${form['webLinkId']}`)).toEqual([beta]);
  await expect(shareRows(page)).toHaveCount(3);
  held.release();
  await expect(shareRows(page)).toHaveText([/Gotland/, /Alpha/]);
  await page.reload();
  await expect(shareRows(page)).toHaveText([/Gotland/, /Alpha/]);
});

test('a share that cannot be deleted stays, and the reason is shown', async ({ owner: page, storage }) => {
  await shareThree(page, storage);
  await spoil(page, 'remove_weblink', { webLinkId: '' });
  await page.goto('/shared');
  await choose(page, 'beta.txt', 'Delete');
  await expect(page.getByRole('alert')).toContainText('Cannot delete beta.txt. ');
  await expect(shareRows(page)).toHaveCount(3);
});

test('a loading list and an empty list say so @narrow [SHR-08] [SHR-09]', async ({ user: page }) => {
  const held = await hold(page, 'get_weblinks');
  await page.goto('/shared');
  await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible();
  held.release();
  await expect(page.getByText('This folder is empty', { exact: true })).toBeVisible();
  await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
  await expectAccessible(page);
});

test('a list that cannot be loaded is reported, and can be loaded again [SHR-22]', async ({ owner: page, storage }) => {
  await shareThree(page, storage);
  await page.route('**/rest/weblink/get_weblinks', (route) => route.abort());
  await page.goto('/shared');
  await expect(page.getByText(/^Cannot access shared links\. /)).toBeVisible();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(shareRows(page)).toHaveCount(3);
});

test('a session that has ended leads to signing in and back [SHR-18]', async ({ user: page }) => {
  await page.goto('/account/mysheaf');
  await expect(page.getByText('You have not linked any storage yet.')).toBeVisible();
  await call(page, '/rest/auth/logout', {});
  await page.getByRole('link', { name: 'Shared links' }).first().click();
  await expect(page).toHaveURL(/\/login\/start\?redirectUrl=%2Fshared&/);
});

test('a visitor sees the sign-in instead of the list [SHR-17]', async ({ page }) => {
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
  test(`${address} is the same list without menu bar and side menu ${ids}`, async ({ owner: page, storage }) => {
    await shareThree(page, storage);
    await page.goto(address);
    await expect(shareRows(page)).toHaveCount(3);
    await expect(page.getByRole('banner')).toHaveCount(0);
    await expect(page.getByRole('navigation')).toHaveCount(0);
  });
}

test('below 730 px only name and menu are shown, and the margins are 16 px instead of 32 [SHR-14] [SHR-15]', async ({
  owner: page,
  storage,
}) => {
  await shareThree(page, storage);
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
