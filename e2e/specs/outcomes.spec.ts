import { expect, expectAccessible, test } from '../fixtures/test.ts';

const outcomes = [
  ['/login/accountdisabled', 'This account has been disabled. Please contact support.', 'Go to the start page', '[RT-029]'],
  ['/login/accountnotfound', 'We could not find an account for this sign-in.', 'Sign up', '[RT-030]'],
  [
    '/login/clientdisabled',
    'This version of the Sheaf app can no longer sign in. Please install the latest version.',
    'Get the latest version',
    '[RT-031]',
  ],
  ['/login/connectionerror', 'We could not reach the sign-in provider. Please try again.', 'SIGN IN', '[RT-032]'],
  ['/login/unexpectederror', 'Something unexpected happened while signing you in. Please try again.', 'SIGN IN', '[RT-033]'],
  ['/login/declined', 'Sign-in was canceled.', 'SIGN IN', '[RT-034]'],
  ['/login/userdisabled', 'Your user has been disabled by your organization.', 'Go to the start page', '[RT-035]'],
  ['/login/wrongaccount', 'You signed in with a different account than expected.', 'SIGN IN', '[RT-036]'],
  ['/auth/loginsuccess', 'You are signed in. You can return to the Sheaf app.', 'Go to my Sheaf', '[RT-038]'],
  ['/signup/declined', 'Sign-up was canceled.', 'Sign up', '[RT-040]'],
] as const;
for (const [address, sentence, action, id] of outcomes) {
  test(`${address} says in one sentence how it ended and has one button ${id}`, async ({ page }) => {
    await page.goto(address);
    await expect(page.getByRole('heading', { name: sentence, exact: true })).toBeVisible();
    await expect(page.locator('main').getByRole('link', { name: action })).toBeVisible();
    if (id === '[RT-029]') await expectAccessible(page);
  });
}
