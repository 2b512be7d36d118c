import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run, tempDir } from '@sheaf/testbed';
import { expect, expectAccessible, test } from '../fixtures/test.ts';

test('an SSH key is added in the profile and on the page of a link, signs sftp in, and is revoked; a private one is refused @narrow', async ({
  owner: page,
  storage,
}) => {
  await storage.put({ 'letter.txt': 'Dear reader' });
  const { path: folder, remove } = await tempDir('ssh-keys-spec');
  try {
    const file = join(folder, 'id_ed25519');
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file]);
    const [, fingerprint = ''] = (await run('ssh-keygen', ['-l', '-f', file])).split(' ');
    await page.goto('/account/apppasswords');
    await page.getByRole('button', { name: 'Add SSH key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Laptop');
    const field = dialog.getByLabel('Public key');
    await field.fill(await readFile(file, 'utf8'));
    await expect(dialog.getByText('This is a private key, which must stay on your device.')).toBeVisible();
    await expect(field).toHaveValue('');
    await expectAccessible(page);
    await field.fill('no key');
    await dialog.getByRole('button', { name: 'Add key' }).click();
    await expect(dialog.getByText('This is no public SSH key.')).toBeVisible();
    await dialog.locator('input[type=file]').setInputFiles(`${file}.pub`);
    await expect(field).toHaveValue(/^ssh-ed25519 /);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Add key' }).click();
    const card = page.getByRole('status').filter({ hasText: 'Laptop can read and write' });
    await expect(card).toContainText(fingerprint);
    await expectAccessible(page);
    const command = (await card.locator('dd code').allTextContents()).at(-1) ?? '';
    const [, port = '', target = ''] = /^sftp -i ~\/\.ssh\/id_ed25519 -P (\d+) (\S+)$/.exec(command) ?? [];
    const list = () => {
      const ssh = [
        '-oIdentitiesOnly=yes',
        '-oBatchMode=yes',
        '-oStrictHostKeyChecking=no',
        `-oUserKnownHostsFile=${join(folder, 'known')}`,
      ];
      const line = ['sftp', ...ssh, '-i', file, '-P', port, '-b', '-', target].map((word) => `'${word}'`).join(' ');
      return run('sh', ['-c', `echo 'ls -1 /Server' | ${line}`]);
    };
    expect(await list()).toContain('letter.txt');
    await card.getByRole('button', { name: 'Done' }).click();
    const row = page.getByRole('listitem').filter({ hasText: 'Laptop' });
    await expect(row).toContainText(`Ed25519 ${fingerprint}`);
    await expectAccessible(page);

    await page.goto('/account/mysheaf');
    await page.getByRole('button', { name: 'Menu of Server' }).click();
    await page.getByRole('menuitem', { name: 'Connect' }).click();
    await page.getByRole('button', { name: 'SFTP', exact: true }).click();
    await page.getByRole('button', { name: 'Add SSH key' }).click();
    await dialog.getByLabel('Name').fill('Desk');
    await field.fill(await readFile(`${file}.pub`, 'utf8'));
    await dialog.getByRole('button', { name: 'Add key' }).click();
    await page.getByRole('button', { name: 'With an SSH key' }).click();
    const username = await page.getByRole('status').locator('dd code').first().textContent();
    await expect(page.getByText(`User ${username}`)).toBeVisible();
    await expectAccessible(page);

    await page.getByRole('link', { name: 'All app passwords' }).click();
    await page.getByRole('button', { name: 'Revoke Desk' }).click();
    await page.getByRole('button', { name: 'Revoke Laptop' }).click();
    await expect(page.getByText('There are no app passwords yet.')).toBeVisible();
    await expect(list()).rejects.toThrow('Permission denied');
  } finally {
    await remove();
  }
});
