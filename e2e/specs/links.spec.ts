import type { Page } from '@playwright/test';
import { familyCalls } from '@sheaf/contract';
import { hold, spoil, watchRequests } from '../fixtures/held.ts';
import { group, linked, row, watchLinkCalls } from '../fixtures/link-calls.ts';
import { test } from '../fixtures/real-servers.ts';
import { sftpInfo } from '../fixtures/storage.ts';
import { call, expect, expectAccessible } from '../fixtures/test.ts';
import { linkForOrg, makeOrg } from './orgs/actions.ts';

/** Creates links at the server without checking their storages. */
async function linkThree(page: Page): Promise<void> {
  const sftp = { host: 'nas.example', port: 22, username: 'mara', password: 'secret' };
  for (const name of ['Web hosting', 'home server'])
    await call(page, familyCalls.sftp.add.path, { linkName: name, connectionInfo: JSON.stringify(sftpInfo(sftp, name)) });
  const dav = { server: 'https://dav.example', username: 'mara', password: 'secret', authType: 'basic', enforceSSL: 'ENFORCE_MATCH' };
  await call(page, familyCalls.webdav.add.path, {
    linkName: 'University',
    connectionInfo: JSON.stringify(dav),
    validateConnection: 'false',
  });
}

test('a row shows thumbnail, name and account under the heading of its type; an organisation’s links come last [LNK-01] [LNK-04] [LNK-07] [LNK-08] [LNK-09] [LNK-39]', async ({
  user: page,
  storage,
}) => {
  await linkThree(page);
  await linkForOrg(page, await makeOrg(page), 'Halm Studio', storage);
  await page.goto('/account/mysheaf');
  const list = page.getByRole('region', { name: 'Links list' });
  await expect(list.getByRole('heading', { level: 2 })).toHaveText(['SFTP', 'WebDAV', 'Organisation']);
  const sftp = page.getByRole('region', { name: 'SFTP' });
  await expect(sftp.getByRole('listitem').getByRole('link')).toHaveText(['home server', 'Web hosting']);
  const hosting = sftp.getByRole('listitem').filter({ hasText: 'Web hosting' });
  await expect(hosting.locator('img')).toHaveAttribute('src', '/images/logos/sftp.svg');
  await expect(hosting).toContainText('mara@nas.example');
  await expect.poll(() => hosting.locator('img').evaluate((image) => Reflect.get(image, 'naturalWidth') as number)).toBeGreaterThan(0);
  await expect(page.getByRole('button', { name: /^Menu of/ })).toHaveCount(3);
  await expect(page.getByRole('listitem').filter({ hasText: 'Halm Studio' })).toContainText('Org');
  await expect(page.getByRole('button', { name: 'Menu of Halm Studio' })).toHaveCount(0);
  await expectAccessible(page);
});

test('the account column is shown from 730 px on and not below [LNK-02]', async ({ user: page }) => {
  await linkThree(page);
  await page.setViewportSize({ width: 730, height: 800 });
  await page.goto('/account/mysheaf');
  await expect(page.getByText('mara@dav.example')).toBeVisible();
  await page.setViewportSize({ width: 729, height: 800 });
  await expect(page.getByText('mara@dav.example')).toBeHidden();
  await expect(page.getByRole('link', { name: 'University' })).toBeVisible();
});

test('a click anywhere on a row opens its browse route [LNK-03] [RT-054]', async ({ user: page }) => {
  await linkThree(page);
  await page.goto('/account/mysheaf');
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Web hosting' })
    .click({ position: { x: 420, y: 26 } });
  await expect(page).toHaveURL('/browse/Web%20hosting');
});

test('the menu of a row has Edit and Unlink, and Esc closes it [LNK-05] [LNK-06] [DLG-13]', async ({ user: page }) => {
  await linkThree(page);
  await page.goto('/account/mysheaf');
  await page.getByRole('button', { name: 'Menu of University' }).click();
  await expect(page.getByRole('menuitem')).toHaveText(['Edit', 'Share', 'Usage', 'Connect', 'Unlink']);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menuitem')).toHaveCount(0);
});

