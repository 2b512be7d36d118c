import { writeFile } from 'node:fs/promises';
import { type Org, createWeblink } from '@sheaf/contract';
import { call, test as base, expect, expectAccessible, sheafOf } from '../../fixtures/test.ts';
import { drop, openFolder, rename, rowOf, rows, savedFrom } from '../browse/actions.ts';
import { button, formOf, heading, home, joined, link, linkForOrg, makeOrg } from './actions.ts';

/** A separate server, because its billing clock is global. */
const test = base.extend<{ org: Org }>({
  sheaf: sheafOf(),
  /** Creates an organisation of the user, with the storage as its link "NAS". */
  org: async ({ user, storage }, use) => {
    const org = await makeOrg(user);
    await linkForOrg(user, org, 'NAS', storage);
    await use(org);
  },
});

test('a link of the organisation opens under its own address, and every step below keeps the membership @narrow [RT-011] [RT-058] [RT-059]', async ({
  user: page,
  org,
  storage,
}) => {
  await storage.put({ 'Docs/Deep/a.txt': 'hello' });
  const query = `?orgMembershipOid=${org.orgMembershipOid}`;
  await page.goto(home);
  await link(page, 'NAS').click();
  await expect(page).toHaveURL(`/browseorg/NAS${query}`);
  await rowOf(page, 'Docs').click();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/browseorg/NAS/Docs${query}`);
  await rowOf(page, 'Deep').click();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/browseorg/NAS/Docs/Deep${query}`);
  await expectAccessible(page);
  await page.reload();
  await rowOf(page, 'a.txt').click();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/browseorg/NAS/Docs/Deep${query}&preview=a.txt`);
  await expect(page.getByText('hello')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(`/browseorg/NAS/Docs/Deep${query}`);
  await page.getByRole('grid').focus();
  for (const path of ['/browseorg/NAS/Docs', '/browseorg/NAS']) {
    await page.keyboard.press('Backspace');
    await expect(page).toHaveURL(path + query);
    await expect(rows(page)).toHaveCount(1);
    await page.getByRole('grid').focus();
  }
  await page.keyboard.press('Backspace');
  await expect(page).toHaveURL(home);
});

test('adding, renaming and deleting use the organisation’s calls with the member’s id [BRW-25] [BRW-26] [BRW-27]', async ({
  user: page,
  org,
  storage,
}) => {
  await storage.put({ 'old.txt': 'x' });
  await openFolder(page, `/browseorg/NAS?orgMembershipOid=${org.orgMembershipOid}`);
  const added = await formOf(page, 'add_orglink_folder', () => button(page, 'New folder').click());
  expect(added).toMatchObject({ memberOid: org.orgMembershipOid, folderName: 'New Folder' });
  const renamed = await formOf(page, 'rename_orglink_object', async () => {
    await page.getByLabel('New name').fill('Plans');
    await page.keyboard.press('Enter');
  });
  expect(renamed).toMatchObject({ memberOid: org.orgMembershipOid, newName: 'Plans' });
  await expect(rowOf(page, 'Plans')).toBeVisible();
  await rename(page, 'old.txt', 'new.txt');
  await expect.poll(() => storage.names()).toEqual(['Plans', 'new.txt']);
  await rowOf(page, 'new.txt').click();
  await page.keyboard.press('Delete');
  const deleted = await formOf(page, 'delete_orglink_object', () =>
    page
      .getByRole('dialog')
      .getByRole('button', { name: /^Delete/ })
      .click(),
  );
  expect(deleted['memberOid']).toBe(org.orgMembershipOid);
  await expect.poll(() => storage.names()).toEqual(['Plans']);
});

test('without a membership in the address it is found by the link’s name; also in the gallery [RT-012] [RT-060]', async ({
  user: page,
  org,
  storage,
}) => {
  await storage.put({ 'Album/one.txt': '1' });
  await page.goto('/browseorg/NAS');
  await expect(rowOf(page, 'Album')).toBeVisible();
  await rowOf(page, 'Album').click();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/browseorg/NAS/Album?orgMembershipOid=${org.orgMembershipOid}`);
  await page.goto('/browsegalleryorg/NAS');
  const pressed = page.getByRole('button', { name: 'Gallery', pressed: true });
  await expect(pressed.or(page.getByRole('button', { name: 'View: Gallery' }))).toBeVisible();
  await page.goto('/browseorg/Nobody');
  await expect(page.getByText('None of your organisations has a link named Nobody.')).toBeVisible();
});

