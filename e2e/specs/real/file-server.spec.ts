import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@sheaf/testbed';
import { test } from '../../fixtures/real-servers.ts';
import { expect } from '../../fixtures/test.ts';
import { button, fill } from '../dialogs/fields.ts';
import { expectBrowsable, expectMessage, expectFieldError, nothingAt, question, unreached } from './expectations.ts';

const ask = question('file server');

test('the file server: a closed port and a wrong password are distinguished and can be overruled, the right one opens the folder [OFS-08] [OFS-09] [ERR-21]', async ({
  user: page,
  fileServer,
}) => {
  await writeFile(join(fileServer.root, 'shelf.txt'), 'shelf');
  await page.goto('/links/fileserver');
  const port = await freePort();
  await fill(page, { Name: 'Studio', Server: `http://127.0.0.1:${port}`, Username: fileServer.user, Password: 'wrong' });
  await button(page, 'Link Sheaf File Server').click();
  const told = 'Cannot connect to Sheaf File server. Please check your network connection and try again later.';
  await expectMessage(page, `${told} ${nothingAt(port)}`, ask);
  await fill(page, { Server: fileServer.url });
  await button(page, 'Link Sheaf File Server').click();
  await expectMessage(page, 'The user name or password is not correct.', ask);
  await expect(button(page, 'Continue Anyway')).toBeVisible();
  await fill(page, { Password: fileServer.password });
  await button(page, 'Link Sheaf File Server').click();
  await expectBrowsable(page, 'Studio', 'shelf.txt');
});

test('the gateway: address, JSON and key are reported at their fields, then it opens [GW-02] [GW-10] [GW-11] [ERR-22]', async ({
  user: page,
  fileServer,
}) => {
  await writeFile(join(fileServer.root, 'gate.txt'), 'gate');
  const bare = `${fileServer.host}:${fileServer.port}`;
  await page.goto('/links/sheafgatewaycloudstorage');
  await fill(page, { Name: 'Archive', Server: bare, 'Connection JSON': '{ "id": 1' });
  await button(page, 'Link').click();
  await expectFieldError(
    page,
    'Server',
    'No schema supplied in the server address. Please include http:// or https:// in the server address.',
  );
  await fill(page, { Server: fileServer.url });
  await button(page, 'Link').click();
  await expectFieldError(page, 'Connection JSON', 'The connection JSON is not valid.');
  const connection = JSON.parse(fileServer.connection) as Record<string, unknown>;
  await fill(page, { 'Connection JSON': JSON.stringify({ ...connection, secret: 'wrong' }) });
  await button(page, 'Link').click();
  await expectFieldError(page, 'Connection JSON', 'The access key is not valid.');
  await fill(page, { 'Connection JSON': fileServer.connection });
  await button(page, 'Link').click();
  await expectBrowsable(page, 'Archive', 'gate.txt');
});

test('for a gateway that does not answer the user is asked, and may save anyway [GW-06] [GW-07] [ERR-31]', async ({
  user: page,
  fileServer,
}) => {
  await page.goto('/links/sheafgatewaycloudstorage');
  const port = await freePort();
  await fill(page, { Name: 'Asleep', Server: `http://127.0.0.1:${port}`, 'Connection JSON': fileServer.connection });
  await button(page, 'Link').click();
  await expectMessage(page, nothingAt(port), unreached('Sheaf Gateway'));
  await button(page, 'Continue Anyway').click();
  await expect(page).toHaveURL('/browse/Asleep');
});
