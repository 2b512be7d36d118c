import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { run, tempDir } from '@sheaf/testbed';
import { hashesBelow } from '#/serving/testing/hashes.ts';
import { type LinkKind, linkOfKind } from '#/serving/testing/link-kinds.ts';
import { testApp } from '#/testing/app.ts';

const region = 'us-east-1';
const largest = 12 * 1024 * 1024;
/** Files of all sorts: unusual names, empty ones, one that is sent in parts. */
async function makeFiles(folder: string): Promise<void> {
  await mkdir(join(folder, 'größe & more', 'deep'), { recursive: true });
  for (let index = 0; index < 40; index++)
    await writeFile(join(folder, 'größe & more', index % 2 === 0 ? 'deep' : '', `file #${index} 100%+.bin`), randomBytes(index * 100));
  await writeFile(join(folder, 'large.bin'), randomBytes(largest));
}

/** Sheaf with a link named after its kind, and programs that use it. */
async function served(t: TestContext, kind: LinkKind) {
  const app = await testApp(t);
  const user = await app.signUp();
  const keys = await linkOfKind(t, user, kind, kind);
  const url = await app.app.listen({ host: '127.0.0.1', port: 0 });
  const folder = await tempDir('s3-programs');
  t.after(() => folder.remove());
  const { accessKeyId, secretAccessKey } = keys;
  const env = {
    HOME: folder.path,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_DEFAULT_REGION: region,
    AWS_EC2_METADATA_DISABLED: 'true',
    RESTIC_PASSWORD: 'secret',
    RCLONE_CONFIG_SHEAF_TYPE: 's3',
    RCLONE_CONFIG_SHEAF_PROVIDER: 'Other',
    RCLONE_CONFIG_SHEAF_ENDPOINT: `${url}/s3`,
    RCLONE_CONFIG_SHEAF_ACCESS_KEY_ID: accessKeyId,
    RCLONE_CONFIG_SHEAF_SECRET_ACCESS_KEY: secretAccessKey,
  };
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const program = (command: string, ...args: readonly string[]) =>
    run('env', ['-u', 'AWS_CA_BUNDLE', ...variables, command, ...args], { cwd: folder.path });
  const files = join(folder.path, 'from');
  await makeFiles(files);
  return { url, folder: folder.path, files, program, accessKeyId, secretAccessKey };
}

for (const kind of ['sftp', 'objects', 'files'] as const)
  test(`rclone and restic carry files there and back over a link of the kind ${kind}`, async (t) => {
    const { url, folder, files, program } = await served(t, kind);
    const rclone = (...args: readonly string[]) =>
      program('rclone', '--retries', '1', '--s3-upload-cutoff', '6M', '--s3-chunk-size', '5M', ...args);
    const remote = `sheaf:${kind}/backup`;
    await rclone('copy', files, remote);
    await rclone('check', '--download', files, remote);
    await rclone('check', files, remote);
    await rm(join(files, 'größe & more', 'deep', 'file #2 100%+.bin'));
    await writeFile(join(files, 'größe & more', 'new.txt'), 'new');
    const said = await rclone('sync', '-v', '--use-json-log', files, remote);
    assert.ok(!said.includes('large.bin'));
    await rclone('moveto', `${remote}/large.bin`, `${remote}/moved.bin`);
    await rclone('moveto', `${remote}/moved.bin`, `${remote}/large.bin`);
    await rclone('sync', remote, join(folder, 'to'));
    assert.deepEqual(await hashesBelow(join(folder, 'to')), await hashesBelow(files));

    const restic = (...args: readonly string[]) => program('restic', '-r', `s3:${url}/sheaf/${kind}/restic`, '--no-cache', ...args);
    await restic('init');
    await restic('backup', files);
    await restic('check', '--read-data');
    await restic('restore', 'latest', '--target', join(folder, 'restored'));
    assert.deepEqual(await hashesBelow(join(folder, 'restored', files)), await hashesBelow(files));
    await restic('forget', 'latest', '--prune');
    await restic('check');
  });

test('aws and s3cmd carry files there and back', async (t) => {
  const { url, folder, files, program, accessKeyId, secretAccessKey } = await served(t, 'sftp');
  const aws = (...args: readonly string[]) => program('/usr/bin/aws', '--endpoint-url', `${url}/s3`, ...args);
  await aws('s3', 'sync', '--no-progress', files, 's3://sftp/aws');
  await aws('s3', 'sync', '--no-progress', 's3://sftp/aws', join(folder, 'to'));
  assert.deepEqual(await hashesBelow(join(folder, 'to')), await hashesBelow(files));
  await aws('s3', 'rm', '--recursive', '--only-show-errors', 's3://sftp/aws');
  assert.equal(
    (await aws('s3api', 'list-objects-v2', '--bucket', 'sftp', '--no-paginate', '--prefix', 'aws/', '--query', 'KeyCount')).trim(),
    '0',
  );

  const host = url.replace('http://', '');
  const config = `[default]\naccess_key = ${accessKeyId}\nsecret_key = ${secretAccessKey}\nhost_base = ${host}\nhost_bucket = ${host}\nuse_https = False\n`;
  await writeFile(join(folder, '.s3cfg'), config);
  await program('s3cmd', 'sync', '--quiet', `${files}/`, 's3://sheaf/sftp/s3cmd/');
  assert.ok(!(await program('s3cmd', 'sync', '--dry-run', `${files}/`, 's3://sheaf/sftp/s3cmd/')).includes('upload:'), 'tags are MD5s');
  await mkdir(join(folder, 's3cmd'));
  await program('s3cmd', 'sync', '--quiet', 's3://sheaf/sftp/s3cmd/', `${join(folder, 's3cmd')}/`);
  assert.deepEqual(await hashesBelow(join(folder, 's3cmd')), await hashesBelow(files));
});
