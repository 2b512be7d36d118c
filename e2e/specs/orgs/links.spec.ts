import { linkFolder, sftpInfo } from '../../fixtures/storage.ts';
import { expect, expectAccessible, test } from '../../fixtures/test.ts';
import { field, fill } from '../dialogs/fields.ts';
import { button, dialog, formOf, heading, home, joined, link, linkForOrg, makeOrg } from './actions.ts';

test('a member links, edits and unlinks for the organisation by the calls with its id, and returns to it @narrow [LNK-30] [LNK-48] [LNK-49] [SEC-06] [SEC-07] [SEC-08] [ORG-20]', async ({
  user: owner,
  browser,
  sheaf,
  storage,
  unique,
}) => {
  const org = await makeOrg(owner);
  const page = await joined({ browser, sheaf, owner, org }, 'Ben Ort', `ben-${unique}@ort.example`);
  const { orgOid } = org;
  await page.goto(home);
  await link(page, 'Link another').click();
  await expect(page).toHaveURL(`/links?orgOid=${orgOid}`);
  // The address changes before the page does, and the previous page offers SFTP too.
  await expect(heading(page, 'Link storage')).toBeVisible();
  await page.getByRole('link', { name: /^SFTP/ }).click();
  await expect(page).toHaveURL(`/links/sftp?mode=create&orgOid=${orgOid}`);
  const { server, username, password, path } = sftpInfo(storage.server, storage.path);
  await fill(page, { Name: 'Studio NAS', Host: server });
  await page.getByRole('button', { name: /Advanced/ }).click();
  await field(page, 'Start path').fill(path);
  await page.getByRole('link', { name: 'Login with password' }).click();
  await fill(page, { User: username, Password: password });
  const checked = formOf(page, 'validate_sftp_connection_info', () => Promise.resolve());
  const saved = await formOf(page, 'set_sftp_connection', () => button(page, 'Link').click());
  expect([(await checked)['orgOid'], saved['orgOid']]).toEqual([orgOid, orgOid]);
  await expect(page).toHaveURL(/\/browseorg\/Studio%20NAS\?orgMembershipOid=/);
  await page.goto(home);
  await expect(link(page, 'Studio NAS')).toHaveAttribute('href', /^\/browseorg\/Studio%20NAS\?orgMembershipOid=/);
  await expectAccessible(page);

  await owner.goto(home);
  await expect(link(owner, 'Studio NAS')).toBeVisible();
  const info = formOf(owner, 'get_org_link_connection_info', () => Promise.resolve());
  await button(owner, 'Menu of Studio NAS').click();
  await owner.getByRole('menuitem', { name: 'Edit' }).click();
  await expect(owner).toHaveURL(new RegExp(`^.*catid=org&edit=.*&orgOid=${orgOid}$`));
  expect((await info)['orgOid']).toBe(orgOid);
  await expect(dialog(owner, 'Edit Studio NAS')).toBeVisible();
  await owner.keyboard.press('Escape');
  await expect(owner).toHaveURL(home);

  await button(owner, 'Menu of Studio NAS').click();
  await owner.getByRole('menuitem', { name: 'Unlink' }).click();
  const unlinked = await formOf(owner, 'delete_org_link', () => button(owner, 'Yes, unlink').click());
  expect(unlinked['orgOid']).toBe(orgOid);
  await expect(link(owner, 'Studio NAS')).toHaveCount(0);
  await expect(owner.getByText('Nothing is linked here yet.')).toBeVisible();
  await page.reload();
  await expect(page.getByText('Nothing is linked here yet.')).toBeVisible();
});

test("among the user's own links those of the organisation have no menu, and the user's own are not the organisation's [LNK-07] [SEC-09]", async ({
  owner: page,
  storage,
}) => {
  const org = await makeOrg(page);
  await linkForOrg(page, org, 'Studio NAS', storage);
  await page.goto('/account/mysheaf');
  await expect(link(page, 'Studio NAS')).toBeVisible();
  await expect(button(page, 'Menu of Studio NAS')).toHaveCount(0);
  await expect(button(page, 'Menu of Server')).toBeVisible();
  await page.goto(home);
  await expect(link(page, 'Studio NAS')).toBeVisible();
  await expect(link(page, 'Server')).toHaveCount(0);
  await page.goto('/links/sftp?mode=create');
  await expect(heading(page, 'Link SFTP')).toBeVisible();
  const plain = await formOf(page, 'delete_link', async () => {
    await page.goto('/account/mysheaf');
    await button(page, 'Menu of Server').click();
    await page.getByRole('menuitem', { name: 'Unlink' }).click();
    await button(page, 'Yes, unlink').click();
  });
  expect(plain['orgOid']).toBeUndefined();
});

