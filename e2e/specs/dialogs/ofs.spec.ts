import { group, linked, mask, row, saved, valid, watchLinkCalls } from '../../fixtures/link-calls.ts';
import { expect, expectAccessible, test } from '../../fixtures/test.ts';
import { button, field, fill, labels } from './fields.ts';

const entered = { Server: 'https://files.example', Username: 'mara', Password: 'secret' };

test('the dialog has its fields, and its name from the server @narrow [RT-024] [LSP-06] [OFS-01] [OFS-02] [OFS-12]', async ({
  user: page,
}) => {
  const calls = await watchLinkCalls(page);
  for (const address of ['/link/auth/ofs', '/links/OFS', '/links/fileserver']) {
    await page.goto(address);
    await expect(button(page, 'Link Sheaf File Server')).toBeDisabled();
  }
  await expect(labels(page)).toHaveText(['Name', 'Server', 'Username', 'Password']);
  await expect.poll(() => calls.of('get_default_source_name').at(-1)?.form['sourceType']).toBe('OFS');
  await expectAccessible(page);
});

test('a valid connection is saved at once [OFS-04] [OFS-05] [OFS-06] [OFS-11]', async ({ user: page }) => {
  const calls = await watchLinkCalls(page);
  calls.answer('validate_ofs_connection_info', valid);
  calls.answer('set_ofs_connection', saved);
  await page.goto('/links/fileserver');
  await fill(page, { Server: 'https://files.example', Username: 'mara' });
  await expect(button(page, 'Link Sheaf File Server')).toBeDisabled();
  await fill(page, entered);
  await button(page, 'Link Sheaf File Server').click();
  await expect(page).toHaveURL(/\/browse\//);
  expect(calls.of('validate_ofs_connection_info')).toHaveLength(1);
  expect(calls.of('set_ofs_connection')[0]?.info).toEqual({ server: 'https://files.example', username: 'mara', password: 'secret' });
});

test('an invalid answer warns; a second submit saves without asking [OFS-08] [OFS-09] [OFS-10] [OFS-13]', async ({ user: page }) => {
  const calls = await watchLinkCalls(page);
  calls.answer('validate_ofs_connection_info', { data: { isValid: false } });
  calls.answer('set_ofs_connection', saved);
  await page.goto('/links/fileserver');
  await fill(page, entered);
  await button(page, 'Link Sheaf File Server').click();
  const question = 'The file server could not validate these credentials. You may still be able to connect. Do you want to continue?';
  await expect(page.getByText(question)).toBeVisible();
  await button(page, 'Continue Anyway').click();
  await expect(page).toHaveURL(/\/browse\//);
  expect(calls.of('validate_ofs_connection_info')).toHaveLength(1);
});

test('an unreadable answer is reported as a network error [OFS-14]', async ({ user: page }) => {
  (await watchLinkCalls(page)).answer('validate_ofs_connection_info', 'unreadable');
  await page.goto('/links/fileserver');
  await fill(page, entered);
  await button(page, 'Link Sheaf File Server').click();
  await expect(page.getByText('Cannot connect to the file server. Please check your network connection and try again.')).toBeVisible();
});

test('edit keeps the mask and returns to its page [OFS-03] [OFS-07] [RT-072]', async ({ user: page }) => {
  const calls = await watchLinkCalls(page);
  calls.answer('all_links', linked(group('OFS', 'Sheaf File Server', row('o1', 'Studio files', 'OFS'))));
  const connectionInfo = { server: 'https://files.example', username: 'mara', password: mask };
  calls.answer('get_link_connection_info', { data: { linkName: 'Studio files', provider: 'OFS', sourceType: 'OFS', connectionInfo } });
  calls.answer('validate_ofs_connection_info', valid);
  calls.answer('update_ofs_connection', saved);
  await page.goto('/link/auth/ofs?userLinkId=o1');
  await expect(field(page, 'Password')).toHaveValue(mask);
  await button(page, 'Save Changes').click();
  await expect(page).toHaveURL('/links/fileserver');
  expect(calls.of('update_ofs_connection')[0]?.info['password']).toBe(mask);
});
