import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { freePort, spawnOwned, tempDir } from '@sheaf/testbed';

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
}

/** Starts a process of the server in a data folder of its own. It is killed at the end of the test. */
export async function spawnServer(t: TestContext, options: Options = {}): Promise<ServerProcess> {
  const { settings = {}, args = [], nodeArgs = [], project = join(import.meta.dirname, '../../../..') } = options;
  const [data, port] = [await tempDir('server'), await freePort()];
  const env = { ...process.env, SHEAF_PORT: String(port), SHEAF_DATA_DIR: data.path, SHEAF_CRAWL: 'off', ...settings };
  const main = join(project, 'apps/server/src/main.ts');
  const child = spawnOwned(process.execPath, [...nodeArgs, main, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
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
