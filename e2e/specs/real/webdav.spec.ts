import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DavServer, certificateFor, freePort, startApache } from '@sheaf/testbed';
import { test } from '../../fixtures/real-servers.ts';
import { expect } from '../../fixtures/test.ts';
import { button, field, fill } from '../dialogs/fields.ts';
import { certificateTexts, expectBrowsable, expectNoOffer, expectMessage, expectFieldError, nothingAt, unreached } from './expectations.ts';

const login = ({ url, user, password }: DavServer) => ({ Server: url, Username: user, Password: password });

test('a wrong password is reported at the password, corrected, and the folder opens [DAV-21] [ERR-21]', async ({ user: page, dav }) => {
  await writeFile(join(dav.home, 'basic.txt'), 'basic');
  await page.goto('/links/webdav');
  await fill(page, { ...login(dav), Name: 'University', Password: 'wrong' });
  await button(page, 'Link').click();
  await expectFieldError(page, 'Password', 'Invalid login credentials. Please try again.');
  await fill(page, { Password: dav.password });
  await button(page, 'Link').click();
  await expectBrowsable(page, 'University', 'basic.txt');
});

test('a server that requires another authentication type is reported at the auth type, and opens with the right one [DAV-02] [ERR-34]', async ({
  user: page,
  digestDav,
}) => {
  await writeFile(join(digestDav.home, 'digest.txt'), 'digest');
  await page.goto('/links/webdav');
  await fill(page, { ...login(digestDav), Name: 'Digest' });
  await button(page, 'Link').click();
  await expectFieldError(
    page,
    'Auth type',
    'The authentication type does not match the server. Please choose a different authentication type.',
  );
  await field(page, 'Auth type').selectOption('digest');
  await fill(page, { Password: 'wrong' });
  await button(page, 'Link').click();
  await expectFieldError(page, 'Password', 'Invalid login credentials. Please try again.');
  await fill(page, { Password: digestDav.password });
  await button(page, 'Link').click();
  await expectBrowsable(page, 'Digest', 'digest.txt');
});

test('for a closed port the user is asked, and may save anyway [DAV-13] [DAV-14] [ERR-31]', async ({ user: page }) => {
  await page.goto('/links/webdav');
  const port = await freePort();
  await fill(page, { Name: 'Asleep', Server: `https://127.0.0.1:${port}/dav`, Username: 'mara', Password: 'secret' });
  await button(page, 'Link').click();
  await expectMessage(page, nothingAt(port), unreached('WebDAV'));
  await button(page, 'Continue Anyway').click();
  await expect(page).toHaveURL('/browse/Asleep');
});

test('a path that the server does not have is reported at the server', async ({ user: page, dav }) => {
  await page.goto('/links/webdav');
  await fill(page, { ...login(dav), Server: `${dav.url}/nowhere` });
  await button(page, 'Link').click();
  await expectFieldError(page, 'Server', `"${dav.url}/nowhere" no longer exists.`);
});

for (const [fault, host, isSigned] of [
  ['name', 'other.example', true],
  ['missing', '127.0.0.1', false],
] as const) {
  const [certificate, row] = fault === 'name' ? ['of another host', 'ERR-33'] : ['that nobody signed', 'ERR-35'];
  test(`a certificate ${certificate} is reported, and accepted once Valid SSL is off [DAV-04] [${row}]`, async ({
    user: page,
    authority,
    started,
  }) => {
    const server = await started(startApache({ tls: await certificateFor(host, isSigned ? authority : undefined) }));
    await writeFile(join(server.home, 'sealed.txt'), 'sealed');
    await page.goto('/links/webdav');
    await fill(page, { ...login(server), Name: 'Odd seal' });
    await button(page, 'Link').click();
    const { name, otherNames, selfSigned } = certificateTexts;
    await expectMessage(page, ...(fault === 'name' ? [name, otherNames] : [selfSigned]));
    await expectNoOffer(page);
    await page.getByLabel('Valid SSL').uncheck();
    await button(page, 'Link').click();
    await expectBrowsable(page, 'Odd seal', 'sealed.txt');
  });
}

test('a certificate that Sheaf trusts is accepted', async ({ user: page, authority, started }) => {
  const server = await started(startApache({ tls: await certificateFor('127.0.0.1', authority) }));
  await writeFile(join(server.home, 'sealed.txt'), 'sealed');
  await page.goto('/links/webdav');
  await fill(page, { ...login(server), Name: 'Sealed' });
  await button(page, 'Link').click();
  await expectBrowsable(page, 'Sealed', 'sealed.txt');
});

test('a web server that does not speak WebDAV is reported as such', async ({ user: page, dav }) => {
  await page.goto('/links/webdav');
  await fill(page, { ...login(dav), Server: `http://${dav.host}:${dav.port}/` });
  await button(page, 'Link').click();
  await expectMessage(page, 'There is a server at this address, but it does not speak WebDAV. Please check the address and the port.');
  await expectNoOffer(page);
});
