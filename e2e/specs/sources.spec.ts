import { group, linked, row, watchLinkCalls } from '../fixtures/link-calls.ts';
import { expect, test } from '../fixtures/test.ts';

/** A source type, its page, and the label of its dialog's button; `false` if the dialog says that it cannot be linked, no page if it has no dialog. */
const types = [
  ['Autodesk', '/links/autodesk', 'Authorize', '[SRC-01] [LSP-03]'],
  ['B2', '/links/b2cloudstorage', 'Link', '[SRC-02]'],
  ['GoogleCloud', '/links/googlecloud', 'Authorize', '[SRC-03]'],
  ['Box', '/links/box', 'Authorize', '[SRC-04] [LSP-03]'],
  ['Canopy', '/links/canopy', false, ''],
  ['Copy', '/links/copy', false, '[SRC-06]'],
  // Linked in real/authorization.spec.ts, with a server configured by the operator.
  ['CloudDrive', '/links/clouddrive', false, ''],
  ['Dropbox', '/links/dropbox', 'Authorize', '[SRC-08] [LSP-03]'],
  ['DropboxTeams', '/links/dropboxteams', 'Authorize', '[SRC-09] [LSP-03]'],
  ['Facebook', '/links/facebook', 'Authorize', '[SRC-10] [LSP-03]'],
  ['GoogleDrive', '/links/googledrive', 'Authorize', '[SRC-11] [LSP-03]'],
  ['Instagram', '/links/instagram', 'Authorize', '[SRC-12] [LSP-03]'],
  ['Slack', '/links/slack', 'Authorize', '[SRC-13] [LSP-03]'],
  ['OneDrive', '/links/onedrive', 'Authorize', '[SRC-14] [LSP-03]'],
  ['OneDriveForBusiness', '/links/onedriveforbusiness', 'Authorize', '[SRC-15] [LSP-03]'],
  ['Sharepoint', '/links/sharepoint', 'Authorize', '[SRC-16] [LSP-03]'],
  ['S3', '/links/s3', 'Link', '[SRC-17]'],
  ['S3Compat', '/links/s3compat', 'Link', '[SRC-19]'],
  ['SheafGateway', '/links/sheafgatewaycloudstorage', 'Link', '[SRC-21]'],
  ['FTP', '/links/ftp', 'Link FTP', '[SRC-22]'],
  ['OracleDocuments', '/links/oracledocuments', 'Link Oracle Documents', '[SRC-23]'],
  ['Procore', '/links/procore', 'Authorize', '[SRC-24] [LSP-03]'],
  ['SFTP', '/links/sftp', undefined, '[SRC-25]'],
  ['Spaces', undefined, false, '[SRC-26]'],
  ['WebDAV', '/links/webdav', 'Link', '[SRC-27]'],
  ['Org', undefined, false, '[SRC-28]'],
  ['OFS', '/links/fileserver', 'Link Sheaf File Server', '[SRC-29]'],
  ['Wasabi', '/links/wasabi', 'Link', '[SRC-30]'],
  ['DigitalOcean', '/links/digitalocean', 'Link', '[SRC-31]'],
  ['DreamHost', '/links/dreamhost', 'Link', '[SRC-32]'],
  ['MinIO', '/links/minio', 'Link', '[SRC-33]'],
  ['AzureStorage', '/links/azurestorage', 'Link', '[SRC-34]'],
  ['4shared', '/links/4shared', 'Link', '[SRC-35]'],
  ['adrive', '/links/adrive', 'Link', '[SRC-36]'],
  ['hidrive', '/links/hidrive', 'Link', '[SRC-37]'],
  ['opendrive', '/links/opendrive', 'Link', '[SRC-38]'],
  ['yandexdisk', '/links/yandexdisk', 'Link', '[SRC-39]'],
] as const;

for (const [half, chosen] of [
  ['first', types.slice(0, types.length / 2)],
  ['second', types.slice(types.length / 2)],
] as const)
  test(`each source type has a logo named after it and its dialog: the ${half} half of the catalogue`, async ({ user: page }) => {
    test.setTimeout(120_000);
    for (const [provider, address, button, ids] of chosen)
      await test.step(`${provider} ${ids}`, async () => {
        const logo = await page.request.get(`/images/logos/${provider.toLowerCase()}.svg`);
        expect(logo.status()).toBe(200);
        expect(logo.headers()['content-type']).toContain('image/svg+xml');
        if (address === undefined) return;
        await page.goto(address);
        if (provider === 'Copy') {
          // It has a logo and no dialog.
          await expect(page.getByRole('heading', { level: 1, name: 'Sheaf does not know this type of storage' })).toBeVisible();
          await expect(page.locator('main').getByRole('button')).toHaveCount(0);
          return;
        }
        await expect(page.getByRole('heading', { name: /^Link / })).toBeVisible();
        if (typeof button === 'string') await expect(page.getByRole('button', { name: button, exact: true })).toBeVisible();
        else if (button === false) await expect(page.getByText(/so it cannot be linked/)).toBeVisible();
        else await expect(page.getByRole('link', { name: 'Login with password' })).toBeVisible();
      });
  });

test('photos open in the gallery, everything else in the list [SRC-10] [SRC-12] [SRC-40]', async ({ user: page }) => {
  const calls = await watchLinkCalls(page);
  calls.answer(
    'all_links',
    linked(
      group('Facebook', 'Facebook', row('f1', 'Album', 'Facebook', { browseUrl: '/gallery/Album' })),
      group('SFTP', 'SFTP', row('s1', 'Server', 'SFTP')),
    ),
  );
  await page.goto('/account/mysheaf');
  await expect(page.getByRole('link', { name: 'Album' })).toHaveAttribute('href', '/gallery/Album');
  await expect(page.getByRole('link', { name: 'Server' })).toHaveAttribute('href', '/browse/Server');
});

test('Edit on a link of form type GOOGLECLOUD opens its dialog [LNK-12] [GCS-10]', async ({ user: page }) => {
  const calls = await watchLinkCalls(page);
  calls.answer(
    'all_links',
    linked(group('GoogleCloud', 'Google Cloud Storage', row('g1', 'Archive', 'GoogleCloud', { formType: 'GOOGLECLOUD' }))),
  );
  const asked = page.waitForResponse((response) => response.url().endsWith('/rest/provider/get_link_provider'));
  calls.answer('get_link_connection_info', {
    data: { linkName: 'Archive', provider: 'GoogleCloud', sourceType: 'GoogleCloud', connectionInfo: { bucketName: 'b' } },
  });
  await page.goto('/account/mysheaf');
  await page.getByRole('button', { name: 'Menu of Archive' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await expect(page.getByRole('dialog', { name: 'Edit Archive' }).getByLabel('Name', { exact: true })).toHaveValue('Archive');
  const { data } = (await (await asked).json()) as { data: { provider: { provider: string; displayTitle: string } } };
  expect(data.provider).toMatchObject({ provider: 'GoogleCloud', displayTitle: 'Google Cloud Storage' });
});
