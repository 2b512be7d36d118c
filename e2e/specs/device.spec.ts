import { type DeviceCodes, type ReplyOf, allLinks, askForDrive, deviceEndpoints, deviceGrant } from '@sheaf/contract';
import { call, expect, expectAccessible, test } from '../fixtures/test.ts';

interface Codes {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri_complete: string;
}

/** Makes the requests of a program on this computer. */
function programOf(url: string) {
  const post = async <T>(path: string, fields: Record<string, string>): Promise<T> => {
    const body = new URLSearchParams({ client_id: 'sheaf-cli', ...fields });
    const answer = await fetch(url + path, { method: 'POST', headers: { 'user-agent': 'sheaf-cli/0.1.0 (linux)' }, body });
    return (await answer.json()) as T;
  };
  return {
    begin: () => post<Codes>(deviceEndpoints.authorize, { device_name: 'Workbench' }),
    poll: (code: string) => post<Record<string, string>>(deviceEndpoints.token, { grant_type: deviceGrant, device_code: code }),
  };
}

test('a program that shows a code is confirmed on a page, which warns, names the program, and never confirms by itself @narrow', async ({
  user: page,
  sheaf,
}) => {
  const { begin, poll } = programOf(sheaf.url);
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
  expect((await poll(first.device_code))['error']).toBe('access_denied');

  const second = await begin();
  await page.goto(second.verification_uri_complete);
  await expect(page.getByText(second.user_code, { exact: true })).toBeVisible();
  await expect(page.getByText('Confirm only what you have just started yourself.')).toBeVisible();
  await expectAccessible(page);
  expect((await poll(second.device_code))['error']).toBe('authorization_pending');
  await page.getByRole('button', { name: 'Yes, let it in' }).click();
  await expect(page.getByRole('heading', { name: 'Workbench is let in' })).toBeVisible();
  const { access_token: token = '' } = await poll(second.device_code);
  expect((await fetch(`${sheaf.url}/rest/ws/all_links`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
  await page.getByRole('link', { name: 'Authentication codes' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'Workbench' })).toContainText('last used');
});

test('for a drive the page names its folder, and the app password opens only that folder @narrow', async ({
  owner: page,
  storage,
  sheaf,
}) => {
  await storage.put({ 'Photos/a.txt': 'a picture', 'private.txt': 'not for drives' });
  const { poll } = programOf(sheaf.url);
  const links = await page.request.get(allLinks.path);
  const { data } = (await links.json()) as { data: ReplyOf<typeof allLinks> };
  const [link] = data.activeSources.flatMap((group) => group.links);
  const ask = (): Promise<DeviceCodes> =>
    call(page, askForDrive.path, { name: 'Workbench', linkUri: `${link?.linkUri ?? ''}/Photos`, rights: 'read' });

  const refused = await ask();
  await page.goto(refused.verificationUriComplete);
  await expect(page.getByRole('heading', { name: 'Give Workbench a drive?' })).toBeVisible();
  await page.getByRole('button', { name: 'Refuse' }).click();
  await expect(page.getByRole('heading', { name: 'Refused' })).toBeVisible();
  expect((await poll(refused.deviceCode))['error']).toBe('access_denied');

  const asked = await ask();
  await page.goto(asked.verificationUriComplete);
  await expect(page.getByText(asked.userCode, { exact: true })).toBeVisible();
  await expect(page.getByText('Read files in: Server / Photos. Until it is unmounted, or you revoke its app password.')).toBeVisible();
  await expectAccessible(page);
  expect((await poll(asked.deviceCode))['error']).toBe('authorization_pending');
  await page.getByRole('button', { name: 'Yes, let it in' }).click();
  await expect(page.getByRole('heading', { name: 'Workbench is let in' })).toBeVisible();
  const { access_token: password = '', username = '' } = await poll(asked.deviceCode);
  const request = (path: string, method = 'GET') =>
    fetch(`${sheaf.url}/dav/Server/${path}`, {
      method,
      headers: { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` },
    });
  expect(await (await request('Photos/a.txt')).text()).toBe('a picture');
  expect((await request('private.txt')).status).toBe(404);
  expect((await request('Photos/a.txt', 'DELETE')).status).toBe(403);
  await page.getByRole('link', { name: 'App passwords' }).click();
  await page.getByRole('button', { name: 'Revoke Drive on Workbench' }).click();
  await expect(page.getByText('There are no app passwords yet.')).toBeVisible();
  expect((await request('Photos/a.txt')).status).toBe(401);
});
