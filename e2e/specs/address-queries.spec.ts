/**
 * Pins the query names of the full-page addresses of the specification (linking.md and sharing.md, section 2) as literals: renaming a constant must not
 * break an address in a mail, bookmark or program. `specification.test.ts` of the server pins the addresses that the server answers itself.
 */
import type { Page } from '@playwright/test';
import { call, expect, test } from '../fixtures/test.ts';
import { makeOrg } from './orgs/actions.ts';

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });

test('/login/start takes cancelUrl, redirectUrl, flowOrigin and provider', async ({ page, account }) => {
  await page.request.post('/rest/auth/email/signup', { form: { ...account } });
  await page.context().clearCookies();
  const address = '/login/start?cancelUrl=%2Fabout&redirectUrl=%2Faccount%2Fprofile&flowOrigin=spaces&provider=email';
  await page.goto(address);
  await page.getByRole('link', { name: 'Cancel' }).click();
  await expect(page).toHaveURL('/about');
  await page.goto(address);
  await page.getByLabel('E-mail address').fill(account.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(account.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL('/account/profile');
});

test('a guarded page leads a visitor to /login/start with its own address as redirectUrl [SPC-24]', async ({ page }) => {
  for (const [address, redirectUrl] of [
    ['/shared', '/shared'],
    ['/account/mysheaf?catid=spaces&createDialog=true', '/account/mysheaf?catid=spaces&createDialog=true'],
  ] as const) {
    await page.goto(address);
    await expect(page).toHaveURL((url) => url.pathname === '/login/start');
    const query = new URL(page.url()).searchParams;
    expect(query.get('redirectUrl')).toBe(redirectUrl);
    expect([query.has('cancelUrl'), query.has('flowOrigin')]).toEqual([true, true]);
  }
});

test('links and authError open their dialogs on any page', async ({ page }) => {
  for (const [query, title] of [
    ['links', 'You’re almost done...'],
    ['authError=userNotFound', "Sorry, this account doesn't exist!"],
    ['authError=extraSignup', 'You already have an account!'],
  ] as const) {
    await page.goto(`/about?${query}`);
    await expect(page.getByRole('dialog', { name: title })).toBeVisible();
  }
});

test('/account/mysheaf takes catid, createDialog and confirmPurchase', async ({ owner: page }) => {
  await page.goto('/account/mysheaf?catid=spaces');
  await expect(heading(page, 'Spaces')).toBeVisible();
  await page.goto('/account/mysheaf?catid=org');
  await expect(heading(page, 'Organisation')).toBeVisible();
  await page.goto('/account/mysheaf?catid=encryption&confirmPurchase=true');
  await expect(heading(page, 'Encryption')).toBeVisible();
  await call(page, '/rest/purchase/premium_trial', { trialDays: '7', track: '' });
  await page.goto('/account/mysheaf?catid=spaces&createDialog=true');
  await expect(page.getByRole('dialog', { name: 'Share Storage' })).toBeVisible();
});

test('/shared takes createDialog, sharePath and shareUri', async ({ owner: page, storage }) => {
  await storage.put({ 'letter.txt': 'Dear reader' });
  const { item } = await call<{ item: { linkUri: string } }>(page, '/rest/content/resolve', { path: 'Server/letter.txt' });
  await page.goto(`/shared?createDialog=true&sharePath=Server%2Fletter.txt&shareUri=${encodeURIComponent(item.linkUri)}`);
  const dialog = page.getByRole('dialog', { name: 'Create Share Link' });
  await expect(dialog).toContainText('letter.txt');
});

test('/upgrade and /account/billing choose their screen by the hash', async ({ user: page }) => {
  await page.goto('/upgrade#thirtydaytrialScreen');
  await expect(page.getByRole('button', { name: 'Get Trial' })).toBeVisible();
  await page.goto('/account/billing#applyPromoScreen');
  await expect(page.getByRole('textbox', { name: /^Promo code/ })).toBeVisible();
});

test('/browseorg takes orgMembershipOid, the pages of an organisation take orgOid', async ({ user: page }) => {
  const { orgOid, orgMembershipOid } = await makeOrg(page);
  for (const address of [`/org/subscription?orgOid=${orgOid}`, `/org/billing?orgOid=${orgOid}`]) {
    await page.goto(address);
    await expect(page.locator('main')).toContainText('Halm Studio');
  }
  await page.goto(`/browseorg/Nowhere?orgMembershipOid=${orgMembershipOid}`);
  await expect(page.locator('main')).toContainText('Nowhere');
});

test('the form pages of links take redirectUrl and cancelUrl', async ({ user: page }) => {
  for (const address of ['/links/sftp', '/link/auth/ftp']) {
    await page.goto(`${address}?redirectUrl=%2Fabout&cancelUrl=%2Fcareers`);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(page, address).toHaveURL('/careers');
  }
});

test('/getfolder takes processToken and actionType', async ({ user: page }) => {
  await page.goto('/getfolder?processToken=unknown&actionType=backup');
  await expect(page.getByText('This link is no longer valid. Please ask for a new one.')).toBeVisible();
});
