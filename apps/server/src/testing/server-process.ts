import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Call, type InputOf, type ReplyOf, linkUriOf } from '@sheaf/contract';
import { eventually, freePort, spawnOwned } from '@sheaf/testbed';

/** Starts a process of the server, which one user uses; it is killed at the end of the test. */
export async function startServer(
  t: TestContext,
  settings: Readonly<Record<string, string>>,
  cookies = new Map<string, string>(),
  /** File descriptor that gets its log. */
  log?: number,
) {
  const port = await freePort();
  const child = spawnOwned(process.execPath, [join(import.meta.dirname, '../main.ts')], {
    env: { ...process.env, SHEAF_CRAWL: 'off', ...settings, SHEAF_PORT: String(port) },
    stdio: ['ignore', log ?? 'ignore', 'ignore'],
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
  const headers = () => ({
    cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    'x-rtag': cookies.get('sh') ?? '',
  });
  return {
    kill,
    cookies,
    url: base,
    headers,
    /** The exit code of the process once it has ended. */
    exitCode: () => child.exitCode,
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