const groups = [
  group('WebDAV', 'WebDAV', row('d1', 'University', 'WebDAV')),
  group(
    'SFTP',
    'SFTP',
    row('s1', 'Web hosting', 'SFTP'),
    row('s2', 'home server', 'SFTP', { state: 'attention', attention: 'It says no.' }),
  ),
  group('Org', 'Organisation', row('o1', 'Halm Studio', 'SFTP', { sourceAccountName: 'Org', isOrganization: true })),
];

test('a link that needs attention says why and offers to repair it; one that another person may have made is kept or unlinked', async ({
  user: page,
}) => {
  const calls = await watchLinkCalls(page);
  calls.answer('all_links', linked(...groups, group('FTP', 'FTP', row('f1', 'Attic', 'FTP', { isUnclaimed: true }))));
  calls.answer('keep_link', { data: {} });
  await page.goto('/account/mysheaf');
  await expect(page.getByText('It was linked before your e-mail address was verified')).toBeVisible();
  await expectAccessible(page);
  calls.answer('all_links', linked(...groups));
  await page.getByText('It is mine').click();
  await expect(page.getByText('It was linked before')).toHaveCount(0);
  expect(calls.of('keep_link').map(({ form }) => form['userLinkId'])).toEqual(['f1']);
  await expect(page.getByText('4 links. 1 needs attention.')).toBeVisible();
  for (const name of ['Needs attention', 'Links list'])
    await expect(page.getByRole('region', { name }).getByText('It says no.')).toBeVisible();
  await page.getByRole('button', { name: 'Fix home server' }).click();
  await expect(page).toHaveURL('/account/mysheaf?edit=s2');
});

