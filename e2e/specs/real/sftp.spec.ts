import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort, makeSshKey, startOpenssh } from '@sheaf/testbed';
import { test } from '../../fixtures/real-servers.ts';
import { expect } from '../../fixtures/test.ts';
import { button, fill } from '../dialogs/fields.ts';
import {
  edit,
  expectBrowsable,
  expectChanged,
  expectNoOffer,
  expectMessage,
  expectFieldError,
  nothingAt,
  question,
} from './expectations.ts';

const ask = question('SFTP server');

test('a key file: an invalid one, one with a wrong passphrase, one unknown to the server, and the right one [SFTP-08] [SFTP-09]', async ({
  user: page,
  started,
}) => {
  const [known, stranger] = await Promise.all([makeSshKey({ passphrase: 'open sesame' }), makeSshKey()]);
  const server = await started(startOpenssh({ authorizedKeys: [known.publicKey], passwordLogin: 'none' }));
  await writeFile(join(server.home, 'key.txt'), 'key');
  await page.goto('/links/sftp');
  await fill(page, { Name: 'Home server', Host: `${server.host}:${server.port}` });
  await page.getByRole('link', { name: 'Login with keyfile' }).click();
  await fill(page, { User: server.username, 'Key file contents': 'ssh-ed25519 AAAA' });
  await button(page, 'Link').click();
  await expectFieldError(
    page,
    'Key file contents',
    'The key file contents could not be read. Please paste a private key in OpenSSH or PEM form.',
  );
  await fill(page, { 'Key file contents': stranger.privateKey });
  await button(page, 'Link').click();
  await expectMessage(page, 'The server does not accept this key for this user.', ask);
  await fill(page, { 'Key file contents': known.privateKey, Passphrase: 'open barley' });
  await button(page, 'Link').click();
  await expectFieldError(page, 'Passphrase', 'The passphrase does not open the key file.');
  await fill(page, { Passphrase: 'open sesame', User: '' });
  await button(page, 'Link').click();
  await expectFieldError(page, 'User', 'Please enter a user name.');
  await fill(page, { User: server.username });
  await button(page, 'Link').click();
  await expectBrowsable(page, 'Home server', 'key.txt');
});

test('a wrong password and a closed port are distinguished, and the user may continue [SFTP-18] [SFTP-19] [SFTP-20] [ERR-21]', async ({
  user: page,
  ssh,
}) => {
  await page.goto('/links/sftp');
  await fill(page, { Name: 'Asleep', Host: `${ssh.host}:${ssh.port}` });
  await page.getByRole('link', { name: 'Login with password' }).click();
  await fill(page, { User: ssh.username, Password: 'wrong' });
  await button(page, 'Link').click();
  await expectMessage(page, 'The user name or password is not correct.', ask);
  await button(page, 'Back').click();
  const port = await freePort();
  await fill(page, { Host: `127.0.0.1:${port}` });
  await page.getByRole('link', { name: 'Login with password' }).click();
  await button(page, 'Link').click();
  const told = 'Cannot connect to SFTP server. Please check your network connection and try again later.';
  await expectMessage(page, `${told} ${nothingAt(port)}`, ask);
  await button(page, 'Continue Anyway').click();
  await expect(page.getByRole('link', { name: 'Asleep' })).toBeVisible();
});

test('a changed host key is refused, shown with its fingerprint, and accepted when the user says so', async ({ user: page, started }) => {
  const first = await startOpenssh();
  try {
    await page.goto('/links/sftp');
    await fill(page, { Name: 'Rebuilt', Host: `${first.host}:${first.port}` });
    await page.getByRole('link', { name: 'Login with password' }).click();
    await fill(page, { User: first.username, Password: first.password });
    await button(page, 'Link').click();
    await expect(page.getByRole('link', { name: 'Rebuilt' })).toBeVisible();
  } finally {
    await first.stop();
  }

  const { privateKey, publicKey } = await makeSshKey();
  const second = await started(startOpenssh({ port: first.port, hostKey: privateKey }));
  await writeFile(join(second.home, 'rebuilt.txt'), 'rebuilt');
  const told = [
    `The host key of SFTP has changed. It is now ${fingerprintOf(publicKey)}.`,
    'This happens when a server is rebuilt, or when someone intercepts the connection. Accept it only if you expected it.',
  ].join(' ');
  await edit(page, 'Rebuilt');
  await page.getByRole('link', { name: 'Login with password' }).click();
  await fill(page, { User: second.username, Password: second.password });
  await button(page, 'Save Changes').click();
  await expectMessage(page, told);
  await expectNoOffer(page);
  await button(page, 'Accept the new key').click();
  await expectChanged(page, 'Rebuilt', 'rebuilt.txt');
});

/** Fingerprint of a public key in OpenSSH's one-line format, as ssh-keygen(1) prints it. */
function fingerprintOf(publicKey: string): string {
  const [, blob = ''] = publicKey.split(' ');
  return `SHA256:${createHash('sha256').update(Buffer.from(blob, 'base64')).digest('base64').replace(/=+$/, '')}`;
}
