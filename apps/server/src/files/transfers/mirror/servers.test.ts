import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmod, cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import {
  type Transfer,
  addFolder,
  exportRclone,
  familyCalls,
  linkUriOf,
  oneTransfer,
  planTransfer,
  startTransfer,
  undoTransfer,
} from '@sheaf/contract';
import { eventually, run, startOpenssh, startSwift, tempDir } from '@sheaf/testbed';
import { testApp } from '#/testing/app.ts';
import { draftOf, s3Info, sftpInfo } from '#/testing/links.ts';

const names = ['plain.txt', 'a b.txt', '#1 100%.txt', '🙂 漢字.txt', '.hidden', 'deep/er/empty.txt', 'deep/large.bin'];
const sizeOf = (name: string): number => (name.endsWith('large.bin') ? 20 * 1024 * 1024 + 17 : name.endsWith('empty.txt') ? 0 : 100_000);

test('rclone finds no difference after mirrors from SFTP to S3, nor from the first state after an undo', async (t) => {
  const [ssh, swift] = await Promise.all([startOpenssh(), startSwift()]);
  t.after(() => Promise.all([ssh.stop(), swift.stop()]));
  await swift.createBucket('photos');
  const seed = join(ssh.home, 'seed');
  const put = async (name: string, size = sizeOf(name)): Promise<void> => {
    await mkdir(dirname(join(seed, name)), { recursive: true });
    await writeFile(join(seed, name), randomBytes(size));
  };
  for (const name of names) await put(name);
  await chmod(ssh.home, 0o755);
  const own = () => run('chown', ['-R', ssh.username, ssh.home]);
  await own();

  const user = await (await testApp(t)).signUp();
  const atSsh = { ...sftpInfo, server: `${ssh.host}:${ssh.port}`, username: ssh.username, password: ssh.password };
  const from = await user.ask(familyCalls.sftp.add, draftOf(atSsh, { linkName: 'SFTP' }));
  const atS3 = { ...s3Info, host: swift.endpoint, key: swift.key, secret: swift.secret };
  const to = await user.ask(familyCalls.s3.add, draftOf(atS3, { linkName: 'S3', provider: 'S3Compat' }));
  const folder = await tempDir('mirror');
  t.after(() => folder.remove());
  const conf = join(folder.path, 'rclone.conf');
  await writeFile(conf, (await user.send(exportRclone, { password: user.password })).body);
  /** Lines of rclone, each with a mark before the name: `=` for equal files. */
  const compared = async (source: string): Promise<string[]> => {
    const options = ['--config', conf, 'check', '--download', source, 'S3:to/seed', '--combined', '-'];
    // With this setting rclone's S3 fails to start.
    const said = await run('env', ['-u', 'AWS_CA_BUNDLE', 'rclone', ...options]);
    return said.split('\n').filter(Boolean).toSorted();
  };
  const equal = (all: readonly string[]): string[] => all.map((name) => `= ${name}`).toSorted();

  const { linkUri: parentLinkUri } = await user.ask(addFolder, {
    parentLinkUri: linkUriOf(to.userLinkId, '/'),
    folderName: 'to',
    conflict: 'fail',
  });
  async function reached(transferId: string, isReached: (transfer: Transfer) => boolean): Promise<Transfer> {
    let transfer: Transfer | undefined;
    await eventually(
      async () => {
        transfer = await user.ask(oneTransfer, { transferId });
        return isReached(transfer);
      },
      'the transfer goes on',
      120_000,
    );
    assert.ok(transfer);
    return transfer;
  }
  const mirror = async (): Promise<string> => {
    const linkUri = [linkUriOf(from.userLinkId, '/seed')];
    const { transferId } = await user.ask(planTransfer, { kind: 'mirror', linkUri, parentLinkUri, conflict: 'fail' });
    await reached(transferId, ({ state }) => state === 'planned');
    await user.ask(startTransfer, { transferId });
    const { state, itemsFailed, error } = await reached(transferId, ({ endedAt }) => endedAt !== undefined);
    assert.deepEqual([state, itemsFailed, error], ['done', 0, undefined]);
    return transferId;
  };

  await mirror();
  assert.deepEqual(await compared('SFTP:seed'), equal(names));
  await cp(seed, join(ssh.home, 'first'), { recursive: true, preserveTimestamps: true });
  await put('plain.txt', 120_000);
  await put('deep/large.bin', 21 * 1024 * 1024);
  await put('new/file.txt');
  await rm(join(seed, 'a b.txt'));
  await rm(join(seed, 'deep', 'er'), { recursive: true });
  await own();
  const transferId = await mirror();
  const gone = new Set(['a b.txt', 'deep/er/empty.txt']);
  assert.deepEqual(await compared('SFTP:seed'), equal([...names.filter((name) => !gone.has(name)), 'new/file.txt']));

  await user.ask(undoTransfer, { transferId });
  assert.equal((await reached(transferId, ({ undoLeft }) => undoLeft !== undefined)).undoLeft, 0);
  assert.deepEqual(await compared('SFTP:first'), equal(names));
});
