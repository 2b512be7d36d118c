import { once } from 'node:events';
import { type AddressInfo, type Socket, createServer } from 'node:net';
import type { Page } from '@playwright/test';
import { test } from '../../fixtures/real-servers.ts';
import { expect, expectAccessible } from '../../fixtures/test.ts';
import { button, field, fill } from '../dialogs/fields.ts';

/** A server that accepts connections and never answers. */
async function startSilent() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    socket.resume();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    /** Number of open connections. */
    held: () => sockets.size,
    stop: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

async function expectNothingLinked(page: Page): Promise<void> {
  const { activeSources } = (await (await page.request.get('/rest/ws/all_links')).json()).data;
  expect(activeSources).toEqual([]);
}

const ways: readonly (readonly [string, (page: Page) => Promise<void>])[] = [
  ['Cancel', (page) => button(page, 'Cancel').click()],
  ['Esc', (page) => page.keyboard.press('Escape')],
];
for (const [way, giveUp] of ways)
  test(`${way} cancels the check of a server that does not answer, in the browser and on the server, and nothing is linked @narrow`, async ({
    user: page,
  }) => {
    const silent = await startSilent();
    try {
      await page.goto('/links/webdav');
      await fill(page, { Server: `http://127.0.0.1:${silent.port}/dav`, Username: 'mara', Password: 'secret' });
      await button(page, 'Link').click();
      const wait = `Checking the connection to http://127.0.0.1:${silent.port}/dav and saving the link…`;
      await expect(page.getByRole('status').filter({ hasText: wait })).toBeVisible();
      await expectAccessible(page);
      await expect.poll(silent.held).toBe(1);
      await giveUp(page);
      await expect(page).toHaveURL('/links');
      await expect.poll(silent.held).toBe(0);
      await expectNothingLinked(page);
    } finally {
      silent.stop();
    }
  });

test('Back cancels the check of an SFTP server, and a refused password is not reported for the key file', async ({ user: page, ssh }) => {
  const silent = await startSilent();
  try {
    await page.goto('/links/sftp');
    await fill(page, { Host: `127.0.0.1:${silent.port}` });
    await page.getByRole('link', { name: 'Login with password' }).click();
    await fill(page, { User: 'mara', Password: 'secret' });
    await button(page, 'Link').click();
    await expect(page.getByRole('status').filter({ hasText: 'Checking the connection to' })).toBeVisible();
    await expect.poll(silent.held).toBe(1);
    await button(page, 'Back').click();
    await expect.poll(silent.held).toBe(0);
    await fill(page, { Host: `${ssh.host}:${ssh.port}` });
    await page.getByRole('link', { name: 'Login with password' }).click();
    await fill(page, { User: ssh.username, Password: 'wrong' });
    await button(page, 'Link').click();
    await expect(button(page, 'Continue Anyway')).toBeVisible();
    await button(page, 'Back').click();
    await page.getByRole('link', { name: 'Login with keyfile' }).click();
    await expect(button(page, 'Continue Anyway')).toHaveCount(0);
    await expect(page.getByRole('alert')).toHaveCount(0);
    await button(page, 'Back').click();
    await page.getByRole('link', { name: 'Login with password' }).click();
    await expect(field(page, 'Password')).toHaveValue('');
    await expectNothingLinked(page);
  } finally {
    silent.stop();
  }
});
