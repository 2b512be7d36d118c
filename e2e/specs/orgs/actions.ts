import { type Browser, type Page, expect } from '@playwright/test';
import { type GivenOrgRole, type Org, acceptOrgInvitation, familyCalls, inviteToOrg, listOrgs, renameOrg, showOrg } from '@sheaf/contract';
import { call } from '../../fixtures/call.ts';
import type { Sheaf } from '../../fixtures/sheaf.ts';
import { type Storage, sftpInfo } from '../../fixtures/storage.ts';
import { signUp } from '../../fixtures/test.ts';
import { tokenTo } from '../spaces/actions.ts';

export const home = '/account/mysheaf?catid=org';
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
export const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
export const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
export const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });
/** The row of a member or an invitation, by name or address. */
export const person = (page: Page, name: string) => page.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) });

/** Creates an organisation of that name, owned by the page's user. */
export async function makeOrg(page: Page, name = 'Halm Studio'): Promise<Org> {
  const { org } = await call<{ org: Org }>(page, showOrg.path, { trialDays: '7' });
  return (await call<{ org: Org }>(page, renameOrg.path, { orgOid: org.orgOid, newName: name })).org;
}

/** The organisation of the page's user, from the server. */
export async function orgOf(page: Page): Promise<Org | undefined> {
  const answer = await page.request.get(listOrgs.path);
  return ((await answer.json()) as { data: { orgs: Org[] } }).data.orgs[0];
}

/** The token in the mail that invites an address. */
export const invitationToken = (sheaf: Sheaf, email: string): Promise<string> => tokenTo(sheaf, email, '/invitation/org');

/** Invites an address and returns the token of the mail. */
export async function invited(owner: Page, sheaf: Sheaf, { orgOid }: Org, email: string, role: GivenOrgRole = 'member'): Promise<string> {
  await call(owner, inviteToOrg.path, { orgOid, emails: email, role });
  return invitationToken(sheaf, email);
}

/** A page of another user. */
export async function stranger(browser: Browser, sheaf: Sheaf, name: string, email: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: sheaf.url, locale: 'en-GB', timezoneId: 'Europe/Berlin' });
  const page = await context.newPage();
  await signUp(page, { name, email, password: 'correct horse battery' });
  return page;
}

/** A page of a user who has joined the organisation. */
export async function joined(
  { browser, sheaf, owner, org }: { browser: Browser; sheaf: Sheaf; owner: Page; org: Org },
  name: string,
  email: string,
  role: GivenOrgRole = 'member',
): Promise<Page> {
  const token = await invited(owner, sheaf, org, email, role);
  const page = await stranger(browser, sheaf, name, email);
  await call(page, acceptOrgInvitation.path, { token });
  return page;
}

/** Links the folder to the organisation. */
export const linkForOrg = (page: Page, { orgOid }: Org, name: string, { server, path }: Storage): Promise<{ userLinkId: string }> =>
  call(page, familyCalls.sftp.add.path, {
    orgOid,
    serverName: name,
    provider: 'SFTP',
    connectionInfo: JSON.stringify(sftpInfo(server, path)),
  });

/** Waits for the page's next call of that name and returns its form. */
export async function formOf(page: Page, name: string, begin: () => Promise<unknown>): Promise<Readonly<Record<string, string>>> {
  const asked = page.waitForRequest((request) => new URL(request.url()).pathname.endsWith(`/${name}`));
  await begin();
  return Object.fromEntries(new URLSearchParams((await asked).postData() ?? ''));
}

/** Closes the visible dialog with Esc. */
export async function escape(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
}
