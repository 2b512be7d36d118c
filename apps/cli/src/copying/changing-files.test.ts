import assert from 'node:assert/strict';
import { mkdtemp, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createClient } from '#/client.ts';
import { createHttp } from '#/http.ts';
import { syncing } from '#/testing/syncing.ts';
import { sendFile } from './send-file.ts';

test('a file that changes during its first copy is copied again, even if size and time at the destination match', async (t) => {
  const { root, run, hooks } = await syncing(t);
  const file = join(root, 'disk.img');
  const began = new Date('2026-01-02T03:04:05Z');
  await writeFile(file, 'old');
  await utimes(file, began, began);
  hooks.afterReading = async () => {
    await writeFile(file, 'new');
    await utimes(file, began, new Date(began.getTime() + 1000));
  };
  const first = await run();
  assert.deepEqual([first.copied, first.failed], [0, 1]);
  hooks.afterReading = async () => {};
  const second = await run();
  assert.deepEqual([second.copied, second.unchanged], [1, 0]);
});

test('a file that shrinks while it is sent fails at once: the server does not wait for the rest', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-shorter-'));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'log');
  await writeFile(file, Buffer.alloc(64 << 20));
  const server = createServer((request, response) => {
    request.once('data', () => {
      request.pause();
      void truncate(file, 1000).then(() => request.resume());
    });
    request.on('end', () => response.end('{"data":{}}'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const http = createHttp();
  t.after(() => {
    http.close();
    server.close();
    server.closeAllConnections();
  });
  const client = createClient(http, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  const target = { parentLinkUri: 'x:', name: 'log', conflict: 'replace' } as const;
  await assert.rejects(sendFile(client, file, target, AbortSignal.timeout(20_000)), /It changed while it was copied/);
});