test('without links the page says so and leads to the picker', async ({ user: page }) => {
  await page.goto('/account/mysheaf');
  await expect(page.getByText('You have not linked any storage yet.')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search source types' }).fill('sftp');
  await expect(page.locator('main').getByRole('listitem')).toHaveCount(1);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Link storage' }).click();
  await expect(page).toHaveURL('/links');
});

test('unlinking asks first, then calls delete_link and refreshes the list [LNK-22] [LNK-23] [LNK-24] [LNK-25] [LNK-26] [LNK-27] [LNK-28] [LNK-29] [LNK-31] [LNK-32]', async ({
  user: page,
}) => {
  await linkThree(page);
  const calls = watchRequests(page, /\/delete_link$/);
  const held = await hold(page, 'delete_link');
  await page.goto('/account/mysheaf');
  await page.getByRole('button', { name: 'Menu of University' }).click();
  await page.getByRole('menuitem', { name: 'Unlink' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm Unlinking' });
  await expect(dialog).toContainText('Unlinking removes University from your storage and deletes the folder from all clients.');
  await expect(dialog.getByRole('button', { name: "No, don't unlink" })).toBeFocused();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Yes, unlink' }).click();
  await expect(dialog.getByRole('button', { name: 'Processing...' })).toBeDisabled();
  held.release();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('link', { name: 'University' })).toHaveCount(0);
  // The row that had the focus is gone; the focus must not fall back to the top of the page.
  await expect(page.locator('main')).toBeFocused();
  expect(calls.sent.map(({ form }) => Object.keys(form).toSorted())).toEqual([['rTag', 'userLinkId']]);
  await page.reload();
  await expect(page.getByRole('link', { name: 'Web hosting' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'University' })).toHaveCount(0);
});

test('answering no closes the dialog and calls nothing [LNK-33]', async ({ user: page }) => {
  await linkThree(page);
  const calls = watchRequests(page, /\/delete_link$/);
  await page.goto('/account/mysheaf');
  await page.getByRole('button', { name: 'Menu of University' }).click();
  await page.getByRole('menuitem', { name: 'Unlink' }).click();
  await page.getByRole('button', { name: "No, don't unlink" }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  expect(calls.sent).toEqual([]);
  await expect(page.getByRole('link', { name: 'University' })).toBeVisible();
});

test('an error of unlinking closes the dialog; only an unexpected one is reported [LNK-34] [LNK-35] [LNK-36] [LNK-37]', async ({
  user: page,
}) => {
  await linkThree(page);
  await page.goto('/account/mysheaf');
  const unlink = async (): Promise<void> => {
    const logged = page.waitForEvent('console', (message) => message.text().includes('Unlinking failed'));
    await page.getByRole('button', { name: 'Menu of University' }).click();
    await page.getByRole('menuitem', { name: 'Unlink' }).click();
    await page.getByRole('button', { name: 'Yes, unlink' }).click();
    await expect(page.getByRole('dialog')).toBeHidden();
    await logged;
  };
  // The server's own 107, a code that the list knows, and then its 351, which the list does not know.
  await spoil(page, 'delete_link', { userLinkId: '' });
  await unlink();
  await expect(page.getByText('Cannot unlink')).toHaveCount(0);
  await spoil(page, 'delete_link', { userLinkId: 'nobodys' });
  await unlink();
  await expect(page.getByText('Cannot unlink')).toBeVisible();
  await expect(page.getByRole('link', { name: 'University' })).toBeVisible();
});

const editors = [
  ['ofs', {}, { server: 'https://files.example', username: 'mara', password: 'x' }, 'Server', 'OFS [LNK-14] [DLG-01] [DLG-02] [DLG-03]'],
  [
    'sheafgateway',
    { validateConnection: 'false' },
    { server: 'https://gateway.example', authjson: '{"sheafGateway":1,"id":"a","secret":"b"}' },
    'Server',
    'SHEAFGATEWAY [LNK-15] [DLG-01] [DLG-02] [DLG-03]',
  ],
  [
    'sftp',
    {},
    sftpInfo({ host: 'nas.example', port: 22, username: 'mara', password: 'x' }, ''),
    'Host',
    'SFTP [LNK-17] [DLG-01] [DLG-02] [DLG-03]',
  ],
  ['s3', { provider: 'S3' }, { bucketName: 'b', key: 'AK', secret: 'x' }, 'Bucket name', 'S3 [LNK-18] [DLG-01] [DLG-02] [DLG-03]'],
  [
    's3',
    { provider: 'MinIO' },
    { host: 'https://minio.example', bucketName: 'b', key: 'AK', secret: 'x', directoryStructure: 'ENHANCED SHEAF FS' },
    'Host',
    'S3X [LNK-19] [DLG-01] [DLG-02] [DLG-03]',
  ],
  ['b2', {}, { accountId: 'K1', applicationKey: 'x', allowWrite: 'ALLOW_WRITE' }, 'Account ID/Key ID', 'B2 [LNK-10]'],
  ['oracledocuments', {}, { url: 'https://oracle.example', username: 'mara', password: 'x' }, 'Server (URL)', 'ORACLE [LNK-16]'],
  [
    'webdav',
    { validateConnection: 'false' },
    { server: 'https://dav.example', username: 'mara', password: 'x' },
    'Server',
    'WEBDAV [LNK-21] [DLG-01] [DLG-02] [DLG-03]',
  ],
] as const satisfies readonly (readonly [keyof typeof familyCalls, object, object, string, string])[];
for (const [family, more, info, label, title] of editors)
  test(`Edit opens the dialog with the stored info of a link of form type ${title}`, async ({ user: page }) =>
    expectEditShows(page, family, { ...more }, info, label));

test('Edit opens the dialog with the stored info of a link of form type FTP [LNK-11] [DLG-01] [DLG-02] [DLG-03]', async ({
  user: page,
  plainFtp: { host, port, user, password },
}) => {
  const info = { server: `${host}:${port}`, username: user, password, protocol: 'FTP' };
  await expectEditShows(page, 'ftp', {}, info, 'Server');
});

async function expectEditShows(
  page: Page,
  family: keyof typeof familyCalls,
  more: Readonly<Record<string, string>>,
  info: Readonly<Record<string, string>>,
  label: string,
): Promise<void> {
  await call(page, familyCalls[family].add.path, { connectionInfo: JSON.stringify(info), linkName: 'Mine', ...more });
  const held = await hold(page, 'get_link_connection_info');
  await page.goto('/account/mysheaf');
  await page.getByRole('button', { name: 'Menu of Mine' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Mine' });
  await expect(dialog.getByRole('img', { name: 'Busy' })).toBeVisible();
  held.release();
  const [stored = ''] = [...new Set(Object.values(info))];
  await expect(dialog.getByLabel(label, { exact: true })).toHaveValue(stored);
  await expect(dialog.getByLabel('Name', { exact: true })).toHaveValue('Mine');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL('/account/mysheaf');
}