test('a member uploads, downloads and shares there, and no longer can after being removed', async ({
  user: owner,
  org,
  browser,
  sheaf,
  storage,
  unique,
}, info) => {
  await storage.put({ 'plan.txt': 'the plan' });
  const page = await joined({ browser, sheaf, owner, org }, 'Ben Ort', `ben-${unique}@ort.example`);
  await page.goto('/account/mysheaf');
  await link(page, 'NAS').click();
  await expect(rowOf(page, 'plan.txt')).toBeVisible();
  const file = info.outputPath('upload.txt');
  await writeFile(file, 'from Ben');
  await drop(page, file);
  await expect.poll(() => storage.names()).toEqual(['plan.txt', 'upload.txt']);
  expect(await storage.text('upload.txt')).toBe('from Ben');
  await rowOf(page, 'plan.txt').click();
  const saved = await savedFrom(page, () =>
    page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Download' }).click(),
  );
  expect(saved.toString()).toBe('the plan');
  const { linkUri } = JSON.parse(
    await page.evaluate(async () => {
      const answer = await fetch('/rest/ws/all_links');
      const { data } = (await answer.json()) as { data: { activeSources: { links: { linkUri: string }[] }[] } };
      return JSON.stringify({ linkUri: data.activeSources[0]?.links[0]?.linkUri });
    }),
  ) as { linkUri: string };
  const { sharelinkurl } = await call<{ sharelinkurl: string }>(page, createWeblink.path, { linkUri: `${linkUri}/plan.txt` });
  const visitor = await browser.newPage();
  await visitor.goto(sharelinkurl);
  await expect(visitor.getByText('plan.txt').first()).toBeVisible();

  await owner.goto(`/org/members?orgOid=${org.orgOid}`);
  await button(owner, 'Menu of Ben Ort').click();
  await owner.getByRole('menuitem', { name: 'Remove' }).click();
  await button(owner, 'Remove').click();
  await expect(owner.getByText('Ben Ort was removed.')).toBeVisible();
  await page.goto(`/browseorg/NAS`);
  await expect(page.getByText('None of your organisations has a link named NAS.')).toBeVisible();
  await visitor.reload();
  await expect(visitor.getByText('plan.txt')).toHaveCount(0);
});

test('when the plan has ended a member sees why, and the owner how to renew it', async ({
  user: owner,
  org,
  browser,
  sheaf,
  storage,
  unique,
}) => {
  await storage.put({ 'plan.txt': 'the plan' });
  const page = await joined({ browser, sheaf, owner, org }, 'Ben Ort', `ben-${unique}@ort.example`);
  const address = `/browseorg/NAS`;
  await page.goto(address);
  await expect(rowOf(page, 'plan.txt')).toBeVisible();
  await call(owner, '/rest/operator/sandbox_clock', { days: '8' });
  // The server caches permissions for two seconds.
  await expect(async () => {
    await page.goto(address);
    await expect(heading(page, "The organisation's plan has ended")).toBeVisible({ timeout: 3000 });
  }).toPass({ timeout: 20_000 });
  await expect(page.getByText("Halm Studio's subscription has ended.").first()).toBeVisible();
  await expectAccessible(page);
  await link(page, 'Show my organisations').click();
  await expect(page.getByText('Please ask the owner.')).toBeVisible();
  await owner.goto(home);
  await link(owner, 'Renew it').click();
  await expect(owner).toHaveURL(`/org/subscription?orgOid=${org.orgOid}`);
  await expect(owner.getByText('Ended', { exact: true }).first()).toBeVisible();
  await expectAccessible(owner);
});
