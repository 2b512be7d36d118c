import { deviceEndpoints, deviceGrant } from '@sheaf/contract';
import { expect, expectAccessible, test } from '../fixtures/test.ts';

interface Codes {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri_complete: string;
}

test('a program that shows a code is let in on a page, which warns, names it, and confirms nothing by itself @narrow', async ({
  user: page,
  sheaf,
}) => {
  const post = (path: string, fields: Record<string, string>): Promise<Response> =>
    fetch(sheaf.url + path, {
      method: 'POST',
      headers: { 'user-agent': 'sheaf-cli/0.1.0 (linux)' },
      body: new URLSearchParams({ client_id: 'sheaf-cli', ...fields }),
    });
  const begin = async (): Promise<Codes> => (await post(deviceEndpoints.authorize, { device_name: 'Workbench' })).json() as Promise<Codes>;
  const poll = async ({ device_code: code }: Codes): Promise<Record<string, string>> =>
    (await post(deviceEndpoints.token, { grant_type: deviceGrant, device_code: code })).json() as Promise<Record<string, string>>;

  const first = await begin();
  await page.goto('/device');
  await page.getByLabel('Code').fill('BCDF GHJK');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Nothing waits for this code.')).toBeVisible();
  await page.getByLabel('Code').fill(first.user_code.toLowerCase());
  await page.getByLabel('Code').press('Enter');
  await expect(page.getByRole('heading', { name: 'Let Workbench into your account?' })).toBeVisible();
  await page.getByRole('button', { name: 'Refuse' }).click();
  await expect(page.getByRole('heading', { name: 'Refused' })).toBeVisible();
  expect((await poll(first))['error']).toBe('access_denied');

  const second = await begin();
  await page.goto(second.verification_uri_complete);
  await expect(page.getByText(second.user_code, { exact: true })).toBeVisible();
  await expect(page.getByText('Confirm only what you have just started yourself.')).toBeVisible();
  await expectAccessible(page);
  expect((await poll(second))['error']).toBe('authorization_pending');
  await page.getByRole('button', { name: 'Yes, let it in' }).click();
  await expect(page.getByRole('heading', { name: 'Workbench is let in' })).toBeVisible();
  const { access_token: token = '' } = await poll(second);
  expect((await fetch(`${sheaf.url}/rest/ws/all_links`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
  await page.getByRole('link', { name: 'Authentication codes' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'Workbench' })).toContainText('last used');
});
