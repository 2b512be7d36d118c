import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { call } from '../../fixtures/call.ts';
import { expect, expectAccessible, signUp } from '../../fixtures/test.ts';
import { secretsAt, shareFromVault, signUpWithVault, test, traffic, unlock, vaultsAddress } from '../../fixtures/vaults.ts';
import { makeSpace, tokenTo } from '../spaces/actions.ts';

const passphrase = 'planted-passphrase 3f0c8d';

test('members of a Space unlock its vault with the passphrase once its owner allows it; a viewer only reads, and an editor shares items publicly', async ({
  page,
  account,
  storage,
  free,
  browser,
}) => {
  test.setTimeout(240_000);
  const person = async (name: string): Promise<{ page: Page; email: string }> => {
    const context = await browser.newContext({ baseURL: free.url, locale: 'en-GB' });
    const email = account.email.replace('mara', name.toLowerCase());
    const other = await context.newPage();
    await signUp(other, { name, email, password: 'correct horse battery' });
    return { page: other, email };
  };
  await signUpWithVault({ page, account, storage, passphrase });
  const [noor, vera] = [await person('Noor'), await person('Vera')];
  const source = await mkdtemp(join(tmpdir(), 'sheaf-files-'));
  try {
    await writeFile(join(source, 'planted-note.txt'), 'planted words of Mara');
    await writeFile(join(source, 'planted-answer.txt'), 'planted words of Noor');
    const { spaceOid } = await makeSpace(page, 'Team', '', { emails: noor.email, role: 'editor' });
    await call(noor.page, '/rest/space/accept', { token: await tokenTo(free, noor.email, '/invitation/space') });
    await call(page, '/rest/space/invite', { spaceOid, emails: vera.email, role: 'viewer' });
    await call(vera.page, '/rest/space/accept', { token: await tokenTo(free, vera.email, '/invitation/space') });
    await unlock(page, 'Letters', passphrase);
    await page.getByLabel('Files to upload').setInputFiles(join(source, 'planted-note.txt'));
    await expect(page.getByRole('button', { name: 'planted-note.txt', exact: true })).toBeVisible({ timeout: 30_000 });

    await noor.page.goto(vaultsAddress);
    await expect(noor.page.getByText('There is no encrypted folder yet')).toBeVisible();
    await page.goto(vaultsAddress);
    await page.getByRole('button', { name: 'Menu of Letters' }).click();
    await page.getByRole('menuitem', { name: 'Open to members of Spaces' }).click();
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Open to members' }).click();
    await expect(page.getByRole('listitem', { name: 'Letters' })).toContainText('also for members');

    const sent = traffic(noor.page);
    await noor.page.goto(vaultsAddress);
    await expect(noor.page.getByRole('listitem', { name: 'Letters' })).toContainText(`from ${account.name}`);
    await expectAccessible(noor.page);
    await noor.page.getByRole('button', { name: 'Menu of Letters' }).click();
    await expect(noor.page.getByRole('menuitem')).toHaveText(['Save for rclone']);
    await noor.page.keyboard.press('Escape');
    await noor.page.getByRole('listitem', { name: 'Letters' }).getByRole('link', { name: 'Unlock' }).click();
    await expect(noor.page.getByText(`A vault of ${account.name} in the Space Team.`)).toBeVisible();
    await noor.page.getByLabel('Passphrase', { exact: true }).fill('not the passphrase');
    await noor.page.getByRole('button', { name: 'Unlock', exact: true }).click();
    await expect(noor.page.getByText('This is not the passphrase of this vault.')).toBeVisible({ timeout: 30_000 });
    await unlock(noor.page, 'Letters', passphrase);
    const dialog = noor.page.getByRole('dialog');
    await noor.page.getByRole('button', { name: 'planted-note.txt', exact: true }).click();
    await expect(dialog.locator('pre')).toHaveText('planted words of Mara');
    await expect(dialog.getByText('Proven: whole')).toBeVisible();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await noor.page.getByLabel('Files to upload').setInputFiles(join(source, 'planted-answer.txt'));
    await expect(noor.page.getByRole('button', { name: 'planted-answer.txt', exact: true })).toBeVisible({ timeout: 30_000 });
    const address = await shareFromVault(noor.page, 'planted-note.txt');

    const stranger = await (await browser.newContext({ baseURL: free.url })).newPage();
    await stranger.goto(address);
    await stranger.getByRole('button', { name: 'planted-note.txt', exact: true }).click();
    await expect(stranger.getByRole('dialog').locator('pre')).toHaveText('planted words of Mara');
    await stranger.context().close();

    await unlock(vera.page, 'Letters', passphrase);
    await vera.page.getByRole('button', { name: 'planted-answer.txt', exact: true }).click();
    await expect(vera.page.getByRole('dialog').locator('pre')).toHaveText('planted words of Noor');
    await vera.page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    for (const button of ['Upload', 'New folder', 'Shared from this vault', 'Record them as they are now'])
      await expect(vera.page.getByRole('button', { name: button })).toHaveCount(0);
    await vera.page.getByRole('button', { name: 'Menu of planted-note.txt' }).click();
    await expect(vera.page.getByRole('menuitem')).toHaveText(['Download']);

    await page.getByRole('button', { name: 'Menu of Letters' }).click();
    await page.getByRole('menuitem', { name: 'Close to members' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close to members' }).click();
    await expect(page.getByRole('listitem', { name: 'Letters' })).not.toContainText('also for members');
    await noor.page.goto(vaultsAddress);
    await expect(noor.page.getByText('There is no encrypted folder yet')).toBeVisible();
    expect(await secretsAt({ free, page: noor.page, traffic: await sent() }, [passphrase, 'planted'])).toEqual([]);
  } finally {
    await noor.page.context().close();
    await vera.page.context().close();
    await rm(source, { recursive: true, force: true });
  }
});
