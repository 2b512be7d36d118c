import type { Page } from '@playwright/test';
import { type Oidc, freePort, startOidc } from '@sheaf/testbed';
import { type Sheaf, startSheaf } from '../fixtures/sheaf.ts';
import { test as base, expect, expectAccessible } from '../fixtures/test.ts';

/** A server whose Google and Microsoft are one real OpenID provider. */
interface WithProvider {
  readonly oidc: Oidc;
  readonly sheaf: Sheaf;
}
const test = base.extend<object, { provided: WithProvider }>({
  provided: [
    async ({}, use) => {
      const port = await freePort();
      const redirectUris = ['google', 'microsoft', 'halm'].map((provider) => `http://127.0.0.1:${port}/login/with/${provider}/callback`);
      const oidc = await startOidc({ redirectUris });
      const { issuer, clientId, clientSecret } = oidc;
      const settings = ['GOOGLE', 'MICROSOFT', 'OIDC_HALM'].flatMap((provider) => [
        [`SHEAF_${provider}_ISSUER_URL`, issuer],
        [`SHEAF_${provider}_CLIENT_ID`, clientId],
        [`SHEAF_${provider}_CLIENT_SECRET`, clientSecret],
      ]);
      const sheaf = await startSheaf({ ...Object.fromEntries(settings), SHEAF_OIDC_HALM_LABEL: 'Halm & Co', SHEAF_PORT: String(port) });
      await use({ oidc, sheaf });
      await sheaf.stop();
      await oidc.stop();
    },
    { scope: 'worker' },
  ],
});

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });

for (const [provider, title, id] of [
  ['google', 'Google', '[ACC-04]'],
  ['microsoft', 'Microsoft', '[ACC-05]'],
] as const) {
  test(`signing in with ${title} opens an account and leads back to where it began ${id} [ACC-02] [RT-037]`, async ({
    page,
    provided,
    unique,
  }) => {
    const visits: string[] = [];
    page.on('framenavigated', (frame) => visits.push(frame.url()));
    const redirectUrl = encodeURIComponent('/login/websuccess?redirectUrl=/account/profile');
    await page.goto(`${provided.sheaf.url}/login/start?provider=${provider}&redirectUrl=${redirectUrl}&cancelUrl=/about`);
    await page.getByLabel('E-mail').fill(`${unique}@halm.example`);
    await page.getByLabel('Name').fill('Mara of ' + title);
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page).toHaveURL(`${provided.sheaf.url}/account/profile`);
    await expect(page.getByRole('button', { name: `Account: Mara of ${title}` })).toBeVisible();
    expect(visits.some((url) => new URL(url).pathname === '/login/websuccess')).toBe(true);
  });
}

test('a provider configured by the operator has its button and creates an account, which the profile names @narrow', async ({
  page,
  provided,
  unique,
}) => {
  await page.goto(`${provided.sheaf.url}/login/start?redirectUrl=/account/profile`);
  await expect(page.getByRole('link', { name: 'Google' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Halm & Co' }).click();
  await page.getByLabel('E-mail').fill(`${unique}-own@halm.example`);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page).toHaveURL(`${provided.sheaf.url}/account/profile`);
  await expect(page.getByRole('listitem').filter({ hasText: 'Halm & Co' })).toContainText(`${unique}-own@halm.example`);
});

test('if sign-in goes straight to the provider, so does sign-out, and another way to sign in stays available', async ({ page, unique }) => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const oidc = await startOidc({ redirectUris: [`${url}/login/with/halm/callback`], afterLogoutUris: [`${url}/`] });
  const { issuer, clientId, clientSecret } = oidc;
  const halm = { ISSUER_URL: issuer, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, DIRECT: 'yes' };
  const settings = Object.fromEntries(Object.entries(halm).map(([field, value]) => [`SHEAF_OIDC_HALM_${field}`, value]));
  const sheaf = await startSheaf({ ...settings, SHEAF_PORT: String(port) });
  try {
    await page.goto(`${url}/login/start?redirectUrl=/account/profile`);
    await page.getByLabel('E-mail').fill(`${unique}@halm.example`);
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page).toHaveURL(`${url}/account/profile`);
    await page.goto(`${url}/logout`);
    await expect(page).toHaveURL(new RegExp(`^${issuer}/session/end`));
    await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    await expect(page).toHaveURL(new RegExp(`^${url}/`));
    await page.goto(`${url}/login/start?provider=email`);
    await expect(heading(page, 'Sign in to Sheaf')).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Password' })).toBeVisible();
  } finally {
    await sheaf.stop();
    await oidc.stop();
  }
});

test('declining at the provider says so and offers to sign in again', async ({ page, provided }) => {
  await page.goto(`${provided.sheaf.url}/login/start?provider=google&redirectUrl=/account/profile`);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveURL(new RegExp('/login/declined'));
  await expect(heading(page, 'Sign-in was canceled.')).toBeVisible();
  await page.getByRole('link', { name: 'SIGN IN' }).click();
  await expect(page).toHaveURL(/\/login\/start\?redirectUrl=%2Faccount%2Fprofile/);
});

test('sign-in, sign-up and the invitation offer the configured providers [ACC-07] [NAV-57]', async ({ page, provided }) => {
  for (const address of ['/login/start', '/signup/start', '/auth/signup']) {
    await page.goto(`${provided.sheaf.url}${address}`);
    for (const name of ['Google', 'Microsoft', 'Email']) await expect(page.getByRole('link', { name })).toBeVisible();
  }
  await page.goto(`${provided.sheaf.url}/about?links`);
  for (const [name, provider] of [
    ['Google', 'google'],
    ['Microsoft', 'microsoft'],
    ['Email', 'email'],
  ] as const) {
    const link = page.getByRole('dialog').getByRole('link', { name, exact: true });
    const query = new URL((await link.getAttribute('href')) ?? '', 'http://sheaf.test').searchParams;
    expect(Object.fromEntries(query)).toEqual({
      redirectUrl: '/login/websuccess',
      cancelUrl: '/about',
      flowOrigin: 'signuppopover',
      provider,
    });
  }
});

test('a provider that is not configured says so', async ({ page }) => {
  await page.goto('/login/with/google');
  await expect(heading(page, 'This provider is not configured on this installation.')).toBeVisible();
});

test('with passwords off the pages offer only the providers, and the form for operators has its own address', async ({
  page,
  provided,
}) => {
  const { issuer, clientId, clientSecret } = provided.oidc;
  const halm = { ISSUER_URL: issuer, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret };
  const settings = Object.fromEntries(Object.entries(halm).map(([field, value]) => [`SHEAF_OIDC_HALM_${field}`, value]));
  const sheaf = await startSheaf({ ...settings, SHEAF_SIGN_IN: 'providers' });
  try {
    for (const path of ['/login/start', '/signup/start']) {
      await page.goto(sheaf.url + path);
      await expect(page.getByRole('link', { name: 'Halm' })).toBeVisible();
      await expect(page.getByRole('link', { name: 'Email' })).toHaveCount(0);
      await expectAccessible(page);
    }
    await page.goto(`${sheaf.url}/login/start?provider=email`);
    await expect(page.getByRole('textbox', { name: 'Password' })).toBeVisible();
  } finally {
    await sheaf.stop();
  }
});
