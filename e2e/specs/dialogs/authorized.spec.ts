import { group, linked, refused, row, saved, valid, watchCalls, watchLinkCalls } from '../../fixtures/link-calls.ts';
import { expect, expectAccessible, test } from '../../fixtures/test.ts';
import { makeOrg } from '../orgs/actions.ts';
import { button, field, fill, labels } from './fields.ts';

const question = 'The server could not validate these credentials. You may still be able to connect. Do you want to continue?';
const stored = (provider: string) => ({
  data: { linkName: 'Studio', provider, sourceType: provider, connectionInfo: {} },
});

/** The edit dialog of a link called Studio. */
async function edit(page: Parameters<typeof watchLinkCalls>[0], provider: string) {
  const calls = await watchLinkCalls(page);
  calls.answer('all_links', linked(group(provider, provider, row('d1', 'Studio', provider, { formType: 'OAUTH' }))));
  calls.answer('get_link_connection_info', stored(provider));
  await page.goto('/account/mysheaf?edit=d1');
  await expect(page.getByRole('heading', { name: 'Edit Studio' })).toBeVisible();
  return calls;
}

const authorized = [
  ['autodesk', 'Autodesk'],
  ['box', 'Box'],
  ['dropbox', 'Dropbox'],
  ['dropboxteams', 'Dropbox Business'],
  ['facebook', 'Facebook'],
  ['googledrive', 'Google Drive'],
  ['instagram', 'Instagram'],
  ['onedrive', 'OneDrive'],
  ['onedriveforbusiness', 'OneDrive for Business'],
  ['procore', 'Procore'],
  ['sharepoint', 'SharePoint'],
  ['slack', 'Slack'],
] as const;
test('every provider of this kind is linked by authorization [OAU-01] [OAU-02] [OAU-03] [OAU-09] [LSP-03]', async ({ user: page }) => {
  test.setTimeout(90_000);
  // An answer with status 204 keeps the browser on the page.
  await page.route('**/linkwebservice**', (to) => to.fulfill({ status: 204 }));
  for (const [route, title] of authorized)
    await test.step(title, async () => {
      await page.goto(`/links/${route}`);
      await expect(page.getByRole('heading', { name: `Link ${title}`, exact: true })).toBeVisible();
      await expect(page.getByText(`Sheaf requires authorization to access your ${title} account.`)).toBeVisible();
      const begun = page.waitForRequest((request) => request.isNavigationRequest() && request.url().includes('/linkwebservice'));
      await button(page, 'Authorize').click();
      const query = new URL((await begun).url()).searchParams;
      expect(query.get('sourceType')?.toLowerCase()).toBe(route);
      expect(query.get('redirectUrl')).toBe('/account/mysheaf');
      expect(query.get('cancelUrl')).toBe('/links');
      expect(query.get('buildRedirectUrl')).toBe('false');
      expect(query.get('authPrompt')).toBe('true');
    });
});

test('a link of an organisation is checked and renamed by the organisation’s calls [OAU-18]', async ({ user: page }) => {
  const { orgOid } = await makeOrg(page);
  const calls = await watchCalls(page, /\/rest\/(ws\/|addlink\/|provider\/|org\/links)/);
  calls.answer('links', linked(group('Dropbox', 'Dropbox', row('d1', 'Studio', 'Dropbox', { formType: 'OAUTH' }))));
  calls.answer('get_org_link_connection_info', stored('Dropbox'));
  calls.answer('validate_oauth_manage_info_for_org_link', valid);
  calls.answer('update_oauth_manage_info_for_org_link', saved);
  await page.goto(`/account/mysheaf?catid=org&edit=d1&orgOid=${orgOid}`);
  await fill(page, { Name: 'Other' });
  await button(page, 'Save Changes').click();
  await expect(page).not.toHaveURL(/edit=/);
  for (const name of ['validate_oauth_manage_info_for_org_link', 'update_oauth_manage_info_for_org_link'])
    expect(calls.of(name)[0]?.form['orgOid']).toBe(orgOid);
});

