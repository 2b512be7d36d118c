import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { test } from '../../fixtures/real-servers.ts';
import { linkFolder, sftpInfo } from '../../fixtures/storage.ts';
import { expect } from '../../fixtures/test.ts';
import { button, field, fill } from '../dialogs/fields.ts';
import { expectBrowsable, expectNoOffer, expectMessage, expectFieldError } from './expectations.ts';

const already = 'You have already linked this account.';
const again = 'Press Link again to link it once more.';
const taken = (name: string): string => `You already have a link named ${name}. Please enter a different name.`;

test('a taken name is reported at its field with the entered name, and a free one is saved [DLG-17] [ERR-20]', async ({
  owner: page,
  plainFtp,
  dav,
  swift,
  unique,
}) => {
  await writeFile(join(plainFtp.home, 'plain.txt'), 'plain');
  await swift.createBucket(`twice-${unique}`);
  const { host, port, user, password } = plainFtp;
  for (const [address, label, values] of [
    ['/links/webdav', 'Link', { Server: dav.url, Username: dav.user, Password: dav.password }],
    [
      '/links/s3compat',
      'Link',
      { Host: swift.endpoint, 'Bucket name': `twice-${unique}`, 'Access key id': swift.key, Secret: swift.secret },
    ],
    ['/links/ftp', 'Link FTP', { Server: `${host}:${port}`, Username: user, Password: password }],
  ] as const) {
    await page.goto(address);
    await fill(page, { ...values, Name: 'server' });
    if (address === '/links/ftp') await field(page, 'Protocol').selectOption('FTP');
    await button(page, label).click();
    await expectFieldError(page, 'Name', taken('server'));
  }
  await fill(page, { Name: 'Another server' });
  await button(page, 'Link FTP').click();
  await expectBrowsable(page, 'Another server', 'plain.txt');
});

test('FTP offers to link the same account again [FTP-20] [ERR-18]', async ({ user: page, plainFtp }) => {
  const link = async (name: string): Promise<void> => {
    await page.goto('/links/ftp?mode=create');
    const { host, port, user, password } = plainFtp;
    await fill(page, { Name: name, Server: `${host}:${port}`, Username: user, Password: password });
    await field(page, 'Protocol').selectOption('FTP');
    await button(page, 'Link FTP').click();
  };
  await link('First');
  await expect(page).toHaveURL('/browse/First');
  await link('Second');
  await expectMessage(page, `${already} Do you want to continue?`);
  await button(page, 'Continue Anyway').click();
  await expect(page).toHaveURL('/browse/Second');
});

test('SFTP and WebDAV report that an account is already linked and what a second press does, which it then does [ERR-19]', async ({
  user: page,
  ssh,
  dav,
}) => {
  await linkFolder(page, 'First', sftpInfo(ssh, ''));
  const { host, port, username, password } = ssh;
  await page.goto('/links/sftp?mode=create');
  await fill(page, { Name: 'Second', Host: `${host}:${port}` });
  await page.getByRole('link', { name: 'Login with password' }).click();
  await fill(page, { User: username, Password: password });
  await button(page, 'Link').click();
  await expectMessage(page, `${already} ${again}`);
  await expectNoOffer(page);
  await button(page, 'Link').click();
  await expect(page).toHaveURL('/browse/Second');

  await linkDav(page, 'Third', dav);
  await expect(page).toHaveURL('/browse/Third');
  await linkDav(page, 'Fourth', dav);
  await expectMessage(page, `${already} ${again}`);
  await expectNoOffer(page);
  await button(page, 'Link').click();
  await expect(page).toHaveURL('/browse/Fourth');
});

async function linkDav(page: Page, name: string, { url, user, password }: { url: string; user: string; password: string }): Promise<void> {
  await page.goto('/links/webdav?mode=create');
  await fill(page, { Name: name, Server: url, Username: user, Password: password });
  await button(page, 'Link').click();
}
