import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { type ClientRequest, request } from 'node:http';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Call, type InputOf, type ReplyOf, emailSignup, familyCalls, linkUriOf } from '@sheaf/contract';
import { type OpensshServer, eventually, freePort, startOpenssh, tempDir } from '@sheaf/testbed';
import { systemClock } from '#/clock.ts';
import { readConfig } from '#/config.ts';
import { createLog } from '#/log.ts';
import { createServices } from '#/services.ts';
import { testDatabase } from '#/testing/database.ts';
import { draftOf, sftpInfo } from '#/testing/links.ts';
import { lease } from './notes.ts';

/** A process of the server, and its user. */
async function startServer(t: TestContext, settings: Readonly<Record<string, string>>) {
  const port = await freePort();
  const child = spawn(process.execPath, [join(import.meta.dirname, '../main.ts')], {
    env: { ...process.env, ...settings, SHEAF_PORT: String(port) },
    stdio: 'ignore',
  });
  const exit = once(child, 'exit');
  const kill = async () => {
    child.kill('SIGKILL');
    await exit;
  };
  t.after(kill);
  const base = `http://127.0.0.1:${port}`;
  await eventually(
    () =>
      fetch(`${base}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    'the server is ready',
  );
  const cookies = new Map<string, string>();
  const headers = () => ({
    cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    'x-rtag': cookies.get('sh') ?? '',
  });
  return {
    kill,
    async ask<C extends Call>({ path }: C, input: InputOf<C>): Promise<ReplyOf<C>> {
      const body = new URLSearchParams({ rTag: cookies.get('sh') ?? '', ...(input as Record<string, string>) });
      const response = await fetch(base + path, { method: 'POST', body, headers: headers() });
      for (const cookie of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        cookies.set(name, value);
      }
      const answer = (await response.json()) as { data: ReplyOf<C> };
      assert.equal(response.status, 200, JSON.stringify(answer));
      return answer.data;
    },
    /** Begins to send a file in the place of `name`, and never ends. */
    beginUpload(userLinkId: string, name: string): ClientRequest {
      const query = new URLSearchParams({ parentLinkUri: linkUriOf(userLinkId, '/'), name, conflict: 'replace' });
      const client = request(`${base}/rest/content/upload?${query.toString()}`, {
        method: 'PUT',
        headers: { ...headers(), 'content-length': String(64 << 20) },
      });
      // It breaks off with the server.
      client.on('error', () => undefined);
      client.write(Buffer.alloc(8 << 20));
      return client;
    },
  };
}

const partialsIn = async ({ home }: OpensshServer): Promise<string[]> =>
  (await readdir(home)).filter((name) => name.startsWith('.sheaf-partial-'));

test('a server that is killed in the middle of an upload clears up at the source when it is started again; the old file is whole', async (t) => {
  const openssh = await startOpenssh();
  t.after(() => openssh.stop());
  const folder = await tempDir('killed');
  t.after(() => folder.remove());
  await writeFile(join(openssh.home, 'report'), 'the old one', { mode: 0o666 });
  await writeFile(join(openssh.home, '.sheaf-partial-of-somebody'), 'not noted');
  const settings = { SHEAF_DATA_DIR: folder.path, SHEAF_DATABASE_URL: await testDatabase() };

  const server = await startServer(t, settings);
  await server.ask(emailSignup, { name: 'Mara', email: 'mara@example.org', password: 'correct horse battery' });
  const { host, port, username, password } = openssh;
  const info = { ...sftpInfo, server: `${host}:${port}`, username, password };
  const { userLinkId } = await server.ask(familyCalls.sftp.add, draftOf(info, { linkName: 'NAS' }));
  const client = server.beginUpload(userLinkId, 'report');
  const arrived = async (): Promise<boolean> => {
    const name = (await partialsIn(openssh)).find((one) => !one.endsWith('somebody'));
    return name !== undefined && (await stat(join(openssh.home, name))).size > 1 << 20;
  };
  await eventually(arrived, 'part of the upload has arrived');
  await server.kill();
  client.destroy();
  assert.equal((await partialsIn(openssh)).length, 2);

  // As if it were started again when the upload has given no sign of life for long enough.
  const again = await createServices(readConfig(settings), createLog('silent'), { now: () => systemClock() + lease + 1 });
  await again.background.idle();
  await again.close();
  assert.deepEqual((await readdir(openssh.home)).sort(), ['.sheaf-partial-of-somebody', 'report']);
  assert.equal(await readFile(join(openssh.home, 'report'), 'utf8'), 'the old one');
});
