import { group, linked, mask, refused, row, saved, valid, watchLinkCalls } from '../../fixtures/link-calls.ts';
import { expect, expectAccessible, test } from '../../fixtures/test.ts';
import { button, choicesOf, field, fill, labels } from './fields.ts';

const question = 'The FTP server could not validate these credentials. You may still be able to connect. Do you want to continue?';
const entered = { Server: 'ftp.example', Username: 'halm', Password: 'secret' };
const editing = linked(group('FTP', 'FTP', row('f1', 'Print shop', 'FTP', { formType: 'FTP' })));
const stored = {
  data: {
    linkName: 'Print shop',
    provider: 'FTP',
    sourceType: 'FTP',
    connectionInfo: {
      server: 'ftp.example',
      protocol: 'FTP',
      username: 'halm',
      password: mask,
      numConcurrentConnections: '5',
      path: '/in',
      enforceSSL: 'ENFORCE_MATCH',
    },
  },
};

test('the dialog has its fields, choices and defaults @narrow [RT-022] [LSP-05] [FTP-01] [FTP-03] [FTP-04] [FTP-06] [FTP-07] [FTP-08] [FTP-09]', async ({
  user: page,
}) => {
  for (const address of ['/links/FTP', '/link/auth/ftp']) {
    await page.goto(address);
    await expect(page.getByRole('heading', { name: 'Link FTP' })).toBeVisible();
  }
  await expect(labels(page)).toHaveText(['Name', 'Server', 'Protocol', 'Username', 'Password', 'Valid SSL']);
  await expect(field(page, 'Protocol')).toHaveValue('FTPS (Explicit TLS)');
  await expect(choicesOf(page, 'Protocol')).toHaveText(['FTP', 'FTPS (Explicit TLS)']);
  await page.getByRole('button', { name: 'Advanced' }).click();
  await expect.poll(async () => (await labels(page).allTextContents()).slice(-2)).toEqual(['Concurrent connections', 'Path']);
  await expect(field(page, 'Concurrent connections')).toHaveValue('2');
  await expect(choicesOf(page, 'Concurrent connections')).toHaveText(['1', '2', '3', '4', '5', '10', '20']);
  await expect(field(page, 'Path')).toBeVisible();
  await expect(page.getByLabel('Valid SSL')).toBeChecked();
  await expect(button(page, 'Link FTP')).toBeVisible();
  await expectAccessible(page);
});

test('the server suggests the name, and only a changed one is sent [FTP-18] [DLG-14]', async ({ user: page }) => {
  const calls = await watchLinkCalls(page);
  calls.answer('validate_ftp_connection_info', { data: { isValid: false } });
  await page.goto('/links/ftp');
  await expect(field(page, 'Name')).toHaveValue('My FTP Server');
  expect(calls.of('get_default_source_name')[0]?.form['sourceType']).toBe('FTP');
  await fill(page, entered);
  await button(page, 'Link FTP').click();
  await expect(page.getByText(question)).toBeVisible();
  await fill(page, { Name: 'Print shop' });
  await button(page, 'Link FTP').click();
  await expect(page.getByText(question)).toBeVisible();
  expect(calls.of('validate_ftp_connection_info').map(({ form }) => form['serverName'])).toEqual([undefined, 'Print shop']);
});

