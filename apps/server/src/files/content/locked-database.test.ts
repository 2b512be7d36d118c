import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ErrorAnswer, familyCalls, getMetadata, getMore, linkUriOf, remoteUpdate } from '@sheaf/contract';
import { addSftp, draftOf, linkApp, sftpInfo } from '#/testing/links.ts';

/** Milliseconds for which another program holds the lock: longer than a write waits for it. */
const lockedFor = 6000;
/** Milliseconds; reads never wait for the lock, however busy the machine is. */
const soon = 3000;

/** Another program that takes the write lock of an SQLite file, and releases it when its input ends. */
async function lock(file: string) {
  const program = `
    const database = new (require('node:sqlite').DatabaseSync)(process.argv[1], { timeout: 60_000 });
    database.exec('begin exclusive');
    console.log('locked');
    process.stdin.resume().once('end', () => process.exit());`;
  const child = spawn(process.execPath, ['-e', program, file], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return async (): Promise<void> => {
    const ended = once(child, 'exit');
    child.stdin.end();
    await ended;
  };
}

test('while another program locks SQLite for 6 s, the process and stored folders answer as usual, and a write reports the lock', async (t) => {
  const { app, source, user, config } = await linkApp(t, { settings: { SHEAF_DATABASE_URL: '' } });
  const { userLinkId } = await addSftp(user, 'Files');
  for (let at = 0; at < 40; at++) source.put(`/file ${at}`, 'x');
  const linkUri = linkUriOf(userLinkId, '/');
  const view = { linkUri, sort: 'name', order: 'asc' } as const;
  await user.ask(remoteUpdate, { ...view, fresh: true, refresh: true, limit: 25 });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;

  const waits: number[] = [];
  const timed = async (work: () => Promise<unknown>): Promise<void> => {
    const begun = performance.now();
    await work();
    waits.push(performance.now() - begun);
  };
  const alive = async (): Promise<void> => {
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`);
    assert.equal(await answer.text(), 'ok\n');
  };
  const unlock = await lock(join(config.dataDir, 'sheaf.db'));
  const begun = performance.now();
  let isAnswered = false;
  const refused = user
    .send(familyCalls.sftp.add, draftOf({ ...sftpInfo, username: 'eve' }, { linkName: 'Other' }))
    .finally(() => (isAnswered = true));
  for (let turn = 0; !isAnswered || performance.now() - begun < lockedFor; turn++) {
    await timed(alive);
    // Another slice each time, because the last ones are cached.
    await timed(() => user.ask(getMore, { ...view, offset: turn % 30, limit: 1 + (turn % 10) }));
    await timed(() => user.ask(remoteUpdate, { ...view, fresh: false, refresh: false, limit: 25 }));
    await timed(() => user.ask(getMetadata, { linkUri: linkUriOf(userLinkId, '/file 7') }));
    await sleep(20);
  }
  const answer = await refused;
  await unlock();
  assert.deepEqual([answer.statusCode, answer.json<ErrorAnswer>().messageCode], [503, 'DATABASE_UNAVAILABLE']);
  assert.ok(Number(answer.headers['retry-after']) > 0);
  assert.ok(Math.max(...waits) < soon, `somebody waited ${Math.max(...waits)} ms`);
  assert.ok(waits.length > 40, `${waits.length} answers`);
  await addSftp(user, 'Other', { username: 'eve' });
});
