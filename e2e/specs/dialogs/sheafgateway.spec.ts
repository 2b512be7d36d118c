import { group, linked, mask, refused, row, saved, watchLinkCalls } from '../../fixtures/link-calls.ts';
import { expect, expectAccessible, test } from '../../fixtures/test.ts';
import { button, field, fill, labels } from './fields.ts';

const entered = { Server: 'https://gateway.example', 'Connection JSON': '{"id":"1"}' };
const address = '/links/sheafgatewaycloudstorage';

test('the dialog has its fields and its name from the server @narrow [RT-025] [GW-01] [GW-03] [GW-08] [GW-09]', async ({ user: page }) => {
  const calls = await watchLinkCalls(page);
  for (const path of ['/link/auth/sheafgateway', address]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: 'Link Sheaf Gateway' })).toBeVisible();
    await expect(button(page, 'Link')).toBeDisabled();
  }
  await expect(labels(page)).toHaveText(['Name', 'Server', 'Connection JSON']);
  await expect.poll(() => calls.of('get_default_source_name').at(-1)?.form['sourceType']).toBe('SheafGateway');
  await expectAccessible(page);
  await fill(page, { ...entered, Name: '' });
  await expect(button(page, 'Link')).toBeDisabled();
});

test('the link is saved with one call that checks, or unchecked when the user insists [GW-04] [GW-05] [GW-06] [GW-07]', async ({
  user: page,
}) => {
  const calls = await watchLinkCalls(page);
  calls.answer('add_sheafgateway_provider_link', refused(652, 'CANNOT_CONNECT', 'Cannot connect.'));
  await page.goto(address);
  await fill(page, entered);
  await button(page, 'Link').click();
  const question =
    'Could not connect to Sheaf Gateway server to validate your credentials. You may still be able to connect. Do you want to continue?';
  await expect(page.getByText(question)).toBeVisible();
  calls.answer('add_sheafgateway_provider_link', saved);
  await button(page, 'Continue Anyway').click();
  await expect(page).toHaveURL(/\/browse\//);
  const sent = calls.of('add_sheafgateway_provider_link');
  expect(sent.map(({ form }) => form['validateConnection'])).toEqual(['true', 'false']);
  expect(sent[0]?.info).toEqual({ server: 'https://gateway.example', authjson: '{"id":"1"}' });
});

test('an address without a scheme gets a hint, a wrong key is reported [GW-02] [GW-10] [GW-11]', async ({ user: page }) => {
  const calls = await watchLinkCalls(page);
  calls.answer('add_sheafgateway_provider_link', refused(107, 'NO_SCHEMA_SUPPLIED', 'No schema supplied in the server address.'));
  await page.goto(address);
  await fill(page, { ...entered, Server: 'gateway.example' });
  await button(page, 'Link').click();
  await expect(page.getByText('Please include http:// or https:// in the server address.')).toBeVisible();
  await expect(field(page, 'Server')).toHaveAttribute('aria-invalid', 'true');
  calls.answer('add_sheafgateway_provider_link', refused(424, 'INVALID_KEY', 'The access key is not valid.'));
  await fill(page, entered);
  await button(page, 'Link').click();
  await expect(page.getByText('The access key is not valid.')).toBeVisible();
});

test('an unreadable answer is reported as a network error [GW-12]', async ({ user: page }) => {
  (await watchLinkCalls(page)).answer('add_sheafgateway_provider_link', 'unreadable');
  await page.goto(address);
  await fill(page, entered);
  await button(page, 'Link').click();
  await expect(page.getByText('Cannot connect to the gateway server. Please check your network connection and try again.')).toBeVisible();
});

test('edit sends the id and the mask and returns to its page [RT-073]', async ({ user: page }) => {
  const calls = await watchLinkCalls(page);
  calls.answer('all_links', linked(group('SheafGateway', 'Sheaf Gateway', row('g1', 'Archive', 'SheafGateway'))));
  const connectionInfo = { server: 'https://gateway.example', authjson: mask };
  calls.answer('get_link_connection_info', {
    data: { linkName: 'Archive', provider: 'SheafGateway', sourceType: 'SheafGateway', connectionInfo },
  });
  calls.answer('update_sheafgateway_provider_link', saved);
  await page.goto('/link/auth/sheafgateway?userLinkId=g1');
  await button(page, 'Save Changes').click();
  await expect(page).toHaveURL(address);
  expect(calls.of('update_sheafgateway_provider_link')[0]).toMatchObject({ form: { userLinkId: 'g1' }, info: { authjson: mask } });
});
