import { expect, expectAccessible, test } from '../../fixtures/test.ts';
import { button, heading, subscription } from './actions.ts';

const address = '/upgrade#thirtydaytrialScreen';

test('the free trial describes itself, starts, and thanks @narrow [TRI-01] [TRI-02] [TRI-03] [TRI-04] [TRI-05] [TRI-06] [TRI-07] [TRI-12] [TRI-13] [TRI-14] [TRI-18] [RT-092]', async ({
  user: page,
}) => {
  await page.goto(address);
  await expect(heading(page, '7 Day Free Trial')).toBeVisible();
  await expect(page.getByText('All premium features are free for 7 days. No credit card required.')).toBeVisible();
  await expectAccessible(page);
  await button(page, 'Get Trial').click();
  await expect(heading(page, 'Thank You')).toBeVisible();
  await expect(page.getByText('Premium features are now available.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'forum', exact: true })).toHaveAttribute('href', 'https://forum.example/');
  await expect(page.getByRole('link', { name: 'customer support' })).toBeVisible();
  await expectAccessible(page);
  await button(page, 'OK').click();
  await expect(page).toHaveURL('/account/subscriptions');
  await expect(subscription(page)).toContainText('Trial');
  const weekFromNow = new Date(Date.now() + 7 * 86_400_000).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'Europe/Berlin' });
  await expect(subscription(page)).toContainText(`Your trial ends on ${weekFromNow}.`);
});

test('while the trial starts nothing closes the dialog; trialDays and the track cookie are sent [TRI-08] [TRI-09] [TRI-10] [TRI-11]', async ({
  user: page,
  sheaf,
}) => {
  await page.context().addCookies([{ name: 'track', value: 'autumn', url: sheaf.url }]);
  const release = Promise.withResolvers<void>();
  await page.route('/rest/purchase/premium_trial', async (route) => {
    await release.promise;
    await route.continue();
  });
  await page.goto(address);
  const asked = page.waitForRequest('/rest/purchase/premium_trial');
  await button(page, 'Get Trial').click();
  const form = new URLSearchParams((await asked).postData() ?? '');
  expect([form.get('trialDays'), form.get('track'), form.has('rTag')]).toEqual(['7', 'autumn', true]);
  await expect(button(page, 'Cancel')).toBeDisabled();
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  await expect(heading(page, '7 Day Free Trial')).toBeVisible();
  await expect(page).toHaveURL(address);
  release.resolve();
  await expect(heading(page, 'Thank You')).toBeVisible();
});

test('without a campaign the track is sent empty [TRI-10]', async ({ user: page }) => {
  await page.goto(address);
  const asked = page.waitForRequest('/rest/purchase/premium_trial');
  await button(page, 'Get Trial').click();
  expect(new URLSearchParams((await asked).postData() ?? '').get('track')).toBe('');
});

test('a user who has had a trial is told so, and gets no second one [TRI-15] [TRI-16] [TRI-17]', async ({ user: page }) => {
  await page.goto(address);
  await button(page, 'Get Trial').click();
  await expect(heading(page, 'Thank You')).toBeVisible();
  await page.goto('/account/profile');
  await page.goto(address);
  await button(page, 'Get Trial').click();
  await expect(page.getByText('Could not activate Premium. Your account is not eligible for this subscription.')).toBeVisible();
  await expectAccessible(page);
  await button(page, 'Cancel').click();
  await expect(page).toHaveURL('/account/subscriptions');
  await expect(page.getByRole('list', { name: 'Subscriptions' }).getByRole('listitem')).toHaveCount(1);
});

test('leaving the trial returns to where it began, never to another site', async ({ user: page, sheaf }) => {
  for (const [asked, reached] of [
    ['https://evil.example/', '/account/subscriptions'],
    ['//evil.example/', '/account/subscriptions'],
    ['/add-ons/spaces?from=here', '/add-ons/spaces?from=here'],
  ] as const) {
    await page.goto('/forum');
    await page.goto(`/upgrade?returnUrl=${encodeURIComponent(asked)}#thirtydaytrialScreen`);
    await button(page, 'Cancel').click();
    await expect(page).toHaveURL(sheaf.url + reached);
  }
});
