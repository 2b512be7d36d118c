import assert from 'node:assert/strict';
import { readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@sheaf/testbed';
import { type Running, type Setting, setting } from '#/testing/setting.ts';

interface View {
  readonly id: string;
  readonly folder: string;
  readonly to: string;
  readonly state: string;
  readonly sentence: string;
  readonly problem: string;
  readonly failures: readonly { readonly path: string }[];
}

const viewsOf = async ({ sheaf }: Setting): Promise<View[]> =>
  (await sheaf('status', '--json')).out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as View);
const becomes = (user: Setting, state: string): Promise<unknown> =>
  eventually(async () => (await viewsOf(user))[0]?.state === state, `the folder is ${state}`);
const textIn = (folder: string, name: string): Promise<string> => readFile(join(folder, name), 'utf8').catch(() => '');

/** The page of a running `sheaf status --serve`, requested as by a browser or by others. */
async function pageOf(running: Running) {
  const shown = (): URL | undefined => {
    const [address] = /http:\S+/.exec(running.err()) ?? [];
    return address === undefined ? undefined : new URL(address);
  };
  await eventually(async () => shown() !== undefined, 'the address is shown');
  const address = shown() ?? new URL('http://x');
  const ask = (path: string, headers: Record<string, string> = {}, body?: object) =>
    new Promise<{ status: number; text: string; headers: NodeJS.Dict<string | string[]> }>((resolve, reject) => {
      const json = body === undefined ? {} : { 'content-type': 'application/json' };
      const sent = request(
        { host: '127.0.0.1', port: address.port, path, method: body ? 'POST' : 'GET', headers: { ...json, ...headers } },
        (answer) => {
          let text = '';
          answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
          answer.once('end', () => resolve({ status: answer.statusCode ?? 0, text, headers: answer.headers }));
        },
      );
      sent.once('error', reject);
      sent.end(body && JSON.stringify(body));
    });
  const code = address.hash.slice(1);
  return {
    code,
    address,
    ask,
    async open(): Promise<Record<string, string>> {
      const { text } = await ask('/session', {}, { code });
      return { authorization: `Bearer ${(JSON.parse(text) as { token: string }).token}` };
    },
  };
}

/** Milliseconds. An unpaused watcher copies a change within two seconds, so after this time a paused one has shown that it copies nothing. */
const longerThanAChangeWaits = 2500;

test('status reports on a watched folder from a file readable by its user only; pause and resume survive a restart', async (t) => {
  const user = await setting(t);
  const { sheaf, start, source, local, kept, put } = user;
  assert.match((await sheaf('status')).err, /^No folder is copied/);
  assert.equal((await sheaf('pause')).code, 1);
  await put(local, { 'a.txt': 'one' });
  const first = start('sync', '--watch', '--to', 'Attic/copy', local);
  await becomes(user, 'resting');
  assert.match((await sheaf('status')).out, /\(sync\) to Attic\/copy\n {4}Up to date\. Last copied /);

  assert.match((await sheaf('pause', local)).err, /: paused\.\n$/);
  await becomes(user, 'paused');
  await writeFile(join(local, 'b.txt'), 'two');
  await sleep(longerThanAChangeWaits);
  assert.equal(await textIn(join(source, 'copy'), 'b.txt'), '');
  first.signal('SIGKILL');
  await first.ended;
  assert.match((await sheaf('status')).out, /Paused\. Last copied /);
  const second = start('sync', '--watch', local);
  await sleep(longerThanAChangeWaits);
  assert.equal(await textIn(join(source, 'copy'), 'b.txt'), '');
  assert.match((await sheaf('resume')).err, /: goes on\.\n$/);
  await eventually(async () => (await textIn(join(source, 'copy'), 'b.txt')) === 'two', 'the change is copied');
  await becomes(user, 'resting');

  second.signal('SIGINT');
  await second.ended;
  await becomes(user, 'stopped');
  assert.match((await sheaf('status')).out, /Nothing watches it now\. Last copied /);
  const jobs = join(kept, 'jobs');
  const { token } = JSON.parse(await readFile(join(kept, 'account.json'), 'utf8')) as { token: string };
  for (const name of await readdir(jobs)) {
    assert.equal((await stat(join(jobs, name))).mode & 0o777, 0o600, name);
    assert.ok(!(await readFile(join(jobs, name), 'utf8')).includes(token), name);
  }
  const missing = await sheaf('pause', '/nowhere');
  assert.deepEqual([missing.code, missing.err], [1, '/nowhere is not copied from here.\n']);
});

