import { group, linked, mask, refused, row, saved, valid, watchLinkCalls } from '../../fixtures/link-calls.ts';
import { expect, expectAccessible, test } from '../../fixtures/test.ts';
import { button, field, fill, labels } from './fields.ts';

const entered = { 'Server (URL)': 'https://documents.example', Username: 'mara', Password: 'secret' };
const create = 'Link Oracle Documents';
const question =
  'The Oracle Documents server could not validate these credentials. You may still be able to connect. Do you want to continue?';

test('the dialog has its fields; the name may stay empty @narrow [ORA-01] [ORA-03] [ORA-04] [ORA-05] [ORA-06] [ORA-07] [ORA-10] [ORA-20] [ORA-21]', async ({
  user: page,
}) => {
  await page.goto('/links/oracledocuments');
  await expect(page.getByRole('heading', { name: create })).toBeVisible();
  await expect(labels(page)).toHaveText(['Name', 'Server (URL)', 'Username', 'Password']);
  await expect(field(page, 'Name')).toHaveAttribute('placeholder', 'My Oracle Documents Server');
  await expect(field(page, 'Password')).toHaveAttribute('type', 'password');
  for (const [label, value] of Object.entries(entered)) {
    await expect(button(page, create)).toBeDisabled();
    await fill(page, { [label]: value });
  }
  await expect(button(page, create)).toBeEnabled();
  await expectAccessible(page);
  await button(page, 'Cancel').click();
  await expect(page).toHaveURL('/links');
});

test('a valid connection is saved, with a free name when none was entered [ORA-12] [ORA-13] [ORA-14] [ORA-15] [ORA-19]', async ({
  user: page,
}) => {
  const calls = await watchLinkCalls(page);
  calls.answer('validate_oracle_connection_info', valid);
  calls.answer('set_oracle_connection', saved);
  await page.goto('/links/oracledocuments');
  await fill(page, entered);
  await button(page, create).click();
  await expect(page).toHaveURL(/\/browse\//);
  await expect.poll(() => calls.of('get_default_source_name').at(-1)?.form['sourceType']).toBe('OracleDocuments');
  const [set] = calls.of('set_oracle_connection');
  expect(set?.info).toEqual({ url: 'https://documents.example', username: 'mara', password: 'secret' });
  expect(set?.form['serverName']).toBeUndefined();
});

test('an invalid answer warns; the second submit saves without asking [ORA-09] [ORA-17] [ORA-18] [ORA-22]', async ({ user: page }) => {
  const calls = await watchLinkCalls(page);
  calls.answer('validate_oracle_connection_info', { data: { isValid: false } });
  calls.answer('set_oracle_connection', saved);
  await page.goto('/links/oracledocuments');
  await fill(page, { Name: 'Contracts', ...entered });
  await button(page, create).click();
  await expect(page.getByText(question)).toBeVisible();
  await fill(page, { Username: 'maria' });
  await expect(button(page, create)).toBeVisible();
  await button(page, create).click();
  await button(page, 'Continue Anyway').click();
  await expect(page).toHaveURL(/\/browse\//);
  expect(calls.of('validate_oracle_connection_info')).toHaveLength(2);
  expect(calls.of('set_oracle_connection')[0]?.form['serverName']).toBe('Contracts');
});

test('an account that is already linked can be linked again [ORA-23]', async ({ user: page }) => {
  const calls = await watchLinkCalls(page);
  calls.answer('validate_oracle_connection_info', refused(420, 'DUPLICATE_LINK', 'You have already linked this account.'));
  calls.answer('set_oracle_connection', saved);
  await page.goto('/links/oracledocuments');
  await fill(page, { Name: 'Twice', ...entered });
  await button(page, create).click();
  await expect(page.getByText('You have already linked this account. Do you want to continue?')).toBeVisible();
  await button(page, 'Continue Anyway').click();
  await expect(page).toHaveURL(/\/browse\//);
});

test('an unreadable answer is reported as a network error [ORA-24]', async ({ user: page }) => {
  (await watchLinkCalls(page)).answer('validate_oracle_connection_info', 'unreadable');
  await page.goto('/links/oracledocuments');
  await fill(page, { Name: 'N', ...entered });
  await button(page, create).click();
  const fault = 'Cannot connect to the Oracle Documents server. Please check your network connection and try again.';
  await expect(page.getByText(fault)).toBeVisible();
});

test('edit shows a busy image while the stored info loads, and keeps the mask [ORA-02] [ORA-08] [ORA-11] [ORA-16] [RT-069]', async ({
  user: page,
}) => {
  const calls = await watchLinkCalls(page);
  calls.answer('all_links', linked(group('OracleDocuments', 'Oracle Documents', row('o1', 'Contracts', 'OracleDocuments'))));
  const connectionInfo = { url: 'https://documents.example', username: 'mara', password: mask };
  const stored = { data: { linkName: 'Contracts', provider: 'OracleDocuments', sourceType: 'OracleDocuments', connectionInfo } };
  const { promise, resolve } = Promise.withResolvers<typeof stored>();
  calls.answer('get_link_connection_info', promise);
  calls.answer('validate_oracle_connection_info', valid);
  calls.answer('update_oracle_connection', saved);
  await page.goto('/link/auth/oracle?userLinkId=o1');
  await expect(page.getByRole('heading', { name: 'Edit Contracts' })).toBeVisible();
  await expect(page.getByText('Loading the stored connection info')).toBeVisible();
  resolve(stored);
  await expect(field(page, 'Password')).toHaveValue(mask);
  await button(page, 'Save Changes').click();
  await expect(page).toHaveURL('/links/oracledocuments');
  expect(calls.of('update_oracle_connection')[0]?.info['password']).toBe(mask);
});
