import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FtpServer, certificateFor, freePort, startProftpd, startVsftpd } from '@sheaf/testbed';
import { test } from '../../fixtures/real-servers.ts';
import { expect } from '../../fixtures/test.ts';
import { button, field, fill } from '../dialogs/fields.ts';
import {
  certificateTexts,
  edit,
  expectBrowsable,
  expectChanged,
  expectMessage,
  expectFieldError,
  nothingAt,
  question,
} from './expectations.ts';

const ask = question('FTP server');
const secretNeeded = 'The link would connect in another way than before. Please enter its password or key again.';
const login = ({ host, port, user, password }: FtpServer) => ({ Server: `${host}:${port}`, Username: user, Password: password });

test('a wrong password is reported, overruled, corrected, and the folder opens [FTP-14] [FTP-15] [FTP-16] [ERR-21]', async ({
  user: page,
  plainFtp,
}) => {
  await writeFile(join(plainFtp.home, 'plain.txt'), 'plain');
  await page.goto('/links/ftp');
  await fill(page, { ...login(plainFtp), Name: 'Print shop', Password: 'wrong' });
  await field(page, 'Protocol').selectOption('FTP');
  await button(page, 'Link FTP').click();
  await expectMessage(page, 'The user name or password is not correct.', ask);
  await button(page, 'Continue Anyway').click();
  await expect(page).toHaveURL('/browse/Print%20shop');
  await edit(page, 'Print shop');
  await fill(page, { Password: plainFtp.password });
  await button(page, 'Save Changes').click();
  await expectChanged(page, 'Print shop', 'plain.txt');
});

test('TLS, which a new link requires, is used with a server that supports it, and its absence is reported for one that does not', async ({
  user: page,
  plainFtp,
  ftps,
}) => {
  await writeFile(join(ftps.home, 'sealed.txt'), 'sealed');
  await page.goto('/links/ftp');
  await fill(page, { ...login(plainFtp), Name: 'Sealed' });
  await button(page, 'Link FTP').click();
  await expectMessage(page, certificateTexts.missing, ask);
  await fill(page, login(ftps));
  await button(page, 'Link FTP').click();
  await expectBrowsable(page, 'Sealed', 'sealed.txt');
});

test('a closed port is reported, and the user may continue', async ({ user: page }) => {
  await page.goto('/links/ftp');
  const port = await freePort();
  await fill(page, { Name: 'Asleep', Server: `127.0.0.1:${port}`, Username: 'mara', Password: 'secret' });
  await button(page, 'Link FTP').click();
  const told = 'Cannot connect to FTP server. Please check your network connection and try again later.';
  await expectMessage(page, `${told} ${nothingAt(port)}`, ask);
  await button(page, 'Continue Anyway').click();
  await expect(page).toHaveURL('/browse/Asleep');
});

for (const [fault, host, isSigned, start] of [
  ['name', 'other.example', true, startVsftpd],
  ['missing', '127.0.0.1', false, startProftpd],
] as const) {
  const [certificate, row] = fault === 'name' ? ['of another host', 'ERR-33'] : ['that nobody signed', 'ERR-35'];
  test(`a certificate ${certificate} is reported, overruled, and accepted once Valid SSL is off [FTP-02] [${row}]`, async ({
    user: page,
    authority,
    started,
  }) => {
    const server = await started(start({ tls: await certificateFor(host, isSigned ? authority : undefined) }));
    await writeFile(join(server.home, 'sealed.txt'), 'sealed');
    await page.goto('/links/ftp');
    await fill(page, { ...login(server), Name: 'Odd seal' });
    await button(page, 'Link FTP').click();
    const told = fault === 'name' ? `${certificateTexts.name} ${certificateTexts.otherNames}` : certificateTexts.selfSigned;
    await expectMessage(page, told, ask);
    await button(page, 'Continue Anyway').click();
    await expect(page).toHaveURL('/browse/Odd%20seal');
    await edit(page, 'Odd seal');
    await button(page, 'Save Changes').click();
    await expectMessage(page, told, ask);
    await page.getByLabel('Valid SSL').uncheck();
    await button(page, 'Save Changes').click();
    // The certificate rule has changed, so the stored password is not sent.
    await expectFieldError(page, 'Password', secretNeeded);
    await fill(page, { Password: server.password });
    await button(page, 'Save Changes').click();
    await expectChanged(page, 'Odd seal', 'sealed.txt');
  });
}

test('a certificate is trusted by its fingerprint, and the password is sent to no other server', async ({ user: page, started }) => {
  const server = await started(startProftpd({ tls: await certificateFor('127.0.0.1') }));
  await writeFile(join(server.home, 'sealed.txt'), 'sealed');
  await page.goto('/links/ftp');
  await fill(page, { ...login(server), Name: 'Trusted' });
  await button(page, 'Link FTP').click();
  await expectMessage(page, certificateTexts.selfSigned, ask);
  await expect(page.getByRole('alert').locator('code')).toHaveText(/^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/);
  await button(page, 'Trust this certificate').click();
  await expectBrowsable(page, 'Trusted', 'sealed.txt');
});