test('the dialog is accessible @narrow', async ({ user: page }) => {
  await page.goto('/links/dropbox');
  await expect(button(page, 'Authorize')).toBeVisible();
  await expectAccessible(page);
});

test('Google Cloud shows only the message and Authorize, which leaves no page in the history [GCS-01] [GCS-02] [GCS-12] [GCS-13]', async ({
  user: page,
}) => {
  await page.goto('/links');
  await page.goto('/links/googlecloud');
  await expect(page.getByText('Sheaf requires authorization to access your Google Cloud Storage account.')).toBeVisible();
  await expect(page.locator('main input')).toHaveCount(0);
  const begun = page.waitForRequest((request) => request.isNavigationRequest() && request.url().includes('/linkwebservice'));
  const length = await page.evaluate(() => history.length);
  await button(page, 'Authorize').click();
  expect(new URL((await begun).url()).searchParams.get('buildRedirectUrl')).toBe('true');
  await expect(page).not.toHaveURL('/links/googlecloud');
  expect(await page.evaluate(() => history.length)).toBe(length);
});

test('Authorize marks the dialog as submitting [GCS-11]', async ({ user: page }) => {
  // An answer with status 204 keeps the browser on the page, so that the dialog can be checked.
  await page.route('**/linkwebservice**', (route) => route.fulfill({ status: 204 }));
  await page.goto('/links/googlecloud');
  await button(page, 'Authorize').click();
  await expect(page.locator('main button[data-loading]')).toBeVisible();
  await expect(button(page, 'Cancel')).toBeDisabled();
});

test('an unchanged name returns without any call [LNK-13] [OAU-04] [OAU-05] [OAU-06] [OAU-15] [OAU-16]', async ({ user: page }) => {
  const calls = await edit(page, 'Dropbox');
  await expect(page.getByRole('dialog').locator('label')).toHaveText(['Name']);
  await expect(field(page, 'Name')).toHaveValue('Studio');
  await field(page, 'Name').fill('');
  await expect(button(page, 'Save Changes')).toBeEnabled();
  await field(page, 'Name').fill('Studio');
  await button(page, 'Save Changes').click();
  await expect(page).toHaveURL('/account/mysheaf');
  expect([...calls.of('validate_oauth_manage_info'), ...calls.of('update_oauth_manage_info')]).toHaveLength(0);
});

test('a new name is validated, saved, and leads into the link [OAU-08] [OAU-10] [OAU-14]', async ({ user: page }) => {
  const calls = await edit(page, 'Dropbox');
  calls.answer('validate_oauth_manage_info', valid);
  calls.answer('update_oauth_manage_info', { data: { ...saved.data, linkName: 'Other', browseUrl: '/browse/Other' } });
  await fill(page, { Name: 'Other' });
  await button(page, 'Save Changes').click();
  await expect(page).toHaveURL('/browse/Other');
  expect(calls.of('validate_oauth_manage_info')[0]?.form['serverName']).toBe('Other');
  const [update] = calls.of('update_oauth_manage_info');
  expect(update?.form['userLinkId']).toBe('d1');
  expect(update?.form['serverName']).toBe('Other');
  expect(update?.form['rTag']).toBeTruthy();
});

for (const provider of ['Dropbox', 'GoogleCloud'])
  test(`${provider}: an invalid link may be saved anyway, without another check [OAU-07] [OAU-11] [OAU-13] [OAU-17] [GCS-03] [GCS-04] [GCS-05] [GCS-06] [GCS-15] [GCS-16] [GCS-18]`, async ({
    user: page,
  }) => {
    const calls = await edit(page, provider);
    calls.answer('validate_oauth_manage_info', { data: { isValid: false } });
    calls.answer('update_oauth_manage_info', saved);
    await fill(page, { Name: 'Other' });
    await button(page, 'Save Changes').click();
    await expect(page.getByText(question)).toBeVisible();
    expect(calls.of('update_oauth_manage_info')).toHaveLength(0);
    await button(page, 'Continue Anyway').click();
    await expect(page).not.toHaveURL(/edit=/);
    expect(calls.of('validate_oauth_manage_info')).toHaveLength(1);
    expect(calls.of('update_oauth_manage_info')).toHaveLength(1);
  });

