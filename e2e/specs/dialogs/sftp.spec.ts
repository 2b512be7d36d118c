import { group, linked, mask, row, saved, valid, watchLinkCalls } from '../../fixtures/link-calls.ts';
import { expect, expectAccessible, test } from '../../fixtures/test.ts';
import { button, choicesOf, field, fill, labels } from './fields.ts';

const question = 'The SFTP server could not validate these credentials. You may still be able to connect. Do you want to continue?';

test('the main page leads to both logins and back @narrow [RT-027] [LSP-07] [SFTP-01] [SFTP-02] [SFTP-03] [SFTP-04] [SFTP-05] [SFTP-06] [SFTP-07] [SFTP-08] [SFTP-09] [SFTP-10] [SFTP-11] [SFTP-12] [SFTP-13] [SFTP-14] [SFTP-15]', async ({
  user: page,
}) => {
  for (const address of ['/link/auth/sftp', '/links/sftp']) {
    await page.goto(address);
    await expect(page.getByRole('heading', { name: 'Link SFTP' })).toBeVisible();
  }
  await expect(labels(page)).toHaveText(['Name', 'Type', 'Host']);
  await expect(choicesOf(page, 'Type')).toHaveText(['Internet accessible sftp server', 'Private network']);
  await page.getByRole('button', { name: 'Advanced' }).click();
  await expect(field(page, 'Start path')).toBeVisible();
  await expect(field(page, 'Max concurrent connections')).toHaveValue('3');
  await expect(choicesOf(page, 'Max concurrent connections')).toHaveText(['1', '2', '3', '4', '5', '10', '20']);
  await expect(button(page, 'Cancel')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Login with password' }).click();
  await expect(labels(page)).toHaveText(['User', 'Password']);
  await expect(button(page, 'Cancel')).toBeVisible();
  await button(page, 'Back').click();
  await page.getByRole('link', { name: 'Login with keyfile' }).click();
  await expect(labels(page)).toHaveText(['User', 'Passphrase', 'Key file contents']);
  await expect(button(page, 'Cancel')).toBeVisible();
  await expectAccessible(page);
  await button(page, 'Back').click();
  await expect(field(page, 'Host')).toBeVisible();
});

test('a password login is validated, saved and opens [SFTP-16] [SFTP-21] [SFTP-24] [SFTP-25] [SFTP-26] [SFTP-27] [SFTP-28] [SFTP-29] [SFTP-30] [SFTP-31] [SFTP-34]', async ({
  user: page,
}) => {
  const calls = await watchLinkCalls(page);
  calls.answer('validate_sftp_connection_info', valid);
  calls.answer('set_sftp_connection', saved);
  await page.goto('/links/sftp');
  await expect(field(page, 'Name')).toHaveValue('My SFTP Server');
  expect(calls.of('get_default_source_name')[0]?.form['sourceType']).toBe('SFTP');
  await page.getByRole('link', { name: 'Login with password' }).click();
  await fill(page, { User: 'mara', Password: 'secret' });
  await expect(button(page, 'Link')).toBeDisabled();
  await button(page, 'Back').click();
  await fill(page, { Host: 'nas.example', Name: 'Home server' });
  await field(page, 'Host').press('Enter');
  await button(page, 'Link').click();
  await expect(page).toHaveURL(/\/browse\//);
  expect(calls.of('validate_sftp_connection_info')).toHaveLength(1);
  const { form, info } = calls.of('set_sftp_connection')[0] ?? {};
  expect(form).toMatchObject({ serverName: 'Home server' });
  expect(info).toEqual({
    server: 'nas.example:22',
    username: 'mara',
    password: 'secret',
    numConcurrentConnections: '3',
    accessType: 'Internet accessible sftp server',
    path: '',
    keyfileContent: '',
    enforceSSL: 'ENFORCE_MATCH',
  });
});

test('a key file needs no user and no passphrase to be sent [SFTP-32] [SFTP-33]', async ({ user: page }) => {
  const calls = await watchLinkCalls(page);
  calls.answer('validate_sftp_connection_info', valid);
  calls.answer('set_sftp_connection', saved);
  await page.goto('/links/sftp');
  await fill(page, { Host: 'nas.example:2222' });
  await page.getByRole('link', { name: 'Login with keyfile' }).click();
  await expect(button(page, 'Link')).toBeDisabled();
  await fill(page, { 'Key file contents': 'KEY' });
  await button(page, 'Link').click();
  await expect(page).toHaveURL(/\/browse\//);
  expect(calls.of('set_sftp_connection')[0]?.info).toMatchObject({ server: 'nas.example:2222', password: '', keyfileContent: 'KEY' });
});

test('an invalid answer asks whether to continue, and continuing saves unchecked [SFTP-18] [SFTP-19] [SFTP-20] [SFTP-35]', async ({
  user: page,
}) => {
  const calls = await watchLinkCalls(page);
  calls.answer('validate_sftp_connection_info', { data: { isValid: false } });
  calls.answer('set_sftp_connection', saved);
  await page.goto('/links/sftp');
  await fill(page, { Host: 'nas.example' });
  await page.getByRole('link', { name: 'Login with password' }).click();
  await fill(page, { User: 'mara', Password: 'wrong' });
  await button(page, 'Link').click();
  await expect(page.getByText(question)).toBeVisible();
  await button(page, 'Continue Anyway').click();
  await expect(page).toHaveURL(/\/browse\//);
  expect(calls.of('validate_sftp_connection_info')).toHaveLength(1);
});

test('a private network is saved without a check [SFTP-17]', async ({ user: page }) => {
  const calls = await watchLinkCalls(page);
  calls.answer('set_sftp_connection', saved);
  await page.goto('/links/sftp');
  await field(page, 'Type').selectOption('Private network');
  await fill(page, { Host: 'nas.lan' });
  await page.getByRole('link', { name: 'Login with password' }).click();
  await fill(page, { User: 'mara', Password: 'secret' });
  await button(page, 'Link').click();
  await expect(page).toHaveURL(/\/browse\//);
  expect(calls.of('validate_sftp_connection_info')).toEqual([]);
  expect(calls.of('set_sftp_connection')[0]?.info['accessType']).toBe('Private network');
});

test('a changed host key is shown and accepted only when the user says so', async ({ user: page }) => {
  const calls = await watchLinkCalls(page);
  calls.answer('validate_sftp_connection_info', {
    data: { isValid: false, errorCode: 700, messageCode: 'HOST_KEY_CHANGED', message: 'It is now SHA256:abc.', hostKey: 'SHA256:abc' },
  });
  calls.answer('set_sftp_connection', saved);
  await page.goto('/links/sftp');
  await fill(page, { Host: 'nas.example' });
  await page.getByRole('link', { name: 'Login with password' }).click();
  await fill(page, { User: 'mara', Password: 'secret' });
  await button(page, 'Link').click();
  await expect(page.getByRole('alert')).toContainText('SHA256:abc');
  await expect(button(page, 'Continue Anyway')).toHaveCount(0);
  calls.answer('validate_sftp_connection_info', valid);
  await button(page, 'Accept the new key').click();
  await expect(page).toHaveURL(/\/browse\//);
  expect(calls.of('set_sftp_connection')[0]?.info['acceptedHostKey']).toBe('SHA256:abc');
});

test('an unreadable answer is reported as a network error [SFTP-36]', async ({ user: page }) => {
  (await watchLinkCalls(page)).answer('validate_sftp_connection_info', 'unreadable');
  await page.goto('/links/sftp');
  await fill(page, { Host: 'nas.example' });
  await page.getByRole('link', { name: 'Login with password' }).click();
  await fill(page, { User: 'mara', Password: 'secret' });
  await button(page, 'Link').click();
  await expect(page.getByText('Cannot connect to the SFTP server. Please check your network connection and try again.')).toBeVisible();
});

test('edit keeps the stored key file and returns to the SFTP page, as does Cancel [SFTP-22] [SFTP-23] [RT-074]', async ({ user: page }) => {
  const calls = await watchLinkCalls(page);
  calls.answer('all_links', linked(group('SFTP', 'SFTP', row('s1', 'Home server', 'SFTP'))));
  const connectionInfo = { server: 'nas:22', username: 'mara', password: mask, keyfileContent: mask, enforceSSL: 'IGNORE_MATCH' };
  calls.answer('get_link_connection_info', { data: { linkName: 'Home server', provider: 'SFTP', sourceType: 'SFTP', connectionInfo } });
  calls.answer('validate_sftp_connection_info', valid);
  calls.answer('update_sftp_connection', saved);
  await page.goto('/links/sftp');
  await expect(page.getByRole('heading', { name: 'Edit Home server' })).toBeVisible();
  await page.getByRole('link', { name: 'Login with keyfile' }).click();
  await expect(field(page, 'Key file contents')).toHaveValue(mask);
  await button(page, 'Save Changes').click();
  await expect(page).toHaveURL('/links/sftp');
  await expect(page.getByRole('link', { name: 'Home server' })).toBeVisible();
  expect(calls.of('update_sftp_connection')[0]?.info).toMatchObject({ password: mask, keyfileContent: mask, enforceSSL: 'IGNORE_MATCH' });
  await page.goto('/link/auth/sftp?userLinkId=s1');
  await button(page, 'Cancel').click();
  await expect(page).toHaveURL('/links/sftp');
  await page.goto('/links/sftp?mode=create');
  await button(page, 'Cancel').click();
  await expect(page).toHaveURL('/links');
});
