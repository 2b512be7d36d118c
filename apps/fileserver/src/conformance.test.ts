import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startFileServer } from '@sheaf/testbed';

async function check(t: TestContext, url: string, connection: string): Promise<{ readonly code: number; readonly output: string }> {
  const dir = await mkdtemp(join(tmpdir(), 'sheaf-conformance-'));
  t.after(() => rm(dir, { recursive: true }));
  await writeFile(join(dir, 'connection.json'), connection);
  const { promise, resolve } = Promise.withResolvers<{ code: number; output: string }>();
  const args = [join(import.meta.dirname, 'conformance.ts'), url, '--connection', join(dir, 'connection.json')];
  const child = execFile(process.execPath, args, (_, stdout, stderr) => resolve({ code: child.exitCode ?? -1, output: stdout + stderr }));
  return promise;
}

test('the file server passes every check of the conformance command and is left unchanged', async (t) => {
  const server = await startFileServer();
  t.after(() => server.stop());
  const { code, output } = await check(t, server.url, server.connection);
  assert.equal(code, 0, output);
  assert.ok(output.split('\n').filter((line) => line.startsWith('kept ')).length >= 20, output);
  assert.ok(!output.includes('BROKEN') && !output.includes('n/a'));
  assert.deepEqual(await readdir(server.root), []);
});

test('the conformance command names the promise that a server breaks', async (t) => {
  const server = await startFileServer();
  const careless = createServer((request, response) => {
    const {
      'if-none-match': once,
      host: _host,
      'transfer-encoding': _coding,
      'content-length': _length,
      connection: _connection,
      ...rest
    } = request.headers;
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        // Ignores the condition that the name of a new file must be free.
        const kept = once === undefined || request.method === 'PUT' ? rest : { ...rest, 'if-none-match': once };
        const headers = Object.entries(kept).map(([name, value]): [string, string] => [name, String(value)]);
        const body = request.method === 'PUT' || request.method === 'POST' ? { body: Buffer.concat(chunks) } : {};
        fetch(server.url + (request.url ?? ''), { method: request.method ?? 'GET', headers, ...body })
          .then(async (answer) => {
            const bytes = Buffer.from(await answer.arrayBuffer());
            response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(answer.status === 204 ? undefined : bytes);
          })
          .catch(() => response.destroy());
      });
  });
  await new Promise<void>((resolve) => void careless.listen(0, '127.0.0.1', resolve));
  t.after(async () => {
    careless.closeAllConnections();
    careless.close();
    await server.stop();
  });
  const { code, output } = await check(t, `http://127.0.0.1:${(careless.address() as AddressInfo).port}`, server.connection);
  assert.equal(code, 1, output);
  const broken = output.split('\n').filter((line) => line.startsWith('BROKEN'));
  assert.equal(broken.length, 1, output);
  assert.match(broken[0] ?? '', /If-None-Match: \* never replaces.*how many win is 8 instead of 1/);
});

test('a server that is not a gateway cannot be checked', async (t) => {
  const { code, output } = await check(t, 'http://127.0.0.1:1', '{"sheafGateway":1,"id":"a","secret":"b"}');
  assert.equal(code, 2);
  assert.match(output, /cannot be checked/);
});
