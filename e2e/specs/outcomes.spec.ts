import { verifyEmail } from '@sheaf/contract';
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
  ['/link/auth/declined', 'You declined access. Nothing was linked.', 'Choose what to link', '[RT-015]'],
  ['/link/auth/connectionerror', 'We could not reach the provider. Please try again.', 'Choose what to link', '[RT-016]'],
  ['/link/auth/unexpectederror', 'Something unexpected happened while linking. Please try again.', 'Choose what to link', '[RT-017]'],
  [
    '/link/auth/desktopsuccess',
    'Your account is linked. You can close this window and return to the Sheaf app.',
    'Choose what to link',
    '[RT-018]',
  ],
  [
    '/link/auth/desktopsuccess/dropbox',
    'Your Dropbox account is linked. You can close this window and return to the Sheaf app.',
    'Choose what to link',
    '[RT-019]',
  ],
  ['/link/auth/duplicate', 'This account is already linked.', 'Choose what to link', '[RT-020]'],
  [
    '/linkprocessing/requesterror',
    'The link request could not be completed. Please try again.',
    'Choose what to link',
    '[RT-051] [RT-100]',
  ],
  [
    '/linkprocessing/requesterror?reason=notsetup&provider=Dropbox',
    'This provider is not configured on this installation.',
    'Choose what to link',
    '[RT-051]',
  ],
  [
    '/linkprocessing/requesterror?reason=closed&provider=CloudDrive',
    'Amazon Cloud Drive gives other programs no access, so it cannot be linked.',
    'Choose what to link',
    '[RT-051]',
  ],
] as const;
for (const [address, sentence, action, id] of outcomes) {
  test(`${address} says in one sentence how it ended and has one button ${id}`, async ({ page }) => {
    await page.goto(address);
    await expect(page.getByRole('heading', { name: sentence, exact: true })).toBeVisible();
    await expect(page.locator('main').getByRole('link', { name: action })).toBeVisible();
    if (id === '[RT-029]') await expectAccessible(page);
  });
}

test('link processing fills the screen and says that it takes a moment [RT-050] [RT-100]', async ({ user: page }) => {
  await page.goto('/linkprocessing');
  await expect(page.getByRole('heading', { name: 'Linking your account. This may take a moment...' })).toBeVisible();
  await expect(page.getByRole('status', { name: 'Linking your account' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Side menu' })).toHaveCount(0);
  await page.goto('/linkprocessing/requesterror');
  await expect(page.getByRole('link', { name: 'Choose what to link' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Side menu' })).toHaveCount(0);
});

test('a mailed link that could not be checked for now is not called used, and is retried [ACC-15]', async ({ page }) => {
  await page.route(verifyEmail.path, (route) => route.abort());
  await page.goto('/account/verifyemail#token=nonsense');
  await expect(page.getByRole('heading', { name: 'Your e-mail address could not be verified' })).toBeVisible();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'This verification link is no longer valid.' })).toBeVisible();
});
