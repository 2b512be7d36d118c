import { group, linked, mask, refused, row, saved, watchLinkCalls } from '../../fixtures/link-calls.ts';
import { expect, expectAccessible, test } from '../../fixtures/test.ts';
import { button, field, fill, labels } from './fields.ts';

const entered = { Name: 'Backups', 'Account ID/Key ID': '0012', 'Application Key': 'K001' };

test('the dialog asks for a name and a key, but not whether writes are allowed @narrow [B2-01] [B2-03] [B2-04] [B2-05] [B2-07] [B2-09] [B2-21]', async ({
  user: page,
}) => {
  await page.goto('/links/b2cloudstorage');
  await expect(page.getByRole('heading', { name: 'Link B2 Cloud Storage' })).toBeVisible();
  await expect(labels(page)).toHaveText(['Name', 'Account ID/Key ID', 'Application Key']);
  await expect(page.getByLabel('Allow Writes')).toHaveCount(0);
  await expect(field(page, 'Application Key')).toHaveAttribute('type', 'password');
  for (const [label, value] of Object.entries(entered)) {
    await expect(button(page, 'Link')).toBeDisabled();
    await fill(page, { [label]: value });
  }
  await expect(button(page, 'Link')).toBeEnabled();
  await expectAccessible(page);
});

test('the result of the check is saved [B2-11] [B2-15] [B2-16] [B2-17] [B2-18]', async ({ user: page }) => {
  const calls = await watchLinkCalls(page);
  const completedConnectionInfo = { accountId: '0012', applicationKey: 'K001', allowWrite: 'ALLOW_WRITE' };
  calls.answer('verify_b2_connection', { data: { isValid: true, completedConnectionInfo } });
  calls.answer('add_b2_link', saved);
  await page.goto('/links/b2cloudstorage');
  await fill(page, entered);
  await button(page, 'Link').click();
  await expect(page).toHaveURL(/\/browse\//);
  expect(calls.of('verify_b2_connection')[0]?.info).toEqual(completedConnectionInfo);
  const [add] = calls.of('add_b2_link');
  expect(add?.info).toEqual(completedConnectionInfo);
  expect(add?.form['provider']).toBe('B2');
  expect(add?.form['linkName']).toBe('Backups');
});

test('invalid credentials are reported and nothing is saved [B2-20]', async ({ user: page }) => {
  const calls = await watchLinkCalls(page);
  calls.answer('verify_b2_connection', { data: { isValid: false } });
  await page.goto('/links/b2cloudstorage');
  await fill(page, entered);
  await button(page, 'Link').click();
  await expect(page.getByText('The b2 server could not validate these credentials.')).toBeVisible();
  await expect(button(page, 'Continue Anyway')).toHaveCount(0);
  expect(calls.of('add_b2_link')).toHaveLength(0);
});

test('a wrong key and a wrong signature are reported at their fields; a duplicate is reported without an offer', async ({ user: page }) => {
  const calls = await watchLinkCalls(page);
  await page.goto('/links/b2cloudstorage');
  await fill(page, entered);
  for (const [reply, label] of [
    [refused(424, 'INVALID_KEY', 'The access key is not valid.'), 'Account ID/Key ID'],
    [refused(425, 'INVALID_SIGNATURE', 'The signature does not match.'), 'Application Key'],
  ] as const) {
    calls.answer('verify_b2_connection', reply);
    await button(page, 'Link').click();
    await expect(field(page, label)).toHaveAttribute('aria-invalid', 'true');
    await fill(page, { [label]: 'other' });
  }
  calls.answer('verify_b2_connection', refused(420, 'DUPLICATE_LINK', 'You have already linked this account.'));
  await button(page, 'Link').click();
  await expect(page.getByText('You have already linked this account. Press Link again to link it once more.')).toBeVisible();
  await expect(button(page, 'Link')).toBeVisible();
});

test('an unreadable answer is reported as a network error [B2-23]', async ({ user: page }) => {
  (await watchLinkCalls(page)).answer('verify_b2_connection', 'unreadable');
  await page.goto('/links/b2cloudstorage');
  await fill(page, entered);
  await button(page, 'Link').click();
  await expect(page.getByText('Cannot connect to the b2 server. Please check your network connection and try again.')).toBeVisible();
});

test('edit offers to forbid writes once the stored info has loaded [B2-02] [B2-06] [B2-08] [B2-10] [B2-13] [B2-19] [RT-070]', async ({
  user: page,
}) => {
  const calls = await watchLinkCalls(page);
  calls.answer('all_links', linked(group('B2', 'B2 Cloud Storage', row('b1', 'Backups', 'B2'))));
  const connectionInfo = { accountId: '0012', applicationKey: mask, allowWrite: 'ALLOW_WRITE' };
  const stored = { data: { linkName: 'Backups', provider: 'B2', sourceType: 'B2', connectionInfo } };
  const { promise, resolve } = Promise.withResolvers<typeof stored>();
  calls.answer('get_link_connection_info', promise);
  const completedConnectionInfo = { ...connectionInfo, allowWrite: 'DISALLOW_WRITE' };
  calls.answer('verify_b2_connection', { data: { isValid: true, completedConnectionInfo } });
  calls.answer('update_b2_connection', saved);
  await page.goto('/links/b2cloudstorage');
  await expect(page.getByRole('heading', { name: 'Edit Backups' })).toBeVisible();
  await expect(page.getByLabel('Allow Writes')).toHaveCount(0);
  resolve(stored);
  await expect(page.getByLabel('Allow Writes')).toBeChecked();
  await page.getByLabel('Allow Writes').uncheck();
  await button(page, 'Save Changes').click();
  await expect.poll(() => calls.of('update_b2_connection')[0]?.info).toEqual(completedConnectionInfo);
  await expect(page).toHaveURL('/links/b2cloudstorage');
});
