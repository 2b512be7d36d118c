/** Checks what the dialogs of B2, Oracle Documents and the providers with authorization send and save, using simulators of these providers. */
import type { Page } from '@playwright/test';
import { hold, watchRequests } from '../../fixtures/held.ts';
import { authorize, decide, test } from '../../fixtures/providers.ts';
import { expect } from '../../fixtures/test.ts';
import { button, field, fill, labels } from '../dialogs/fields.ts';
import { makeOrg } from '../orgs/actions.ts';
import { dots, expectNetworkFault, infoOf, linkCalls, linkId, named, saves } from './sent.ts';

const edit = (page: Page, userLinkId: string) => page.goto(`/account/mysheaf?edit=${userLinkId}`);

test('B2 is verified, completed, saved and edited by its calls [B2-02] [B2-06] [B2-08] [B2-10] [B2-11] [B2-12] [B2-13] [B2-14] [B2-15] [B2-16] [B2-17] [B2-18] [B2-19] [B2-23] [RT-070]', async ({
  user: page,
  b2,
}) => {
  const calls = watchRequests(page, linkCalls);
  const { accountId, applicationKey } = b2.masterKey;
  await page.goto('/links/b2cloudstorage');
  await fill(page, { Name: 'Backups', 'Account ID/Key ID': accountId, 'Application Key': applicationKey });
  await expectNetworkFault(page, 'verify_b2_connection', 'Link', 'Cannot connect to the b2 server.');
  calls.sent.length = 0;
  await button(page, 'Link').click();
  await expect(page).toHaveURL(/\/(account\/mysheaf|browse\/Backups)$/);
  expect(saves(calls)).toEqual(['verify_b2_connection', 'add_b2_link']);
  expect(infoOf(calls, 'verify_b2_connection')).toEqual({ accountId, applicationKey, allowWrite: 'ALLOW_WRITE' });
  expect(named(calls, 'add_b2_link')[0]?.form).toMatchObject({ provider: 'B2', linkName: 'Backups' });
  // The server has completed the key with the account that it belongs to.
  expect(Object.keys(infoOf(calls, 'add_b2_link')).length).toBeGreaterThan(3);

  const held = await hold(page, 'get_link_connection_info');
  await page.goto(`/links/b2cloudstorage?userLinkId=${await linkId(page, 'Backups')}`);
  await expect(page.getByRole('heading', { name: 'Edit Backups' })).toBeVisible();
  await expect(page.getByLabel('Allow Writes')).toHaveCount(0);
  held.release();
  await expect(page.getByLabel('Allow Writes')).toBeChecked();
  await page.getByLabel('Allow Writes').uncheck();
  calls.sent.length = 0;
  await button(page, 'Save Changes').click();
  await expect(page).toHaveURL('/links/b2cloudstorage');
  expect(saves(calls)).toEqual(['verify_b2_connection', 'update_b2_connection']);
  expect(infoOf(calls, 'update_b2_connection')['allowWrite']).toBe('DISALLOW_WRITE');
  expect(named(calls, 'update_b2_connection')[0]?.form).not.toHaveProperty('linkName');
  await page.goto('/browse/Backups');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await expect(button(page, 'New folder')).toHaveCount(0);
});

test('a key without the permissions that Sheaf needs is not valid, and nothing is saved [B2-20]', async ({ user: page, b2 }) => {
  const calls = watchRequests(page, linkCalls);
  const { accountId, applicationKey } = b2.addKey({ capabilities: ['deleteFiles'] });
  await page.goto('/links/b2cloudstorage');
  await fill(page, { Name: 'Backups', 'Account ID/Key ID': accountId, 'Application Key': applicationKey });
  await button(page, 'Link').click();
  await expect(page.getByText('The b2 server could not validate these credentials.')).toBeVisible();
  await expect(button(page, 'Continue Anyway')).toHaveCount(0);
  expect(saves(calls)).toEqual(['verify_b2_connection']);
});

