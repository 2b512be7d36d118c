import { run } from '@sheaf/testbed';
import { linkFolder, sftpInfo } from '../../fixtures/storage.ts';
import { expect, expectAccessible, signUp } from '../../fixtures/test.ts';
import { signUpWithVault, test, unlock, vaultsAddress } from '../../fixtures/vaults.ts';

test('of an rclone.conf with several crypt remotes, the chosen one fills in the fields', async ({ page, account }) => {
  const obscured = async (password: string): Promise<string> => (await run('rclone', ['obscure', password])).trim();
  const conf = [
    '[storage]\ntype = s3\n',
    `[photos]\ntype = crypt\nremote = storage:photos\npassword = ${await obscured('of the photos')}\n`,
    `[archive]\ntype = crypt\nremote = storage:old\npassword = ${await obscured('of the archive')}\nfilename_encoding = base64\n`,
  ];
  await signUp(page, account);
  await page.goto(vaultsAddress);
  await page.getByRole('button', { name: 'Open an rclone folder…' }).click();
  const dialog = page.getByRole('dialog');
  const password = dialog.getByLabel('Password', { exact: false }).first();
  await dialog.getByLabel('Section of rclone.conf').fill(conf.join('\n'));
  await expect(password).toHaveValue('of the photos');
  await expect(dialog.getByLabel('Encoding')).toHaveValue('base32');
  await dialog.getByLabel('Remote', { exact: true }).selectOption('archive (storage:old)');
  await expect(password).toHaveValue('of the archive');
  await expect(dialog.getByLabel('Encoding')).toHaveValue('base64');
  await expectAccessible(page);
  await dialog.getByLabel('Section of rclone.conf').fill(conf[1] ?? '');
  await expect(dialog.getByText('those of the remote “photos”')).toBeVisible();
  await expect(password).toHaveValue('of the photos');
});

test('in a low window nothing of a field lies over the buttons of a dialog', async ({ page, account }) => {
  await page.setViewportSize({ width: 390, height: 480 });
  await signUp(page, account);
  await page.goto(vaultsAddress);
  await page.getByRole('button', { name: 'New vault' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('At least 8 characters.')).toBeVisible();
  const over = await dialog.getByRole('button', { name: 'Next' }).evaluate(async (button) => {
    const bar = button.parentElement;
    let scrolled = bar?.parentElement;
    while (scrolled && scrolled.scrollHeight <= scrolled.clientHeight + 1) scrolled = scrolled.parentElement;
    const found: string[] = [];
    let steps = 0;
    for (let top = 0; scrolled && top < scrolled.scrollHeight - scrolled.clientHeight; top += 8) {
      scrolled.scrollTop = top;
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const { left, width, y, height } = button.getBoundingClientRect();
      const there = document.elementFromPoint(left + width / 2, y + height / 2);
      if (there && !bar?.contains(there)) found.push(there.outerHTML.slice(0, 100));
      steps += 1;
    }
    return { found, steps };
  });
  expect(over.steps).toBeGreaterThan(3);
  expect(over.found).toEqual([]);
});

test('what is new in a dialog scrolls out from behind its buttons', async ({ page, account, storage }) => {
  await page.setViewportSize({ width: 1280, height: 700 });
  await storage.put({ 'Bare/': '' });
  await signUp(page, account);
  await linkFolder(page, 'Server', sftpInfo(storage.server, storage.path));
  await page.goto(vaultsAddress);
  await page.getByRole('button', { name: 'Open an rclone folder…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: /^Folder/ }).click();
  await dialog.getByRole('button', { name: /^Server/ }).click();
  await dialog.getByRole('button', { name: 'Bare', exact: true }).click();
  await dialog.getByLabel('Password', { exact: false }).first().fill('anything');
  await dialog.getByRole('button', { name: 'Add to the list' }).click();
  await expect(dialog.getByText('so they are unproven')).toBeVisible({ timeout: 20_000 });
  const isOnTop = () =>
    dialog.getByRole('alert').evaluate((notice) => {
      const { x, y, width, height } = notice.getBoundingClientRect();
      return [y + 2, y + height - 2].every((at) => notice.contains(document.elementFromPoint(x + width / 2, at)));
    });
  await expect.poll(isOnTop).toBe(true);
});

test('a vault is renamed and removed from the list; its files stay, and its recovery words open its folder again', async ({
  page,
  account,
  storage,
}) => {
  test.setTimeout(120_000);
  const passphrase = 'the way to all letters 41';
  const words = await signUpWithVault({ page, account, storage, passphrase });
  await unlock(page, 'Letters', passphrase);
  await page.getByLabel('Files to upload').setInputFiles({ name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('kept') });
  await expect(page.getByRole('button', { name: 'Menu of note.txt' })).toBeVisible();

  await page.goto(vaultsAddress);
  const dialog = page.getByRole('dialog');
  const choose = async (name: string, entry: string): Promise<void> => {
    await page.getByRole('button', { name: `Menu of ${name}` }).click();
    await page.getByRole('menuitem', { name: entry }).click();
  };
  await choose('Letters', 'Rename');
  await dialog.getByLabel('Name').fill('Post');
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await expect(page.getByRole('listitem', { name: 'Post' })).toBeVisible();
  await expect(page.getByRole('listitem', { name: 'Letters' })).toHaveCount(0);

  await choose('Post', 'Remove from the list');
  await expect(dialog.getByText('Its encrypted files stay where they are.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('listitem', { name: 'Post' })).toBeVisible();
  await choose('Post', 'Remove from the list');
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByRole('listitem', { name: 'Post' })).toHaveCount(0);

  await page.getByRole('button', { name: 'Open an rclone folder…' }).click();
  await dialog.getByRole('button', { name: /^Folder/ }).click();
  await dialog.getByRole('button', { name: /^Server/ }).click();
  await dialog.getByRole('button', { name: 'Letters', exact: true }).click();
  await dialog.getByLabel('Password', { exact: false }).first().fill(words.join(' '));
  await dialog.getByRole('button', { name: 'Add to the list' }).click();
  await expect(dialog).toHaveCount(0, { timeout: 30_000 });
  await unlock(page, 'Letters', words.join(' '));
  await expect(page.getByRole('listitem', { name: 'note.txt' })).toBeVisible();
});
