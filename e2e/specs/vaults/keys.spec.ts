import type { Page } from '@playwright/test';
import { expect, expectAccessible } from '../../fixtures/test.ts';
import { secretsAt, signUpWithVault, test, traffic, unlock, vaultsAddress } from '../../fixtures/vaults.ts';

const passphrase = 'planted-passphrase 77d0c4';

/** Adds a virtual authenticator with or without the `prf` extension. */
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

test('a passkey with the prf extension unlocks a vault, and locking closes the vault in all tabs', async ({
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

  // Each tab has its own keys; locking in one of them, or signing out, locks all.
  const other = await page.context().newPage();
  await unlock(other, 'Letters', passphrase);
  await page.getByRole('button', { name: 'Lock now' }).click();
  const areLocked = async (): Promise<void> => {
    for (const tab of [page, other]) await expect(tab.getByRole('heading', { name: 'Letters is locked' })).toBeVisible();
  };
  await areLocked();

  await page.context().clock.install();
  for (const tab of [page, other]) {
    await tab.getByLabel('Passphrase', { exact: true }).fill(passphrase);
    await tab.getByRole('button', { name: 'Unlock', exact: true }).click();
    await expect(tab.getByText('Unlocked in this browser.')).toBeVisible({ timeout: 30_000 });
  }
  const worker = page.workers().find((one) => one.url().includes('/vault-worker-'));
  await page.context().clock.fastForward('14:00');
  for (const tab of [page, other]) await expect(tab.getByText('Unlocked in this browser.')).toBeVisible();
  await page.context().clock.fastForward('02:00');
  await areLocked();
  await other.close();

  await page.goto(vaultsAddress);
  await page.getByRole('button', { name: 'Menu of Letters' }).click();
  await page.getByRole('menuitem', { name: 'Passkeys' }).click();
  await listed.getByRole('button', { name: 'Remove' }).click();
  await expect(listed).toHaveCount(0);
  expect(await secretsAt({ free, page, traffic: await sent() }, [passphrase])).toEqual([]);
  // Pages may run only our scripts; only the vault worker may compile WebAssembly.
  const policyOf = (address: string): Promise<string> =>
    page.evaluate(async (url) => (await fetch(url)).headers.get('content-security-policy') ?? '', address);
  expect((await policyOf(page.url())).split('; ')).toContain("script-src 'self'");
  expect(await policyOf(worker?.url() ?? '')).toBe("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'");
  const compiled = await page.evaluate(() =>
    WebAssembly.compile(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)).then(
      () => 'compiled',
      (error: unknown) => (error instanceof Error ? error.name : 'refused'),
    ),
  );
  expect(compiled).toBe('CompileError');
});
