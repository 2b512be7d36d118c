import { type Sent, group, linked, refused, row, watchLinkCalls } from '../fixtures/link-calls.ts';
import { expect, expectAccessible, test } from '../fixtures/test.ts';

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

test('a row shows thumbnail, name and account under the heading of its type [LNK-01] [LNK-08] [LNK-09]', async ({ user: page }) => {
  (await watchLinkCalls(page)).answer('all_links', linked(...groups));
  await page.goto('/account/mysheaf');
  const list = page.getByRole('region', { name: 'Links list' });
  await expect(list.getByRole('heading', { level: 2 })).toHaveText(['SFTP', 'WebDAV', 'Organisation']);
  const sftp = page.getByRole('region', { name: 'SFTP' });
  await expect(sftp.getByRole('listitem').getByRole('link')).toHaveText(['home server', 'Web hosting']);
  const hosting = sftp.getByRole('listitem').filter({ hasText: 'Web hosting' });
  await expect(hosting.locator('img')).toHaveAttribute('src', '/images/logos/sftp.svg');
  await expect(hosting).toContainText('account of Web hosting');
  expect(await hosting.locator('img').evaluate((image) => Reflect.get(image, 'naturalWidth') as number)).toBeGreaterThan(0);
  await expectAccessible(page);
});

test('the account column is there from 730 px on and not below [LNK-02]', async ({ user: page }) => {
  (await watchLinkCalls(page)).answer('all_links', linked(...groups));
  await page.setViewportSize({ width: 730, height: 800 });
  await page.goto('/account/mysheaf');
  await expect(page.getByText('account of University')).toBeVisible();
  await page.setViewportSize({ width: 729, height: 800 });
  await expect(page.getByText('account of University')).toBeHidden();
  await expect(page.getByRole('link', { name: 'University' })).toBeVisible();
});

test('a click anywhere on a row opens its browse route [LNK-03] [RT-054]', async ({ user: page }) => {
  (await watchLinkCalls(page)).answer('all_links', linked(...groups));
  await page.goto('/account/mysheaf');
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Web hosting' })
    .click({ position: { x: 420, y: 26 } });
  await expect(page).toHaveURL('/browse/Web%20hosting');
});

