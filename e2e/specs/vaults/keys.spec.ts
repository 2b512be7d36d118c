import type { Page } from '@playwright/test';
import { expect, expectAccessible } from '../../fixtures/test.ts';
import { secretsAt, signUpWithVault, test, traffic, unlock, vaultsAddress } from '../../fixtures/vaults.ts';

const passphrase = 'planted-passphrase 77d0c4';

/** A device whose passkeys have the function "prf", or not. */
async function plugDevice(page: Page, hasPrf: boolean): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      hasPrf,
    },
  });
  return () => session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }).then(() => undefined);
}

test('a passkey opens a vault where it has the function for it, and locking closes the vault in all tabs', async ({
  page,
  account,
  storage,
  free,
}) => {
  test.setTimeout(180_000);
  const sent = traffic(page);
  await signUpWithVault({ page, account, storage, passphrase });
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Menu of Letters' }).click();
  await page.getByRole('menuitem', { name: 'Passkeys' }).click();
  const add = async (name: string, secret: string): Promise<void> => {
    await dialog.getByLabel('Name of a new passkey').fill(name);
    await dialog.getByLabel('Passphrase').fill(secret);
    await dialog.getByRole('button', { name: 'Add passkey' }).click();
  };
  const unplug = await plugDevice(page, false);
  await add('Old key', 'not the passphrase');
  await expect(dialog.getByText('This is not the passphrase of this vault.')).toBeVisible({ timeout: 30_000 });
  await add('Old key', passphrase);
  await expect(dialog.getByText('This passkey cannot unlock vaults')).toBeVisible({ timeout: 30_000 });
  await unplug();
  await plugDevice(page, true);
  await add('My laptop', passphrase);
  const listed = dialog.getByRole('list', { name: 'Passkeys' }).getByRole('listitem', { name: 'My laptop' });
  await expect(listed).toBeVisible({ timeout: 30_000 });
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Done' }).click();

  await page.getByRole('listitem', { name: 'Letters' }).getByRole('link', { name: 'Unlock' }).click();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Unlock with a passkey' }).click();
  await expect(page.getByText('Unlocked in this browser.')).toBeVisible({ timeout: 30_000 });

  // Each tab has keys of its own; locking in one of them, or signing out, ends all.
  const other = await page.context().newPage();
  await unlock(other, 'Letters', passphrase);
  await page.getByRole('button', { name: 'Lock now' }).click();
  for (const tab of [page, other]) await expect(tab.getByRole('heading', { name: 'Letters is locked' })).toBeVisible();
  await other.close();

  await page.clock.install();
  await page.getByLabel('Passphrase', { exact: true }).fill(passphrase);
  await page.getByRole('button', { name: 'Unlock', exact: true }).click();
  await expect(page.getByText('Unlocked in this browser.')).toBeVisible({ timeout: 30_000 });
  await page.clock.fastForward('16:00');
  await expect(page.getByRole('heading', { name: 'Letters is locked' })).toBeVisible();

  await page.goto(vaultsAddress);
  await page.getByRole('button', { name: 'Menu of Letters' }).click();
  await page.getByRole('menuitem', { name: 'Passkeys' }).click();
  await listed.getByRole('button', { name: 'Remove' }).click();
  await expect(listed).toHaveCount(0);
  expect(await secretsAt({ free, page, traffic: await sent() }, [passphrase])).toEqual([]);
  // Pages may run no script but ours; the worker of vaults alone may compile WebAssembly.
  const policy = await page.evaluate(async () => (await fetch(location.href)).headers.get('content-security-policy') ?? '');
  expect(policy.split('; ')).toContain("script-src 'self'");
});
