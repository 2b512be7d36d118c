import { expect, expectAccessible, test } from '../../fixtures/test.ts';
import { button, dialog, heading, home, invitationToken, invited, joined, link, makeOrg, orgOf, person, stranger } from './actions.ts';

test('the page shows the id, the plan and its capacity, and invites people who then join @narrow [ORG-10] [ORG-11] [ORG-13]', async ({
  user: owner,
  browser,
  sheaf,
  unique,
}) => {
  const { orgOid } = await makeOrg(owner);
  await owner.goto(home);
  await link(owner, 'Members').click();
  await expect(owner).toHaveURL(`/org/members?orgOid=${orgOid}`);
  await expect(heading(owner, 'Halm Studio')).toBeVisible();
  const fact = (name: string) => owner.getByRole('definition').and(owner.locator(`dt:text-is("${name}") + dd`));
  await expect(fact('Organisation id')).toContainText(orgOid);
  await expect(fact('Plan')).toHaveText('Organisation');
  await expect(fact('Members the plan carries')).toHaveText('54 free');
  await expectAccessible(owner);

  const email = `ben-${unique}@ort.example`;
  await owner.getByLabel('E-mail addresses').fill(`${email}, nonsense`);
  await button(owner, 'Invite').click();
  await expect(owner.getByText(`${email} was invited.`)).toBeVisible();
  await expect(owner.getByRole('alert')).toContainText('nonsense');
  await expect(owner.getByLabel('E-mail addresses')).toHaveValue('nonsense');
  await expect(person(owner, email)).toContainText('Member, invited');
  await expectAccessible(owner);

  const token = await invitationToken(sheaf, email);
  const ben = await stranger(browser, sheaf, 'Ben Ort', email);
  await ben.goto(`/invitation/org#token=${token}`);
  await button(ben, 'Accept').click();
  await expect(ben).toHaveURL(home);
  await expect(heading(ben, 'Halm Studio')).toBeVisible();
  await expect(link(ben, 'Members')).toHaveCount(0);
  await owner.reload();
  await expect(person(owner, 'Ben Ort')).toContainText('Member');
});

test('a missing or unreadable number of members is 0 [ORG-12]', async ({ user: page }) => {
  const { orgOid } = await makeOrg(page);
  await page.route('**/rest/org/members?*', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { data: Record<string, unknown> };
    await route.fulfill({ response: answer, json: { ...body, data: { ...body.data, planMembers: 'a few' } } });
  });
  await page.goto(`/org/members?orgOid=${orgOid}`);
  await expect(page.locator('dt:text-is("Members the plan carries") + dd')).toHaveText('0');
  await expect(page.getByText('The plan carries no more members.')).toBeVisible();
});

test('an admin changes roles and revokes invitations, a member sees no members, and the owner cannot be changed', async ({
  user: owner,
  browser,
  sheaf,
  unique,
}) => {
  const org = await makeOrg(owner);
  const at = { browser, sheaf, owner, org };
  const admin = await joined(at, 'Ada Lind', `ada-${unique}@ort.example`, 'admin');
  const member = await joined(at, 'Ben Ort', `ben-${unique}@ort.example`);
  await invited(owner, sheaf, org, `cleo-${unique}@ort.example`);

  await member.goto(`/org/members?orgOid=${org.orgOid}`);
  await expect(heading(member, 'The owner and the admins can see the members')).toBeVisible();
  for (const page of [admin, member]) {
    for (const path of ['subscription', 'billing']) {
      await page.goto(`/org/${path}?orgOid=${org.orgOid}`);
      await expect(heading(page, `Only the owner can see the ${path}`)).toBeVisible();
    }
    await page.goto(home);
    await expect(link(page, 'Subscription')).toHaveCount(0);
  }

  await admin.goto(`/org/members?orgOid=${org.orgOid}`);
  await expect(button(admin, 'Menu of Mara Halm')).toHaveCount(0);
  await expect(button(admin, 'Close the organisation')).toHaveCount(0);
  await button(admin, 'Menu of Ben Ort').click();
  await expect(admin.getByRole('menuitem', { name: 'Make owner' })).toHaveCount(0);
  await admin.getByRole('menuitem', { name: 'Make admin' }).click();
  await expect(person(admin, 'Ben Ort')).toContainText('Admin');
  await member.goto(`/org/members?orgOid=${org.orgOid}`);
  await expect(person(member, 'Ben Ort (you)')).toContainText('Admin');

  await button(admin, `Menu of cleo-${unique}@ort.example`).click();
  await admin.getByRole('menuitem', { name: 'Take invitation back' }).click();
  await expect(dialog(admin, 'Take the invitation back?')).toBeVisible();
  await expectAccessible(admin);
  await button(admin, 'Take back').click();
  await expect(person(admin, `cleo-${unique}@ort.example`)).toHaveCount(0);
  await link(admin, 'Show the activity').click();
  await expect(admin.getByText(/made Halm Studio|invited/).first()).toBeVisible();
});

test('the owner renames, hands over and can then leave; the new owner closes with the name typed', async ({
  user: owner,
  browser,
  sheaf,
  unique,
}) => {
  const org = await makeOrg(owner);
  const ada = await joined({ browser, sheaf, owner, org }, 'Ada Lind', `ada-${unique}@ort.example`);
  const members = `/org/members?orgOid=${org.orgOid}`;
  await owner.goto(members);
  await expect(button(owner, 'Leave the organisation')).toHaveCount(0);
  const name = owner.getByRole('region', { name: 'Name' });
  await name.getByLabel('Name').fill('a/b');
  await name.getByRole('button', { name: 'Save' }).click();
  await expect(name).toContainText('Name cannot contain invalid characters');
  await name.getByLabel('Name').fill('Lind Studio');
  await name.getByRole('button', { name: 'Save' }).click();
  await expect(heading(owner, 'Lind Studio')).toBeVisible();

  await button(owner, 'Menu of Ada Lind').click();
  await owner.getByRole('menuitem', { name: 'Make owner' }).click();
  await expectAccessible(owner);
  await button(owner, 'Make owner').click();
  await expect(owner.getByText('Ada Lind now owns Lind Studio.')).toBeVisible();
  await button(owner, 'Leave the organisation').click();
  await button(owner, 'Leave').click();
  await expect(owner).toHaveURL(home);
  await expect(heading(owner, 'You do not belong to an organisation yet.')).toBeVisible();
  await owner.goto(members);
  await expect(heading(owner, 'This organisation could not be found')).toBeVisible();

  await ada.goto(members);
  await button(ada, 'Close the organisation').click();
  const question = dialog(ada, 'Close Lind Studio?');
  await expect(question.getByRole('button', { name: 'Close the organisation' })).toBeDisabled();
  await question.getByLabel('Type "Lind Studio" to confirm').fill('Lind Studio');
  await expectAccessible(ada);
  await question.getByRole('button', { name: 'Close the organisation' }).click();
  await expect(ada).toHaveURL(home);
  expect(await orgOf(ada)).toBeUndefined();
});
