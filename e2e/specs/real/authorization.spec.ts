import { call } from '../../fixtures/call.ts';
import { authorize, decide, test } from '../../fixtures/providers.ts';
import { expect, expectAccessible } from '../../fixtures/test.ts';

/** Providers with an account each, the region that shows the link, and an item of its root. */
const linkable = [
  ['autodesk', 'Autodesk', 'mara@sheaf.example', 'browse', /./],
  ['facebook', 'Facebook', 'mara@example.org', 'gallery', /./],
  ['instagram', 'Instagram', 'mara@example.org', 'gallery', /./],
  ['box', 'Box', 'mara@example.org', 'browse', /./],
  ['dropbox', 'Dropbox', 'mara@example.org', 'browse', 'Photos'],
  ['dropboxteams', 'Dropbox Business', 'noor@example.org', 'browse', 'All hands'],
  ['googledrive', 'Google Drive', 'mara@example.org', 'browse', /./],
  ['procore', 'Procore', 'mara@sheaf.example', 'browse', /./],
  ['onedrive', 'OneDrive', 'mara@outlook.example', 'browse', /./],
  ['onedriveforbusiness', 'OneDrive for Business', 'noor@example.org', 'browse', /./],
  ['sharepoint', 'SharePoint', 'noor@example.org', 'browse', /./],
  ['slack', 'Slack', 'mara@example.org', 'browse', /./],
] as const;

/** Ledger row that a photo service proves by opening in the gallery. */
const galleryRows: Readonly<Record<string, string>> = { facebook: ' [RT-056]', instagram: ' [RT-057]' };

for (const [route, title, email, area, entry] of linkable)
  test(`${title} is linked by authorization and browsed under My links [OAU-09] [OAU-20] [RT-014] [RT-076] [SRC-40]${galleryRows[route] ?? ''}`, async ({
    user: page,
    providers,
  }) => {
    await authorize(page, route, email);
    await expect(page).toHaveURL(`/${area}/${encodeURIComponent(`My ${title}`)}`);
    await expect(page.getByRole('grid').getByRole('row').filter({ hasText: entry }).first()).toBeVisible();
    providers.assertClean();
  });

test('a bucket of Google Cloud is chosen after Google has authorized Sheaf [GCS-07] [RT-023] [RT-075]', async ({
  user: page,
  providers,
}) => {
  await authorize(page, 'googlecloud', 'mara@example.org');
  await expect(page).toHaveURL(/\/link\/auth\/googlecloud\?stateId=/);
  await page.getByLabel('Bucket name').fill('nobody-has-this-bucket');
  await page.getByRole('button', { name: 'Link', exact: true }).click();
  await expect(page.getByText('The bucket was not found. Please check the bucket name.')).toBeVisible();
  await page.getByLabel('Bucket name').fill('mara-files');
  await page.getByRole('button', { name: 'Link', exact: true }).click();
  await expect(page).toHaveURL('/browse/My%20Google%20Cloud%20Storage');
  await expect(page.getByRole('row').filter({ hasText: 'readme.txt' })).toBeVisible();
  providers.assertClean();
});

test('Amazon Cloud Drive has its logo, and is linked by its dialog if the operator has configured a server for it [SRC-07] [LSP-03]', async ({
  user: page,
  providers,
}) => {
  const logo = await page.request.get('/images/logos/clouddrive.svg');
  expect([logo.status(), logo.headers()['content-type']]).toEqual([200, expect.stringContaining('image/svg+xml')]);
  await page.goto('/links/clouddrive');
  await expect(page.getByRole('heading', { name: 'Link Amazon Cloud Drive' })).toBeVisible();
  await expect(page.getByText('Sheaf requires authorization to access your Amazon Cloud Drive account.')).toBeVisible();
  await authorize(page, 'clouddrive', 'mara@example.org');
  await expect(page).toHaveURL('/browse/My%20Amazon%20Cloud%20Drive');
  await expect(page.getByRole('grid').getByRole('row').nth(1)).toBeVisible();
  providers.assertClean();
});

test('a bucket that is already linked is linked again if the user continues anyway [GCS-17]', async ({ user: page, providers }) => {
  const link = async (name: string): Promise<void> => {
    await authorize(page, 'googlecloud', 'mara@example.org');
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByLabel('Bucket name').fill('mara-files');
    await page.getByRole('button', { name: 'Link', exact: true }).click();
  };
  await link('First');
  await expect(page).toHaveURL('/browse/First');
  const refused = page.waitForResponse((response) => response.url().endsWith('/add_googlecloud_link'));
  await link('Second');
  expect(await (await refused).json()).toMatchObject({ errorCode: 420 });
  await expect(page.getByRole('alert')).toHaveText('You have already linked this account. Do you want to continue?');
  await page.getByRole('button', { name: 'Continue Anyway' }).click();
  await expect(page).toHaveURL('/browse/Second');
  await expect(page.getByRole('row').filter({ hasText: 'readme.txt' })).toBeVisible();
  providers.assertClean();
});