test('Oracle Documents is validated, overruled, saved and edited by its calls [ORA-02] [ORA-08] [ORA-09] [ORA-11] [ORA-12] [ORA-13] [ORA-14] [ORA-15] [ORA-16] [ORA-17] [ORA-18] [ORA-19] [ORA-22] [ORA-23] [ORA-24] [RT-069] [LSP-12]', async ({
  user: page,
  oracle,
}) => {
  const calls = watchRequests(page, linkCalls);
  const create = 'Link Oracle Documents';
  const right = { 'Server (URL)': oracle.url, Username: oracle.user.username, Password: oracle.user.password };
  await page.goto('/links/oracledocuments');
  await fill(page, { ...right, Password: 'wrong' });
  await expectNetworkFault(page, 'validate_oracle_connection_info', create, 'Cannot connect to the Oracle Documents server.');
  await button(page, create).click();
  const question =
    'The Oracle Documents server could not validate these credentials. You may still be able to connect. Do you want to continue?';
  await expect(page.getByText(question)).toBeVisible();
  calls.sent.length = 0;
  await button(page, 'Continue Anyway').click();
  await expect(page).toHaveURL(/\/browse\//);
  expect(saves(calls)).toEqual(['set_oracle_connection']);
  expect(infoOf(calls, 'set_oracle_connection')).toEqual({
    url: oracle.url,
    username: oracle.user.username,
    password: 'wrong',
  });
  expect(named(calls, 'set_oracle_connection')[0]?.form).not.toHaveProperty('serverName');

  await page.goto('/account/mysheaf');
  const held = await hold(page, 'get_link_connection_info');
  const name = (await page.getByRole('region', { name: 'Oracle Documents' }).getByRole('listitem').getByRole('link').textContent()) ?? '';
  await page.goto(`/link/auth/oracle?userLinkId=${await linkId(page, name)}`);
  await expect(page.getByRole('heading', { name: `Edit ${name}` })).toBeVisible();
  await expect(page.getByText('Loading the stored connection info')).toBeVisible();
  held.release();
  await expect(field(page, 'Password')).toHaveValue(dots);
  await fill(page, { Password: oracle.user.password });
  calls.sent.length = 0;
  await button(page, 'Save Changes').click();
  await expect(page).toHaveURL('/links/oracledocuments');
  expect(saves(calls)).toEqual(['validate_oracle_connection_info', 'update_oracle_connection']);

  await page.goto('/links/oracledocuments?mode=create');
  await fill(page, { Name: 'Twice', ...right });
  await button(page, create).click();
  await expect(page.getByText('You have already linked this account. Do you want to continue?')).toBeVisible();
  calls.sent.length = 0;
  await button(page, 'Continue Anyway').click();
  await expect(page).toHaveURL(/\/browse\//);
  expect(named(calls, 'set_oracle_connection')[0]?.form['serverName']).toBe('Twice');
});

test('the redirect to a provider says what it needs, and carries where to continue [OAU-01] [OAU-02] [OAU-03] [OAU-23] [OAU-24]', async ({
  user: page,
}) => {
  await page.goto('/links/dropbox');
  await expect(page.getByRole('heading', { name: 'Link Dropbox', exact: true })).toBeVisible();
  await expect(page.getByText('Sheaf requires authorization to access your Dropbox account.')).toBeVisible();
  const begun = page.waitForRequest((request) => request.isNavigationRequest() && request.url().includes('/linkwebservice'));
  await button(page, 'Authorize').click();
  const query = Object.fromEntries(new URL((await begun).url()).searchParams);
  expect(query).toMatchObject({ sourceType: 'Dropbox', buildRedirectUrl: 'false', authPrompt: 'true' });
  expect(query).not.toHaveProperty('userLinkId');
  expect(query).not.toHaveProperty('handoffToken');
  await decide(page, 'Allow', 'mara@example.org');
  await expect(page).toHaveURL(/\/browse\//);
});

test('a link by authorization is renamed by its calls, even if the provider no longer answers for it [LNK-13] [OAU-04] [OAU-05] [OAU-06] [OAU-07] [OAU-08] [OAU-10] [OAU-11] [OAU-13] [OAU-14] [OAU-15] [OAU-16] [OAU-17] [OAU-19]', async ({
  user: page,
  providers,
}) => {
  const calls = watchRequests(page, linkCalls);
  await authorize(page, 'dropbox', 'mara@example.org');
  await expect(page).toHaveURL('/browse/My%20Dropbox');
  await page.goto('/account/mysheaf');
  await button(page, 'Menu of My Dropbox').click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await expect(page.getByRole('heading', { name: 'Edit My Dropbox' })).toBeVisible();
  await expect(page.getByRole('dialog').locator('label')).toHaveText(['Name']);
  await fill(page, { Name: '' });
  await expect(button(page, 'Save Changes')).toBeEnabled();
  await fill(page, { Name: 'My Dropbox' });
  calls.sent.length = 0;
  await button(page, 'Save Changes').click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(saves(calls)).toEqual([]);

  const userLinkId = await linkId(page, 'My Dropbox');
  await edit(page, userLinkId);
  await fill(page, { Name: 'Studio' });
  await expectNetworkFault(page, 'validate_oauth_manage_info', 'Save Changes', 'Cannot connect.');
  calls.sent.length = 0;
  await button(page, 'Save Changes').click();
  await expect(page).toHaveURL('/browse/Studio');
  expect(saves(calls)).toEqual(['validate_oauth_manage_info', 'update_oauth_manage_info']);
  expect(named(calls, 'update_oauth_manage_info')[0]?.form).toMatchObject({ userLinkId, serverName: 'Studio' });

  providers.of['DROPBOX']?.oauth.revokeAccount('mara@example.org');
  await edit(page, userLinkId);
  await fill(page, { Name: 'Attic' });
  await button(page, 'Save Changes').click();
  await expect(button(page, 'Continue Anyway')).toBeVisible();
  calls.sent.length = 0;
  await button(page, 'Continue Anyway').click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(saves(calls)).toEqual(['update_oauth_manage_info']);
});

test('a bucket of Google Cloud is renamed by its calls, even if Google no longer answers for it [LNK-12] [GCS-03] [GCS-04] [GCS-05] [GCS-06] [GCS-10] [GCS-14] [GCS-15] [GCS-16] [GCS-18] [GCS-19]', async ({
  user: page,
  providers,
}) => {
  const calls = watchRequests(page, linkCalls);
  await authorize(page, 'googlecloud', 'mara@example.org');
  await expect(page).toHaveURL(/\/link\/auth\/googlecloud\?stateId=/);
  await expect(labels(page)).toHaveText(['Name', 'Bucket name']);
  await fill(page, { 'Bucket name': 'mara-files' });
  await button(page, 'Link').click();
  await expect(page).toHaveURL(/\/(account\/mysheaf|browse\/.*)$/);
  expect(named(calls, 'add_googlecloud_link')[0]?.form).toMatchObject({
    bucketName: 'mara-files',
    directoryStructure: "SIMPLE '/' DELIMITED",
  });
  expect(named(calls, 'add_googlecloud_link')[0]?.form).not.toHaveProperty('orgOid');

  await page.goto('/account/mysheaf');
  await button(page, 'Menu of My Google Cloud Storage').click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit My Google Cloud Storage' });
  await expect(dialog.getByLabel('Name', { exact: true })).toHaveValue('My Google Cloud Storage');
  expect(named(calls, 'get_link_provider').at(-1)?.form['provider']).toBe('GoogleCloud');
  await fill(page, { Name: '' });
  await expect(button(page, 'Save Changes')).toBeEnabled();
  await fill(page, { Name: 'Archive' });
  await expectNetworkFault(page, 'validate_oauth_manage_info', 'Save Changes', 'Cannot connect.');
  calls.sent.length = 0;
  await button(page, 'Save Changes').click();
  await expect(dialog).toHaveCount(0);
  expect(saves(calls)).toEqual(['validate_oauth_manage_info', 'update_oauth_manage_info']);

  providers.of['GOOGLECLOUD']?.oauth.revokeAccount('mara@example.org');
  await edit(page, await linkId(page, 'Archive'));
  await fill(page, { Name: 'Attic' });
  await button(page, 'Save Changes').click();
  await expect(
    page.getByText('The server could not validate these credentials. You may still be able to connect. Do you want to continue?'),
  ).toBeVisible();
  calls.sent.length = 0;
  await button(page, 'Continue Anyway').click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(saves(calls)).toEqual(['update_oauth_manage_info']);
});

test('a program that hands over a token gets it back, and the address of a link is included when it is repaired [GCS-09] [OAU-21] [OAU-22]', async ({
  user: page,
  providers,
}) => {
  const calls = watchRequests(page, linkCalls);
  const asked = async (name: string): Promise<Readonly<Record<string, string>>> => {
    const begun = page.waitForRequest((request) => request.isNavigationRequest() && request.url().includes('/linkwebservice'));
    await button(page, name).click();
    return Object.fromEntries(new URL((await begun).url()).searchParams);
  };
  await page.goto('/links/googlecloud?handoffToken=laptop-1');
  const first = await asked('Authorize');
  expect(first).toMatchObject({ handoffToken: 'laptop-1' });
  expect(first).not.toHaveProperty('userLinkId');
  await decide(page, 'Allow', 'mara@example.org');
  await fill(page, { Name: 'Archive', 'Bucket name': 'mara-files' });
  await button(page, 'Link').click();
  await expect(page).toHaveURL(/\/link\/auth\/desktopsuccess\/GoogleCloud/);
  const { form } = named(calls, 'add_googlecloud_link')[0] ?? {};
  expect(form).toMatchObject({ handoffToken: 'laptop-1' });
  expect(form).not.toHaveProperty('orgOid');

  const { orgOid } = await makeOrg(page);
  await page.goto(`/links/googlecloud?mode=create&orgOid=${orgOid}`);
  await button(page, 'Authorize').click();
  await decide(page, 'Allow', 'mara@example.org');
  await fill(page, { Name: 'Studio', 'Bucket name': 'mara-files' });
  await button(page, 'Link').click();
  await expect(page).toHaveURL(/\/browseorg\/Studio/);
  expect(named(calls, 'add_googlecloud_link').at(-1)?.form).toMatchObject({ orgOid });

  providers.of['GOOGLECLOUD']?.oauth.revokeAccount('mara@example.org');
  // The page redirects to the provider, perhaps before it has loaded.
  await page.goto('/browse/Archive', { waitUntil: 'commit' });
  await decide(page, 'Deny');
  await expect(page).toHaveURL('/link/auth/declined');
  await page.goto('/account/mysheaf');
  const again = await asked('Fix Archive');
  expect(again).toMatchObject({ userLinkId: await linkId(page, 'Archive') });
  expect(again).not.toHaveProperty('handoffToken');
});

test('Authorize marks the dialog as submitting until the provider shows [GCS-11]', async ({ user: page }) => {
  await page.goto('/links/googlecloud');
  await expect(button(page, 'Authorize')).toBeVisible();
  // The page leaves immediately, so a script in the page has to observe it.
  await page.evaluate(() => {
    const look = (): void => {
      const buttons = [...document.querySelectorAll<HTMLButtonElement>('main button')];
      if (!buttons.some((one) => one.dataset['loading'] === 'true')) return;
      sessionStorage.setItem('cancel', String(buttons.find((one) => one.textContent === 'Cancel')?.disabled));
    };
    new MutationObserver(look).observe(document.body, { attributes: true, childList: true, subtree: true });
  });
  await button(page, 'Authorize').click();
  await decide(page, 'Deny');
  await expect(page).toHaveURL('/link/auth/declined');
  expect(await page.evaluate(() => sessionStorage.getItem('cancel'))).toBe('true');
});

test('photos linked for an organisation open in its gallery, and are renamed by its calls [RT-061] [OAU-18]', async ({ user: page }) => {
  const { orgOid } = await makeOrg(page);
  const calls = watchRequests(page, linkCalls);
  await page.goto(`/links/facebook?orgOid=${orgOid}`);
  await button(page, 'Authorize').click();
  await decide(page, 'Allow', 'mara@example.org');
  await expect(page).toHaveURL(/\/browsegalleryorg\/My%20Facebook\?orgMembershipOid=/);
  await page.goto('/account/mysheaf?catid=org');
  const link = page.getByRole('link', { name: 'My Facebook', exact: true });
  await expect(link).toHaveAttribute('href', /^\/browsegalleryorg\/My%20Facebook\?orgMembershipOid=/);
  await button(page, 'Menu of My Facebook').click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await fill(page, { Name: 'Album' });
  calls.sent.length = 0;
  await button(page, 'Save Changes').click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(saves(calls)).toEqual(['validate_oauth_manage_info_for_org_link', 'update_oauth_manage_info_for_org_link']);
  for (const { form } of calls.sent.filter(({ name }) => name.endsWith('_for_org_link'))) expect(form['orgOid']).toBe(orgOid);
});