test('every row but an organisation’s has a menu with Edit and Unlink [LNK-04] [LNK-05] [LNK-06] [LNK-07] [LNK-39] [DLG-13]', async ({
  user: page,
}) => {
  (await watchLinkCalls(page)).answer('all_links', linked(...groups));
  await page.goto('/account/mysheaf');
  await expect(page.getByRole('button', { name: /^Menu of/ })).toHaveCount(3);
  await expect(page.getByRole('button', { name: 'Menu of Halm Studio' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Menu of University' }).click();
  await expect(page.getByRole('menuitem')).toHaveText(['Edit', 'Share', 'Unlink']);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menuitem')).toHaveCount(0);
});

test('a link that needs attention says why and offers to fix it; one that may be a stranger’s is kept or unlinked', async ({
  user: page,
}) => {
  const calls = await watchLinkCalls(page);
  calls.answer('all_links', linked(...groups, group('FTP', 'FTP', row('f1', 'Attic', 'FTP', { isUnclaimed: true }))));
  calls.answer('keep_link', { data: {} });
  await page.goto('/account/mysheaf');
  await expect(page.getByText('It was linked before your e-mail address was proven')).toBeVisible();
  await expectAccessible(page);
  calls.answer('all_links', linked(...groups));
  await page.getByText('It is mine').click();
  await expect(page.getByText('It was linked before')).toHaveCount(0);
  expect(calls.of('keep_link').map(({ form }) => form['userLinkId'])).toEqual(['f1']);
  await expect(page.getByText('4 links. 1 needs attention.')).toBeVisible();
  await expect(page.getByText('It says no.')).toBeVisible();
  await page.getByRole('button', { name: 'Fix home server' }).click();
  await expect(page).toHaveURL('/account/mysheaf?edit=s2');
});

test('nothing linked yet: the page says so and leads to the picker', async ({ user: page }) => {
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
  const calls = await watchLinkCalls(page);
  calls.answer('all_links', linked(...groups));
  const answered = Promise.withResolvers<{ data: object }>();
  calls.answer('delete_link', answered.promise);
  await page.goto('/account/mysheaf');
  await page.getByRole('button', { name: 'Menu of University' }).click();
  await page.getByRole('menuitem', { name: 'Unlink' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm Unlinking' });
  await expect(dialog).toContainText('Unlinking removes University from your storage and deletes the folder from all clients.');
  await expect(dialog.getByRole('button', { name: "No, don't unlink" })).toBeFocused();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Yes, unlink' }).click();
  await expect(dialog.getByRole('button', { name: 'Processing...' })).toBeDisabled();
  calls.answer('all_links', linked(...groups.slice(1)));
  answered.resolve({ data: {} });
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('link', { name: 'University' })).toHaveCount(0);
  // Not at the top of the page again: the row that had the focus is gone.
  await expect(page.locator('main')).toBeFocused();
  expect(calls.of('delete_link').map(({ form }: Sent) => form['userLinkId'])).toEqual(['d1']);
});

test('saying no closes the dialog and calls nothing [LNK-33]', async ({ user: page }) => {
  const calls = await watchLinkCalls(page);
  calls.answer('all_links', linked(...groups));
  await page.goto('/account/mysheaf');
  await page.getByRole('button', { name: 'Menu of University' }).click();
  await page.getByRole('menuitem', { name: 'Unlink' }).click();
  await page.getByRole('button', { name: "No, don't unlink" }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  expect(calls.of('delete_link')).toEqual([]);
});

test('an error of unlinking closes the dialog; only an unexpected one is told [LNK-34] [LNK-35] [LNK-36] [LNK-37]', async ({
  user: page,
}) => {
  const calls = await watchLinkCalls(page);
  calls.answer('all_links', linked(...groups));
  await page.goto('/account/mysheaf');
  const unlink = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Menu of University' }).click();
    await page.getByRole('menuitem', { name: 'Unlink' }).click();
    await page.getByRole('button', { name: 'Yes, unlink' }).click();
    await expect(page.getByRole('dialog')).toBeHidden();
  };
  for (const code of [107, 111, 419, 420]) {
    calls.answer('delete_link', refused(code, 'ANY', 'Some text.'));
    const logged = page.waitForEvent('console', (message) => message.text().includes('Unlinking failed'));
    await unlink();
    await logged;
  }
  await expect(page.getByText('Cannot unlink')).toHaveCount(0);
  calls.answer('delete_link', refused(351, 'INVALID_LINK_URI', 'Gone.'));
  await unlink();
  await expect(page.getByText('Cannot unlink')).toBeVisible();
  await expect(page.getByRole('link', { name: 'University' })).toBeVisible();
});

const editors = [
  ['FTP', 'FTP', 'Edit on a link of form type FTP opens its dialog with the stored info [LNK-11] [DLG-01] [DLG-02] [DLG-03]'],
  ['OFS', 'OFS', 'Edit on a link of form type OFS opens its dialog with the stored info [LNK-14] [DLG-01] [DLG-02] [DLG-03]'],
  [
    'SheafGateway',
    'SHEAFGATEWAY',
    'Edit on a link of form type SHEAFGATEWAY opens its dialog with the stored info [LNK-15] [DLG-01] [DLG-02] [DLG-03]',
  ],
  ['SFTP', 'SFTP', 'Edit on a link of form type SFTP opens its dialog with the stored info [LNK-17] [DLG-01] [DLG-02] [DLG-03]'],
  ['S3', 'S3', 'Edit on a link of form type S3 opens its dialog with the stored info [LNK-18] [DLG-01] [DLG-02] [DLG-03]'],
  ['MinIO', 'S3X', 'Edit on a link of form type S3X opens its dialog with the stored info [LNK-19] [DLG-01] [DLG-02] [DLG-03]'],
  ['B2', 'B2', 'Edit on a link of form type B2 opens its dialog with the stored info [LNK-10]'],
  ['OracleDocuments', 'ORACLE', 'Edit on a link of form type ORACLE opens its dialog with the stored info [LNK-16]'],
  ['WebDAV', 'WEBDAV', 'Edit on a link of form type WEBDAV opens its dialog with the stored info [LNK-21] [DLG-01] [DLG-02] [DLG-03]'],
] as const;
for (const [provider, formType, title] of editors) {
  test(title, async ({ user: page }) => {
    const calls = await watchLinkCalls(page);
    calls.answer('all_links', linked(group(provider, provider, row('x1', 'Mine', provider, { formType }))));
    const stored = Promise.withResolvers<{ data: object }>();
    calls.answer('get_link_connection_info', stored.promise);
    await page.goto('/account/mysheaf');
    await page.getByRole('button', { name: 'Menu of Mine' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit Mine' });
    await expect(dialog.getByRole('img', { name: 'Busy' })).toBeVisible();
    const host = { S3: 'host', MinIO: 'host', B2: 'accountId', OracleDocuments: 'url' }[provider as string] ?? 'server';
    stored.resolve({ data: { linkName: 'Mine', provider, sourceType: provider, connectionInfo: { [host]: 'stored.example:22' } } });
    await expect(dialog.getByLabel(/^(Host|Server|Server \(URL\)|Account ID\/Key ID)$/)).toHaveValue('stored.example:22');
    await expect(dialog.getByLabel('Name', { exact: true })).toHaveValue('Mine');
    expect(calls.of('get_link_connection_info')[0]?.form['userLinkId']).toBe('x1');
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(page).toHaveURL('/account/mysheaf');
  });
}