test('status names the files that could not be copied, and why a run ended; a damaged status file is ignored', async (t) => {
  const user = await setting(t);
  const { sheaf, local, kept, source, put } = user;
  await put(local, { 'a.txt': 'one', 'dir/b.txt': 'two' });
  await put(source, { 'copy/dir': 'a file in the way' });
  await sheaf('sync', '--dry-run', '--to', 'Attic', local);
  assert.deepEqual(await viewsOf(user), []);
  assert.equal((await sheaf('sync', '--to', 'Attic/copy', local)).code, 4);
  const [view] = await viewsOf(user);
  assert.deepEqual([view?.state, view?.failures.map(({ path }) => path)], ['stopped', ['dir', 'dir/b.txt']]);
  assert.match((await sheaf('status')).out, /dir\/b\.txt: Its folder could not be made\./);
  await rm(local, { recursive: true });
  await put(local, {});
  const [name = ''] = (await readdir(join(kept, 'jobs'))).filter((one) => one.endsWith('.status.json'));
  await writeFile(join(kept, 'jobs', name), '{"action":"sync"}');
  assert.deepEqual(await viewsOf(user), []);
});

test('the page is served on loopback, opens with its one-time address, shows, pauses and resumes; Ctrl-C ends it', async (t) => {
  const user = await setting(t);
  const { sheaf, start, local, put, url } = user;
  await put(local, { 'a.txt': 'one' });
  assert.equal((await sheaf('sync', '--to', 'Attic/copy', local)).code, 0);
  const running = start('status', '--serve');
  const { ask, open, address, code } = await pageOf(running);
  assert.equal(address.hostname, '127.0.0.1');
  const page = await ask('/');
  assert.deepEqual([page.status, page.headers['x-content-type-options']], [200, 'nosniff']);
  assert.match(String(page.headers['content-security-policy']), /^default-src 'none'; .*frame-ancestors 'none'$/);
  assert.ok(!page.text.includes(code) && !page.text.includes(local));
  assert.equal((await ask('/state')).status, 401);
  const token = await open();
  const { account, jobs } = JSON.parse((await ask('/state', token)).text) as { account: string; jobs: View[] };
  assert.deepEqual([account, jobs[0]?.folder, jobs[0]?.to], [url, local, 'Attic/copy']);
  assert.match(jobs[0]?.sentence ?? '', /^Nothing watches it now\. Last copied /);
  const id = jobs[0]?.id;
  assert.equal((await ask('/pause', token, { id })).status, 200);
  await becomes(user, 'paused');
  assert.equal((await ask('/resume', token, { id })).status, 200);
  await becomes(user, 'stopped');
  assert.equal((await ask('/pause', token, { id: '../../account' })).status, 404);
  running.signal('SIGINT');
  assert.equal((await running.ended).code, 130);
});

test('other sites, other host names, forms and guessed tokens get nothing; an address used twice ends the page', async (t) => {
  const user = await setting(t);
  const running = user.start('status', '--serve');
  const { ask, open, address, code } = await pageOf(running);
  const { host, port } = address;
  assert.equal((await ask('/session', {}, { code: 'guess' })).status, 403);
  const token = await open();
  for (const headers of [
    { host: `rebound.example:${port}` },
    { host: `localhost:${port}` },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: `https://${host}` },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])
    for (const path of ['/', '/state']) assert.equal((await ask(path, { ...token, ...headers })).status, 403, JSON.stringify(headers));
  assert.equal((await ask('/state', { authorization: 'Bearer guess' })).status, 401);
  assert.equal((await ask('/pause', {}, { id: 'x' })).status, 401);
  assert.equal((await ask('/pause', { ...token, 'content-type': 'text/plain' }, { id: 'x' })).status, 404);
  assert.equal((await ask('/session', { 'content-type': 'text/plain' }, { code })).status, 403);
  assert.equal((await ask('/session', {}, { code })).status, 403);
  const { code: exit, err } = await running.ended;
  assert.deepEqual([exit, /was used twice/.test(err)], [1, true]);
});
