import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Transfer,
  addFolder,
  emailSignup,
  familyCalls,
  linkUriOf,
  oneTransfer,
  planTransfer,
  startTransfer,
  transferPlan,
} from '@sheaf/contract';
import { createRandom, eventually, run, startOpenssh, tempDir } from '@sheaf/testbed';
import { testDatabase, testEngine } from '#/testing/database.ts';
import { draftOf, sftpInfo } from '#/testing/links.ts';
import { startServer } from '#/testing/server-process.ts';
import { s3Destination, sftpDestination, sha256Of } from '#/testing/storages/destinations.ts';

const MiB = 1024 * 1024;
const seed = 1107;
/**
 * How often the server is killed. On Postgres another process waits for the lease of the killed one, up to half a minute. More kills, such as 100 on the
 * developer's machine, come while more is copied.
 */
const kills = Number(process.env['SHEAF_TEST_KILLS'] ?? (testEngine === 'sqlite' ? 5 : 1));
const isLong = kills > 10;
const largeSize = (isLong ? 4096 : 160) * MiB + 4321;
const smallFiles = isLong ? 5000 : 40;
/** Slow enough that all kills come while bytes move. */
const bytesPerSecond = (isLong ? 64 : 12) * MiB;
/** What may be sent twice of a file that was under way. */
const sentTwiceAtMost = 64 * MiB;

/** Writes a file of random bytes. */
async function fill(path: string, size: number): Promise<void> {
  await pipeline(
    (function* blocks() {
      for (let rest = size; rest > 0; rest -= MiB) yield randomBytes(Math.min(rest, MiB));
    })(),
    createWriteStream(path),
  );
}

for (const [name, start] of [
  ['SFTP', sftpDestination],
  ['S3', s3Destination],
] as const)
  test(`a transfer to ${name} survives kills of the server: nothing is lost, half visible or sent twice beyond a few parts`, async (t) => {
    const random = createRandom(seed);
    const ssh = await startOpenssh();
    t.after(() => ssh.stop());
    const from = join(ssh.home, 'from');
    await mkdir(from);
    const sums = new Map<string, string>();
    let total = 0;
    for (let index = 0; index <= smallFiles; index++) {
      const size = index === 0 ? largeSize : 20_000 + index;
      const file = index === 0 ? 'large.bin' : `small ${index}.txt`;
      await fill(join(from, file), size);
      sums.set(file, await sha256Of(join(from, file)));
      total += size;
    }
    await run('chown', ['-R', ssh.username, from]);
    await chmod(from, 0o755);
    const destination = await start(t);
    const folder = await tempDir('killed');
    t.after(() => folder.remove());
    const settings = { SHEAF_DATA_DIR: folder.path, SHEAF_DATABASE_URL: await testDatabase() };

    let server = await startServer(t, settings);
    await server.ask(emailSignup, { name: 'Mara', email: 'mara@example.org', password: 'correct horse battery' });
    const atSsh = { ...sftpInfo, server: `${ssh.host}:${ssh.port}`, username: ssh.username, password: ssh.password };
    const one = await server.ask(familyCalls.sftp.add, draftOf(atSsh, { linkName: 'From' }));
    const other = await server.ask(familyCalls[destination.family].add, draftOf(destination.info, { linkName: 'To', ...destination.more }));
    const { linkUri: target } = await server.ask(addFolder, {
      parentLinkUri: linkUriOf(other.userLinkId, '/'),
      folderName: 'to',
      conflict: 'fail',
    });
    const linkUri = linkUriOf(one.userLinkId, '/from') as unknown as string[];
    const { transferId } = await server.ask(planTransfer, {
      kind: 'copy',
      linkUri,
      parentLinkUri: target,
      conflict: 'fail',
      bytesPerSecond,
    });
    const transfer = async (): Promise<Transfer> => {
      const answer = await fetch(`${server.url}${oneTransfer.path}?transferId=${transferId}`, { headers: server.headers() });
      return ((await answer.json()) as { data: Transfer }).data;
    };
    /** Why items have failed, for the messages of this test. */
    const failed = async (): Promise<string> => {
      const answer = await fetch(`${server.url}${transferPlan.path}?transferId=${transferId}&state=failed`, { headers: server.headers() });
      return JSON.stringify([await transfer(), await answer.json()]);
    };
    await eventually(async () => (await transfer()).state === 'planned', 'the plan is made');
    await server.ask(startTransfer, { transferId });

    for (let kill = 0; kill < kills; kill++) {
      const before = destination.bytesUp();
      const moves = eventually(() => destination.bytesUp() > before + MiB, 'bytes move', 120_000);
      await moves.catch(async (error: unknown) => assert.fail(`${String(error)}: kill ${kill}, ${await failed()}`));
      await sleep(100 + random() * 900);
      await server.kill();
      for (const [file, sum] of await destination.visible('to/from')) assert.equal(sum, sums.get(file), `${file} after kill ${kill}`);
      server = await startServer(t, settings, server.cookies);
    }
    await eventually(
      async () => ['done', 'failed'].includes((await transfer()).state),
      'the transfer has ended',
      isLong ? 1_800_000 : 180_000,
    );
    const end = await transfer();
    assert.deepEqual([end.state, end.itemsDone, end.itemsFailed], ['done', smallFiles + 2, 0], await failed());
    assert.deepEqual(await destination.visible('to/from'), sums);
    const most = total * 1.05 + kills * sentTwiceAtMost;
    assert.ok(destination.bytesUp() < most, `${destination.bytesUp()} bytes were sent for ${total}`);
    t.diagnostic(`${destination.bytesUp()} bytes sent for ${total}, ${kills} kills, seed ${seed}`);
  });
