import { expect, expectAccessible, test } from '../../fixtures/test.ts';
import { button, dialog, makeOrg } from './actions.ts';

test("an admin creates a directory's token, which is shown once, gives a group a role, and revokes the token @narrow", async ({
  user: owner,
  request,
  unique,
}) => {
  const { orgOid } = await makeOrg(owner);
  await owner.goto(`/org/members?orgOid=${orgOid}`);
  await owner.getByRole('link', { name: 'Directory' }).click();
  await expect(owner).toHaveURL(`/org/directory?orgOid=${orgOid}`);
  await expect(owner.getByText('The directory has brought no groups yet.')).toBeVisible();
  await expectAccessible(owner);

  await owner.getByLabel('Name of a new token').fill('Entra');
  await button(owner, 'Make token').click();
  await expect(owner.getByText('Copy the token now')).toBeVisible();
  const token = await owner.locator('code', { hasText: 'sheaf_scim_' }).innerText();
  const address = await owner.locator('code', { hasText: '/scim/v2' }).innerText();
  await expectAccessible(owner);
  const ask = (path: string, data: object) =>
    request.post(new URL(`/scim/v2${path}`, owner.url()).href, {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
      data: JSON.stringify(data),
    });
  expect(address.endsWith('/scim/v2')).toBe(true);
  const person = await ask('/Users', { userName: `mara-${unique}@ort.example` });
  expect(person.status()).toBe(201);
  const { id } = (await person.json()) as { id: string };
  expect((await ask('/Groups', { displayName: 'Leads', members: [{ value: id }] })).status()).toBe(201);

  await owner.reload();
  await expect(owner.getByText('Copy the token now')).toHaveCount(0);
  await expect(owner.getByText('1 person')).toBeVisible();
  await owner.getByLabel('Role of Leads').selectOption('Admin');
  await expect(owner.getByLabel('Role of Leads')).toHaveValue('admin');
  await owner.reload();
  await expect(owner.getByLabel('Role of Leads')).toHaveValue('admin');
  await expectAccessible(owner);

  await button(owner, 'Revoke Entra').click();
  await dialog(owner, 'Revoke Entra?').getByRole('button', { name: 'Revoke' }).click();
  await expect(owner.getByText('Entra was revoked.')).toBeVisible();
  expect((await ask('/Groups', { displayName: 'More' })).status()).toBe(401);
});