test('a valid connection is saved at once and opens [FTP-10] [FTP-11] [FTP-12] [FTP-17] [DLG-06] [DLG-08] [DLG-09] [DLG-10] [DLG-15]', async ({
  user: page,
}) => {
  const calls = await watchLinkCalls(page);
  calls.answer('validate_ftp_connection_info', valid);
  calls.answer('set_ftp_connection', saved);
  await page.goto('/links/ftp');
  await expect(field(page, 'Server')).toBeFocused();
  await fill(page, { Server: 'ftp.example', Username: 'halm' });
  await expect(button(page, 'Link FTP')).toBeDisabled();
  await field(page, 'Server').press('Enter');
  await fill(page, { Password: 'secret' });
  await field(page, 'Password').press('Enter');
  await expect(page).toHaveURL(/\/browse\//);
  expect(calls.sent.map(({ name }) => name).filter((name) => name.includes('ftp_connection'))).toEqual([
    'validate_ftp_connection_info',
    'set_ftp_connection',
  ]);
  expect(calls.of('set_ftp_connection')[0]?.info).toEqual({
    server: 'ftp.example',
    protocol: 'FTPS (Explicit TLS)',
    username: 'halm',
    password: 'secret',
    numConcurrentConnections: '2',
    path: '',
    enforceSSL: 'ENFORCE_MATCH',
  });
  expect(calls.of('set_ftp_connection')[0]?.form['rTag']).toBeTruthy();
});

test('an invalid answer warns; a second submit saves without asking [FTP-14] [FTP-15] [FTP-16] [FTP-19]', async ({ user: page }) => {
  const calls = await watchLinkCalls(page);
  calls.answer('validate_ftp_connection_info', {
    data: { isValid: false, errorCode: 653, messageCode: 'CERTIFICATE_NAME_MISMATCH', message: 'Invalid SSL certificate. Name Mismatch.' },
  });
  calls.answer('set_ftp_connection', saved);
  await page.goto('/links/ftp');
  await fill(page, entered);
  await button(page, 'Link FTP').click();
  await expect(page.getByRole('alert')).toContainText('Invalid SSL certificate. Name Mismatch.');
  await expect(page.getByText(question, { exact: true })).toBeVisible();
  await expectAccessible(page);
  await button(page, 'Continue Anyway').click();
  await expect(page).toHaveURL(/\/browse\//);
  expect(calls.of('validate_ftp_connection_info')).toHaveLength(1);
});

test('editing any field clears the warning [DLG-04] [DLG-05]', async ({ user: page }) => {
  (await watchLinkCalls(page)).answer('validate_ftp_connection_info', { data: { isValid: false } });
  await page.goto('/links/ftp');
  await fill(page, entered);
  await button(page, 'Link FTP').click();
  await expect(button(page, 'Continue Anyway')).toBeVisible();
  await fill(page, { Username: 'other' });
  await expect(button(page, 'Link FTP')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a taken name is reported at the name [DLG-17] [ERR-20]', async ({ user: page }) => {
  const text = 'You already have a link named Print shop. Please enter a different name.';
  (await watchLinkCalls(page)).answer('validate_ftp_connection_info', refused(421, 'DUPLICATE_LINK_NAME', text));
  await page.goto('/links/ftp');
  await fill(page, { ...entered, Name: 'Print shop' });
  await button(page, 'Link FTP').click();
  await expect(page.getByText(text)).toBeVisible();
  await expect(field(page, 'Name')).toHaveAttribute('aria-invalid', 'true');
});

test('an account that is already linked can be linked again [FTP-20] [ERR-18]', async ({ user: page }) => {
  const calls = await watchLinkCalls(page);
  calls.answer('validate_ftp_connection_info', refused(420, 'DUPLICATE_LINK', 'You have already linked this account.'));
  calls.answer('set_ftp_connection', saved);
  await page.goto('/links/ftp');
  await fill(page, entered);
  await button(page, 'Link FTP').click();
  await expect(page.getByText('You have already linked this account.')).toBeVisible();
  await button(page, 'Continue Anyway').click();
  await expect(page).toHaveURL(/\/browse\//);
});

test('an unreadable answer is reported as a network error [FTP-21] [ERR-37]', async ({ user: page }) => {
  (await watchLinkCalls(page)).answer('validate_ftp_connection_info', 'unreadable');
  await page.goto('/links/ftp');
  await fill(page, entered);
  await button(page, 'Link FTP').click();
  await expect(page.getByText('Cannot connect to the FTP server. Please check your network connection and try again.')).toBeVisible();
});

test('edit shows what is stored, keeps the mask and returns to its page [FTP-02] [FTP-05] [FTP-13] [RT-071] [DLG-07] [DLG-16]', async ({
  user: page,
}) => {
  const calls = await watchLinkCalls(page);
  calls.answer('all_links', editing);
  calls.answer('get_link_connection_info', stored);
  calls.answer('validate_ftp_connection_info', valid);
  calls.answer('update_ftp_connection', saved);
  await page.goto('/link/auth/ftp?userLinkId=f1');
  await expect(page.getByRole('heading', { name: 'Edit Print shop' })).toBeVisible();
  await expect(field(page, 'Protocol')).toHaveValue('FTP');
  await page.getByLabel('Valid SSL').uncheck();
  await button(page, 'Save Changes').click();
  await expect(page).toHaveURL('/links/ftp');
  const { form, info } = calls.of('update_ftp_connection')[0] ?? {};
  expect(form).toMatchObject({ userLinkId: 'f1' });
  expect(form).not.toHaveProperty('serverName');
  expect(info).toMatchObject({ password: mask, enforceSSL: 'IGNORE_MATCH', numConcurrentConnections: '5', path: '/in' });
  await expect(page.getByRole('link', { name: 'Print shop' })).toBeVisible();
});

test('Cancel and Escape return to the picker [DLG-11] [DLG-12] [DLG-13] [RT-068]', async ({ user: page }) => {
  await page.goto('/links/ftp');
  await button(page, 'Cancel').click();
  await expect(page).toHaveURL('/links');
  await page.goto('/links/ftp');
  await field(page, 'Server').focus();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL('/links');
});
