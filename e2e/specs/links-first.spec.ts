import { startOpenssh } from '@sheaf/testbed';
import { expect, test } from '../fixtures/test.ts';
import { button, field, fill } from './dialogs/fields.ts';

test('an SFTP account is linked, its errors reported, renamed and unlinked on a real server', async ({ user: page }) => {
  const server = await startOpenssh();
  try {
    await page.goto('/account/mysheaf');
    await page.getByRole('link', { name: /^SFTP/ }).click();
    await fill(page, { Host: `${server.host}:${server.port}`, Name: 'Home server' });
    await page.getByRole('link', { name: 'Login with password' }).click();
    await fill(page, { User: server.username, Password: 'not the password' });
    await button(page, 'Link').click();
    await expect(page.getByText('The SFTP server could not validate these credentials.')).toBeVisible();
    await fill(page, { Password: server.password });
    await button(page, 'Link').click();
    await expect(page).toHaveURL('/browse/Home%20server');

    await page.goto('/account/mysheaf');
    await expect(page.getByRole('link', { name: 'Home server' })).toBeVisible();
    await page.getByRole('button', { name: 'Menu of Home server' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await fill(page, { Name: 'Cellar' });
    await page.getByRole('link', { name: 'Login with password' }).click();
    await expect(field(page, 'Password')).not.toHaveValue(server.password);
    await button(page, 'Save Changes').click();
    await expect(page.getByRole('link', { name: 'Cellar' })).toBeVisible();

    await page.getByRole('button', { name: 'Menu of Cellar' }).click();
    await page.getByRole('menuitem', { name: 'Unlink' }).click();
    await button(page, 'Yes, unlink').click();
    await expect(page.getByText('You have not linked any storage yet.')).toBeVisible();
  } finally {
    await server.stop();
  }
});
