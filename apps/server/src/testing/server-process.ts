import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Call, type InputOf, type ReplyOf, linkUriOf } from '@sheaf/contract';
import { eventually, freePort, spawnOwned, tempDir } from '@sheaf/testbed';

/** A process of the server that a test looks at from outside. */
export interface ServerProcess {
  readonly child: ChildProcess;
  readonly url: string;
  /** What it has written so far. */
  output(): string;
  /** Its exit code, once it has ended. */
  ended(): Promise<number | null>;
  /** Whether it answers that it is ready. */
  isReady(): Promise<boolean>;
}

interface Options {
  readonly settings?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** Arguments of Node itself. */
  readonly nodeArgs?: readonly string[];
  /** The folder of the project; another one for another version. */
  readonly project?: string | undefined;
  /** File descriptor that gets what it writes to its standard output. */
  readonly log?: number | undefined;
}

/** Starts a process of the server in a data folder of its own. It is killed at the end of the test. */
export async function spawnServer(t: TestContext, options: Options = {}): Promise<ServerProcess> {
  const { settings = {}, args = [], nodeArgs = [], project = join(import.meta.dirname, '../../../..'), log } = options;
  const [data, port] = [await tempDir('server'), await freePort()];
  const env = { ...process.env, SHEAF_PORT: String(port), SHEAF_DATA_DIR: data.path, SHEAF_CRAWL: 'off', ...settings };
  const main = join(project, 'apps/server/src/main.ts');
  const child = spawnOwned(process.execPath, [...nodeArgs, main, ...args], { env, stdio: ['ignore', log ?? 'pipe', 'pipe'] });
  const exit = once(child, 'exit');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  t.after(async () => {
    child.kill('SIGKILL');
    await exit;
    await data.remove();
  });
  const url = `http://127.0.0.1:${port}`;
  return {
    child,
    url,
    output: () => output,
    ended: async () => (await exit)[0] as number | null,
    isReady: () =>
      fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ),
  };
}

/** Starts a process of the server, which one user uses; it is killed at the end of the test. */
export async function startServer(
  t: TestContext,
  settings: Readonly<Record<string, string>>,
  cookies = new Map<string, string>(),
  /** File descriptor that gets its log. */
  log?: number,
) {
  const server = await spawnServer(t, { settings, log });
  const { child, url: base } = server;
  await eventually(server.isReady, 'the server is ready');
  const headers = () => ({
    cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    'x-rtag': cookies.get('sh') ?? '',
  });
  return {
    async kill() {
      child.kill('SIGKILL');
      await server.ended();
    },
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
