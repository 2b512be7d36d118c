import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Call,
  type InputOf,
  type Item,
  type ReplyOf,
  cookies,
  deleteLink,
  download,
  emailSignup,
  familyCalls,
  remoteUpdate,
  upload,
} from '@sheaf/contract';
import { freePort, spawnOwned, tempDir } from '@sheaf/testbed';
import { type Answer, jsonOf, post } from './post.ts';
import type { Linking } from './servers/server.ts';

const root = join(import.meta.dirname, '..');
export const builtServer = join(root, 'apps/server/dist/main.js');

/** A built Sheaf in a process of its own. */
export interface SheafProcess {
  readonly url: string;
  readonly pid: number;
  /** Milliseconds from the start of the process to its first answer. */
  readonly readyAfter: number;
  stop(): Promise<void>;
}

/** Someone signed in there. */
export interface User {
  /** Headers that every request of the user carries. */
  readonly headers: Readonly<Record<string, string>>;
  ask<C extends Call>(call: C, input: Partial<InputOf<C>>): Promise<ReplyOf<C>>;
  /** A call that is a GET. */
  get<C extends Call>(call: C, input: Readonly<Record<string, string>>): Promise<ReplyOf<C>>;
  /** The same with the answer as it came, to be read by {@link replyOf} when no clock runs. */
  send<C extends Call>(call: C, input: Partial<InputOf<C>>): Promise<Answer>;
  /** Links a server under that name; gives the address of its start folder. */
  link(linking: Linking, name: string): Promise<string>;
  /** Unlinks the link with that start folder; a server can be linked again only then. */
  unlink(folder: string): Promise<void>;
  /** The item of that name in a folder, which the source is asked for. */
  find(folder: string, name: string): Promise<Item>;
  downloadUrl(linkUri: string): string;
  uploadUrl(folder: string, name: string): string;
}

/** Starts a built Sheaf on an empty data folder (or the given one) and waits for its first answer, asking every millisecond. */
export async function startSheaf(settings: Readonly<Record<string, string>> = {}): Promise<SheafProcess> {
  const port = settings['SHEAF_PORT'] ?? String(await freePort());
  const folder = await tempDir('bench-sheaf');
  const url = `http://127.0.0.1:${port}`;
  const env = { ...process.env, SHEAF_PORT: port, SHEAF_DATA_DIR: folder.path, SHEAF_LOG_LEVEL: 'warn', SHEAF_CRAWL: 'off', ...settings };
  const started = performance.now();
  const args = [...asStarted, ...profiling(), builtServer];
  const child = spawnOwned(process.execPath, args, { env, stdio: ['ignore', 'inherit', 'inherit'] });
  for (;;) {
    if (child.exitCode !== null) throw new Error('the server ended at once');
    const answer = await fetch(`${url}/readyz`).catch((error: unknown) => error);
    if (answer instanceof Response && answer.ok) break;
    if (performance.now() - started > 30_000) throw new Error('the server does not become ready');
    await sleep(1);
  }
  return {
    url,
    pid: child.pid ?? 0,
    readyAfter: performance.now() - started,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      await folder.remove();
    },
  };
}

/** What the call gives; throws what the server refuses with. */
export function replyOf<C extends Call>({ path }: C, answer: Answer): ReplyOf<C> {
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.body.toString()}`);
  const { data } = jsonOf(answer) as { data: ReplyOf<C> };
  return data;
}

/** The flags of `npm start`: smaller spaces for young objects keep garbage of large listings small. */
const asStarted = ['--max-semi-space-size=4', '--initial-old-space-size=48'];

/** With BENCH_PROFILE=folder every Sheaf writes a CPU profile there when it ends. */
const profiling = (): readonly string[] => {
  const folder = process.env['BENCH_PROFILE'];
  return folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}`];
};

/** Opens an account there. */
export async function signUp({ url }: SheafProcess): Promise<User> {
  const form = new URLSearchParams({ email: 'bench@halm.example', password: 'correct horse battery', name: 'Bench' });
  const answer = await fetch(url + emailSignup.path, { method: 'POST', body: form });
  if (!answer.ok) throw new Error(`no account: ${await answer.text()}`);
  const pairs = answer.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
  const tag = pairs.find((pair) => pair.startsWith(`${cookies.tag}=`))?.slice(cookies.tag.length + 1) ?? '';
  const headers = { cookie: pairs.join('; '), 'x-rtag': decodeURIComponent(tag) };
  const address = (path: string, query: Readonly<Record<string, string>>): string =>
    `${url}${path}?${new URLSearchParams(query).toString()}`;

  const send = (call: Call, input: object): Promise<Answer> => post(url + call.path, input, headers);
  const ask = async <C extends Call>(call: C, input: Partial<InputOf<C>>): Promise<ReplyOf<C>> => replyOf(call, await send(call, input));
  return {
    headers,
    send,
    ask,
    async get<C extends Call>({ path }: C, input: Readonly<Record<string, string>>) {
      const answered = await fetch(address(path, input), { headers });
      const body = (await answered.json()) as { readonly data: ReplyOf<C> };
      if (!answered.ok) throw new Error(`${path}: ${answered.status}`);
      return body.data;
    },
    async link({ family, provider, info }, name) {
      const draft = { connectionInfo: JSON.stringify(info), linkName: name, provider };
      return (await ask(familyCalls[family].add, draft)).linkUri;
    },
    async unlink(folder) {
      await ask(deleteLink, { userLinkId: folder.slice(1) });
    },
    async find(folder, name) {
      const { items } = await ask(remoteUpdate, { linkUri: folder, fresh: true, limit: 1000 });
      const found = items.find((item) => item.name === name);
      if (!found) throw new Error(`${name} is not in the folder`);
      return found;
    },
    downloadUrl: (linkUri) => address(download.path, { linkUri }),
    uploadUrl: (folder, name) => address(upload.path, { parentLinkUri: folder, name, conflict: 'replace' }),
  };
}