test('an authorization that the user declines links nothing [RT-015]', async ({ user: page }) => {
  await page.goto('/links/dropbox');
  await page.getByRole('button', { name: 'Authorize', exact: true }).click();
  await decide(page, 'Deny');
  await expect(page).toHaveURL('/link/auth/declined');
  await expect(page.getByText('You declined access. Nothing was linked.')).toBeVisible();
  await expectAccessible(page);
  await page.goto('/account/mysheaf');
  await expect(page.getByRole('link', { name: 'My Dropbox' })).toHaveCount(0);
});

test('an account that is already linked is reported, not linked twice [RT-020]', async ({ user: page }) => {
  await authorize(page, 'dropbox', 'mara@example.org');
  await expect(page).toHaveURL('/browse/My%20Dropbox');
  await authorize(page, 'dropbox', 'mara@example.org');
  await expect(page).toHaveURL('/link/auth/duplicate');
  await page.goto('/account/mysheaf');
  await expect(page.getByRole('link', { name: /^My Dropbox/ })).toHaveCount(1);
});

test('a link whose grant was revoked asks for authorization again, and keeps its name and place [BRW-31] [OAU-26] [OAU-27] [ERR-17] [RT-021]', async ({
  user: page,
  providers,
}) => {
  const dropbox = providers.of['DROPBOX'];
  await authorize(page, 'dropbox', 'mara@example.org');
  await expect(page).toHaveURL('/browse/My%20Dropbox');
  const { activeSources } = await (await page.request.get('/rest/ws/all_links')).json().then(({ data }) => data);
  const { userLinkId } = activeSources[0].links[0];
  await call(page, '/rest/ws/link/update_oauth_manage_info', { userLinkId, serverName: 'Studio' });
  dropbox?.oauth.revokeAccount('mara@example.org');

  // Browsing redirects to the provider; authorizing a different account is refused and changes nothing.
  await page.goto('/browse/Studio/Photos');
  await decide(page, 'Allow', 'otto@example.org');
  await expect(page).toHaveURL('/link/auth/mismatch');
  await expect(page.getByText('You signed in with a different account than the one this link uses.')).toBeVisible();

  await page.goto('/account/mysheaf');
  await expect(page.getByText('Needs attention', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Fix Studio' }).click();
  await decide(page, 'Allow', 'mara@example.org');
  await expect(page).toHaveURL('/account/mysheaf');
  await expect(page.getByRole('button', { name: 'Fix Studio' })).toHaveCount(0);
  await page.getByRole('link', { name: 'Studio', exact: true }).click();
  await expect(page.getByRole('row').filter({ hasText: 'Photos' })).toBeVisible();
  const after = await (await page.request.get('/rest/ws/all_links')).json().then(({ data }) => data);
  expect(after.activeSources[0].links[0].userLinkId).toBe(userLinkId);
});

test('the code stays neither in the address nor in the history, and works once', async ({ user: page, sheaf }) => {
  const codes: string[] = [];
  page.on('request', (request) => {
    const code = new URL(request.url()).searchParams.get('code');
    if (request.isNavigationRequest() && code !== null) codes.push(request.url());
  });
  await authorize(page, 'dropbox', 'mara@example.org');
  await expect(page).toHaveURL('/browse/My%20Dropbox');
  expect(codes).toHaveLength(1);
  expect(sheaf.log()).not.toContain(new URL(codes[0] ?? '').searchParams.get('code') ?? 'none');
  await page.goto(codes[0] ?? '');
  await expect(page).toHaveURL('/link/auth/unexpectederror');
});

test('an authorization answer without a request is refused [RT-017]', async ({ user: page }) => {
  await page.goto('/oauth?state=guessed&code=guessed');
  await expect(page).toHaveURL('/link/auth/unexpectederror');
});

test('a photo is shown with the provider’s thumbnail', async ({ user: page }) => {
  await authorize(page, 'dropbox', 'mara@example.org');
  await expect(page).toHaveURL('/browse/My%20Dropbox');
  await page.goto('/browse/My%20Dropbox/Photos?view=grid');
  const picture = page.getByRole('gridcell', { name: 'harbour.jpg' }).locator('img');
  await expect(picture).toBeVisible();
  expect(await picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0)).toBe(true);
});

test('the operator sees which providers are configured and tests one @narrow', async ({ user: page }) => {
  await page.goto('/operator/providers');
  await expect(page.getByRole('heading', { name: 'Providers' })).toBeVisible();
  const dropbox = page.getByRole('listitem', { name: 'Dropbox', exact: true });
  await expect(dropbox.getByText('Set up', { exact: true })).toBeVisible();
  await expect(page.getByText(/\/oauth$/)).toBeVisible();
  await expectAccessible(page);
  await dropbox.getByRole('button', { name: 'Test Dropbox' }).click();
  await expect(page.getByText('Dropbox answers and knows this application.')).toBeVisible();
});