test('an object store of the organisation is checked, linked and changed by its calls [S3-29] [S3-30] [S3-31]', async ({
  user: page,
  swift,
  unique,
}) => {
  const bucket = `org-${unique}`;
  await swift.createBucket(bucket);
  const { orgOid } = await makeOrg(page);
  await page.goto(`/links/s3compat?orgOid=${orgOid}`);
  await fill(page, { Name: 'Photos', Host: swift.endpoint, 'Bucket name': bucket, 'Access key id': swift.key, Secret: swift.secret });
  const verified = formOf(page, 'verify_amazon_s3_connection_for_org_link', () => Promise.resolve());
  const added = await formOf(page, 'add_amazon_s3_for_org_link', () => button(page, 'Link').click());
  expect([(await verified)['orgOid'], added['orgOid']]).toEqual([orgOid, orgOid]);
  await expect(page).toHaveURL(/\/browseorg\/Photos\?orgMembershipOid=/);
  await expect(page.getByText('This folder is empty')).toBeVisible();
  await page.goto(`/links/s3compat?orgOid=${orgOid}`);
  await expect(heading(page, 'Edit Photos')).toBeVisible();
  await fill(page, { Name: 'Pictures' });
  const changed = await formOf(page, 'update_amazon_s3_for_org_link', () => button(page, 'Save Changes').click());
  expect(changed['orgOid']).toBe(orgOid);
  await expect(page).toHaveURL(home);
  await expect(link(page, 'Pictures')).toBeVisible();
});

test('an authorization for the organisation starts at its own address [OAU-25]', async ({ user: page }) => {
  const { orgOid } = await makeOrg(page);
  await page.goto(`/links/dropbox?orgOid=${orgOid}`);
  const begun = page.waitForRequest(/\/orglinkwebservice\?/);
  await button(page, 'Authorize').click();
  const query = new URL((await begun).url()).searchParams;
  expect([query.get('orgOid'), query.get('redirectUrl'), query.get('cancelUrl')]).toEqual([orgOid, home, `/links?orgOid=${orgOid}`]);
});

test("a user's own link and one of the organisation may have the same name", async ({ owner: page, storage }) => {
  const org = await makeOrg(page);
  await linkForOrg(page, org, 'Server', storage);
  await linkFolder(page, 'Other', sftpInfo(storage.server, storage.path));
  await page.goto('/account/mysheaf');
  const links = page.getByRole('link', { name: 'Server', exact: true });
  await expect(links).toHaveCount(2);
  const hrefs = await links.evaluateAll((all) => all.map((one) => one.getAttribute('href')));
  expect(new Set(hrefs.map((href) => href?.split('?')[0]))).toEqual(new Set(['/browse/Server', '/browseorg/Server']));
});

test('a page keeps its own parameters until the next one is loaded', async ({ owner: page, storage }) => {
  const org = await makeOrg(page);
  await linkForOrg(page, org, 'Studio NAS', storage);
  await page.goto(home);
  await expect(link(page, 'Studio NAS')).toBeVisible();
  const held = Promise.withResolvers<void>();
  await page.route(/\/assets\/PickerPage-[^/]*\.js$/, async (route) => {
    await held.promise;
    await route.continue();
  });
  // Each state of the page is looked at as it is drawn, because after a while it says that the next one is loading.
  const drawn = await page.evaluateHandle(() => {
    const texts: string[] = [];
    const look = (): void => void texts.push(document.querySelector('main')?.textContent ?? '');
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true });
    look();
    return texts;
  });
  await link(page, 'Link another').click();
  await expect(page).toHaveURL(`/links?orgOid=${org.orgOid}`);
  await expect(page.getByRole('status').getByText('Loading')).toBeVisible();
  // Without its own parameter it would be the page of the user's own links, which offers to link for the user.
  const texts = await drawn.jsonValue();
  expect(texts[0]).toContain('Studio NAS');
  expect(texts.filter((text) => text.includes('Server'))).toEqual([]);
  held.resolve();
  await expect(heading(page, 'Link storage')).toBeVisible();
});
