import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FtpServer, certificateFor, freePort, startProftpd, startVsftpd } from '@sheaf/testbed';
import { test } from '../../fixtures/real-servers.ts';
import { expect } from '../../fixtures/test.ts';
import { button, field, fill } from '../dialogs/fields.ts';
import { certificateTexts, edit, expectBrowsable, expectTold, question } from './told.ts';

const ask = question('FTP server');
const login = ({ host, port, user, password }: FtpServer) => ({ Server: `${host}:${port}`, Username: user, Password: password });

test('a wrong password is told, overruled, put right, and the folder opens [FTP-14] [FTP-15] [FTP-16] [ERR-21]', async ({
  user: page,
  plainFtp,
}) => {
  await writeFile(join(plainFtp.home, 'plain.txt'), 'plain');
  await page.goto('/links/ftp');
  await fill(page, { ...login(plainFtp), Name: 'Print shop', Password: 'wrong' });
  await field(page, 'Protocol').selectOption('FTP');
  await button(page, 'Link FTP').click();
  await expectTold(page, 'The user name or password is not correct.', ask);
  await button(page, 'Continue Anyway').click();
  await expect(page.getByRole('link', { name: 'Print shop' })).toBeVisible();
  await edit(page, 'Print shop');
  await fill(page, { Password: plainFtp.password });
  await button(page, 'Save Changes').click();
  await expectBrowsable(page, 'Print shop', 'plain.txt');
});

test('TLS, which a new link asks for, is taken from a server that has it and missed at one that has not', async ({
  user: page,
  plainFtp,
  ftps,
}) => {
  await writeFile(join(ftps.home, 'sealed.txt'), 'sealed');
  await page.goto('/links/ftp');
  await fill(page, { ...login(plainFtp), Name: 'Sealed' });
  await button(page, 'Link FTP').click();
  await expectTold(page, certificateTexts.missing, ask);
  await fill(page, login(ftps));
  await button(page, 'Link FTP').click();
  await expectBrowsable(page, 'Sealed', 'sealed.txt');
});

test('nobody at the port is told, and the user may go on', async ({ user: page }) => {
  await page.goto('/links/ftp');
  await fill(page, { Name: 'Asleep', Server: `127.0.0.1:${await freePort()}`, Username: 'mara', Password: 'secret' });
  await button(page, 'Link FTP').click();
  await expectTold(page, 'Cannot connect to FTP server. Please check your network connection and try again later.', ask);
  await button(page, 'Continue Anyway').click();
  await expect(page.getByRole('link', { name: 'Asleep' })).toBeVisible();
});

for (const [fault, host, isSigned, start] of [
  ['name', 'other.example', true, startVsftpd],
  ['missing', '127.0.0.1', false, startProftpd],
] as const) {
  const [certificate, row] = fault === 'name' ? ['of another host', 'ERR-33'] : ['that nobody signed', 'ERR-35'];
  test(`a certificate ${certificate} is told, overruled, and taken once Valid SSL is off [FTP-02] [${row}]`, async ({
    user: page,
    authority,
    started,
  }) => {
    const server = await started(start({ tls: await certificateFor(host, isSigned ? authority : undefined) }));
    await writeFile(join(server.home, 'sealed.txt'), 'sealed');
    await page.goto('/links/ftp');
    await fill(page, { ...login(server), Name: 'Odd seal' });
    await button(page, 'Link FTP').click();
    await expectTold(page, certificateTexts[fault], ask);
    await button(page, 'Continue Anyway').click();
    await expect(page.getByRole('link', { name: 'Odd seal' })).toBeVisible();
    await edit(page, 'Odd seal');
    await button(page, 'Save Changes').click();
    await expectTold(page, certificateTexts[fault], ask);
    await page.getByLabel('Valid SSL').uncheck();
    await button(page, 'Save Changes').click();
    await expectBrowsable(page, 'Odd seal', 'sealed.txt');
  });
}