test('error 420 offers to continue; a taken name does not [OAU-12] [ERR-18]', async ({ user: page }) => {
  const calls = await edit(page, 'GoogleCloud');
  calls.answer('validate_oauth_manage_info', refused(420, 'DUPLICATE_LINK', 'You have already linked this account.'));
  await fill(page, { Name: 'Other' });
  await button(page, 'Save Changes').click();
  await expect(page.getByText('You have already linked this account. Do you want to continue?')).toBeVisible();
  await expect(button(page, 'Continue Anyway')).toBeVisible();
  const taken = 'You already have a link named Third. Please enter a different name.';
  calls.answer('validate_oauth_manage_info', refused(421, 'DUPLICATE_LINK_NAME', taken));
  await fill(page, { Name: 'Third' });
  await button(page, 'Save Changes').click();
  await expect(page.getByText(taken)).toBeVisible();
  await expect(button(page, 'Continue Anyway')).toHaveCount(0);
});

for (const provider of ['Dropbox', 'GoogleCloud'])
  test(`${provider}: an unreadable answer is reported as a network error [OAU-19] [GCS-19]`, async ({ user: page }) => {
    (await edit(page, provider)).answer('validate_oauth_manage_info', 'unreadable');
    await fill(page, { Name: 'Other' });
    await button(page, 'Save Changes').click();
    await expect(page.getByText('Cannot connect. Please check your network connection and try again.')).toBeVisible();
  });

test('the bucket is requested after Google has authorized Sheaf @narrow [GCS-07] [GCS-08] [GCS-09] [RT-023]', async ({ user: page }) => {
  const calls = await watchLinkCalls(page);
  calls.answer('add_googlecloud_link', saved);
  await page.goto('/link/auth/googlecloud?stateId=granted-1&handoffToken=token-1');
  await expect(button(page, 'Link')).toBeVisible();
  await expect(labels(page)).toHaveText(['Name', 'Bucket name']);
  await expectAccessible(page);
  await fill(page, { Name: 'Archive', 'Bucket name': 'mara-archive' });
  await button(page, 'Link').click();
  await expect(page).toHaveURL('/link/auth/desktopsuccess/GoogleCloud');
  const { rTag, ...form } = calls.of('add_googlecloud_link')[0]?.form ?? {};
  expect(rTag).toBeTruthy();
  expect(form).toEqual({
    name: 'Archive',
    bucketName: 'mara-archive',
    directoryStructure: "SIMPLE '/' DELIMITED",
    stateId: 'granted-1',
    handoffToken: 'token-1',
  });
});

test('the key of a service account opens a bucket without authorization', async ({ user: page }) => {
  const calls = await watchLinkCalls(page);
  calls.answer('add_googlecloud_link', refused(426, 'BUCKET_NOT_FOUND', 'The bucket was not found. Please check the bucket name.'));
  await page.goto('/link/auth/googlecloud');
  await fill(page, { 'Bucket name': 'mara-archive', 'Service account key': '{"type":"service_account"}' });
  await button(page, 'Link').click();
  await expect(field(page, 'Bucket name')).toHaveAttribute('aria-invalid', 'true');
  expect(calls.of('add_googlecloud_link')[0]?.form['serviceAccountKey']).toBe('{"type":"service_account"}');
});

test('a link that needs attention is repaired by authorizing it again', async ({ user: page }) => {
  const calls = await watchLinkCalls(page);
  const attention = { state: 'attention', attention: 'Dropbox no longer lets Sheaf in. Please authorize Sheaf again.' };
  calls.answer('all_links', linked(group('Dropbox', 'Dropbox', row('d1', 'Studio', 'Dropbox', attention))));
  await page.goto('/account/mysheaf');
  const begun = page.waitForRequest((request) => request.isNavigationRequest() && request.url().includes('/linkwebservice'));
  await page.getByRole('button', { name: 'Fix Studio' }).click();
  const query = new URL((await begun).url()).searchParams;
  expect(query.get('userLinkId')).toBe('d1');
  expect(query.get('redirectUrl')).toBe('/account/mysheaf');
});
