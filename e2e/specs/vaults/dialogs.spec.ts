import { run } from '@sheaf/testbed';
import { expect, expectAccessible, signUp } from '../../fixtures/test.ts';
import { test, vaultsAddress } from '../../fixtures/vaults.ts';

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
