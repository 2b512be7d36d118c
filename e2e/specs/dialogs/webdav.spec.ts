import { group, linked, mask, refused, row, saved, watchLinkCalls } from '../../fixtures/link-calls.ts';
import { expect, expectAccessible, test } from '../../fixtures/test.ts';
import { button, choicesOf, field, fill, labels } from './fields.ts';

const entered = { Server: 'https://dav.example', Username: 'mara', Password: 'secret' };

test('the generic dialog has its fields and defaults @narrow [RT-028] [DAV-01] [DAV-02] [DAV-03] [DAV-04] [DAV-06]', async ({
  user: page,
}) => {
  for (const address of ['/link/auth/webdav', '/links/webdav']) {
    await page.goto(address);
    await expect(page.getByRole('heading', { name: 'Link WebDAV' })).toBeVisible();
  }
  await expect(labels(page)).toHaveText(['Name', 'Server', 'Username', 'Password', 'Auth type', 'Valid SSL']);
  await expect(choicesOf(page, 'Auth type')).toHaveText(['basic', 'digest']);
  await expect(field(page, 'Auth type')).toHaveValue('basic');
  await expect(page.getByLabel('Valid SSL')).toBeChecked();
  await page.getByRole('button', { name: 'Advanced' }).click();
  await expect(field(page, 'Destination URL')).toBeVisible();
  await expectAccessible(page);
});

test('named providers bring their own server and have no certificate rule [LSP-09] [DAV-05] [DAV-07]', async ({ user: page }) => {
  const calls = await watchLinkCalls(page);
  for (const type of ['4shared', 'adrive', 'hidrive', 'opendrive', 'yandexdisk']) {
    await page.goto(`/links/${type}`);
    await expect(button(page, 'Link')).toBeVisible();
    await expect(page.getByLabel('Valid SSL')).toHaveCount(0);
    await expect.poll(() => calls.of('get_link_provider').at(-1)?.form['provider']).toBe(type);
  }
  await page.goto('/links/hidrive');
  await expect(field(page, 'Server')).toHaveValue('https://webdav.hidrive.strato.com');
  await expect(field(page, 'Server')).not.toBeEditable();
});

test('the link is saved with one call that checks [DAV-10] [DAV-11] [DAV-12] [DAV-19] [DAV-20]', async ({ user: page }) => {
  const calls = await watchLinkCalls(page);
  calls.answer('add_webdav_provider_link', saved);
  await page.goto('/links/webdav');
  await expect(field(page, 'Name')).toHaveValue('My WebDAV Server');
  expect(calls.of('get_default_source_name')[0]?.form).toMatchObject({ sourceType: 'WebDAV', provider: 'WebDAV' });
  await fill(page, { Server: 'https://dav.example', Username: 'mara' });
  await expect(button(page, 'Link')).toBeDisabled();
  await fill(page, entered);
  await button(page, 'Link').click();
  await expect(page).toHaveURL(/\/browse\//);
  const { form, info } = calls.of('add_webdav_provider_link')[0] ?? {};
  expect(form).toMatchObject({ validateConnection: 'true', provider: 'WebDAV' });
  expect(info).toEqual({
    server: 'https://dav.example',
    username: 'mara',
    password: 'secret',
    authType: 'basic',
    enforceSSL: 'ENFORCE_MATCH',
  });
});

test('when nothing answers the user is asked and may save unchecked [DAV-13] [DAV-14] [ERR-31]', async ({ user: page }) => {
  const calls = await watchLinkCalls(page);
  calls.answer('add_webdav_provider_link', refused(652, 'CANNOT_CONNECT', 'Cannot connect.'));
  await page.goto('/links/webdav');
  await fill(page, entered);
  await button(page, 'Link').click();
  const question =
    'Could not connect to WebDAV server to validate your credentials. You may still be able to connect. Do you want to continue?';
  await expect(page.getByText(question)).toBeVisible();
  calls.answer('add_webdav_provider_link', saved);
  await button(page, 'Continue Anyway').click();
  await expect(page).toHaveURL(/\/browse\//);
  expect(calls.of('add_webdav_provider_link').map(({ form }) => form['validateConnection'])).toEqual(['true', 'false']);
});

test('an unreachable named provider is reported without an offer [ERR-32]', async ({ user: page }) => {
  const text = 'Cannot connect to HiDrive server. Please check your network connection and try again later.';
  (await watchLinkCalls(page)).answer('add_webdav_provider_link', refused(652, 'CANNOT_CONNECT', text));
  await page.goto('/links/hidrive');
  await fill(page, { Username: 'mara', Password: 'secret' });
  await button(page, 'Link').click();
  await expect(page.getByText(text)).toBeVisible();
  await expect(button(page, 'Link')).toBeEnabled();
});

test('a wrong login and certificate errors are reported in their own words [DAV-21] [ERR-33] [ERR-34] [ERR-35]', async ({ user: page }) => {
  const calls = await watchLinkCalls(page);
  await page.goto('/links/webdav');
  await fill(page, entered);
  for (const [code, messageCode, text] of [
    [422, 'INVALID_CREDENTIALS', 'Invalid login credentials. Please try again.'],
    [653, 'CERTIFICATE_NAME_MISMATCH', 'Invalid SSL certificate. Name Mismatch.'],
    [654, 'AUTH_TYPE_MISMATCH', 'Please choose a different authentication type.'],
    [655, 'CERTIFICATE_MISSING', 'Invalid SSL certificate. The SSL certificate is missing.'],
  ] as const) {
    calls.answer('add_webdav_provider_link', refused(code, messageCode, text));
    await button(page, 'Link').click();
    await expect(page.getByText(text)).toBeVisible();
    await expect(button(page, 'Continue Anyway')).toHaveCount(0);
  }
});

test('edit sends the id, the mask and the stored rule, and Cancel leads to the picker [DAV-08] [DAV-09]', async ({ user: page }) => {
  const calls = await watchLinkCalls(page);
  calls.answer('all_links', linked(group('WebDAV', 'WebDAV', row('d1', 'University', 'WebDAV'), row('d2', 'Strato', 'hidrive'))));
  const connectionInfo = { server: 'https://dav.uni', username: 'm', password: mask, authType: 'digest', enforceSSL: 'IGNORE_MATCH' };
  calls.answer('get_link_connection_info', { data: { linkName: 'University', provider: 'WebDAV', sourceType: 'WebDAV', connectionInfo } });
  calls.answer('update_webdav_provider_link', saved);
  await page.goto('/links/webdav');
  await expect(page.getByLabel('Valid SSL')).not.toBeChecked();
  await button(page, 'Save Changes').click();
  await expect(page).toHaveURL('/account/mysheaf');
  const { form, info } = calls.of('update_webdav_provider_link')[0] ?? {};
  expect(form).toMatchObject({ userLinkId: 'd1', validateConnection: 'true' });
  expect(info).toMatchObject({ password: mask, authType: 'digest', enforceSSL: 'IGNORE_MATCH' });
  await page.goto('/link/auth/webdav?userLinkId=d2');
  await expect(page.getByRole('heading', { name: 'Edit Strato' })).toBeVisible();
  await expect.poll(() => calls.of('get_link_provider').at(-1)?.form['provider']).toBe('hidrive');
  await button(page, 'Cancel').click();
  await expect(page).toHaveURL('/links');
});
