import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmod, cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createAppPassword, familyCalls } from '@sheaf/contract';
import { run, startFileServer, startOpenssh, startSwift, tempDir } from '@sheaf/testbed';
import { hashesBelow } from '#/serving/testing/hashes.ts';
import { cannotMount, unmount } from '#/serving/testing/mounts.ts';
import { testApp } from '#/testing/app.ts';
import { draftOf, s3Info, sftpInfo } from '#/testing/links.ts';

/** SHEAF_TEST_PROGRAMS=full carries 200 MiB and 2,000 files with each program, which takes many minutes. */
const isFull = process.env['SHEAF_TEST_PROGRAMS'] === 'full';
const amount = isFull ? { files: 2000, large: 190 * 1024 * 1024 } : { files: 30, large: 7 * 1024 * 1024 };

/** Links to real servers, by the kind of link. */
const kinds = {
  async sftp(t: TestContext) {
    const server = await startOpenssh();
    t.after(() => server.stop());
    const { host, port, username, password } = server;
    return { family: 'sftp' as const, info: { ...sftpInfo, server: `${host}:${port}`, username, password, numConcurrentConnections: '5' } };
  },
  async objects(t: TestContext) {
    const server = await startSwift();
    t.after(() => server.stop());
    await server.createBucket('behind');
    const info = { ...s3Info, host: server.endpoint, bucketName: 'behind', key: server.key, secret: server.secret };
    return { family: 's3' as const, info };
  },
  async files(t: TestContext) {
    const server = await startFileServer({ keys: false });
    t.after(() => server.stop());
    return { family: 'ofs' as const, info: { server: server.url, username: server.user, password: server.password } };
  },
} as const;

/** Sheaf with a link named "nas", files to carry, and a home for programs. */
async function served(t: TestContext, kind: keyof typeof kinds) {
  const { app, services, signUp } = await testApp(t);
  const user = await signUp();
  const { family, info } = await kinds[kind](t);
  await user.ask(familyCalls[family].add, draftOf(info, { linkName: 'nas', validateConnection: false }));
  const made = await user.ask(createAppPassword, { name: 'Test', linkUri: [], rights: 'write' });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const port = await services.sftp.listen({ host: '127.0.0.1', port: 0 });
  t.after(() => services.sftp.close());
  const { path: home, remove } = await tempDir('programs');
  t.after(() => remove());
  const from = join(home, 'from');
  await mkdir(join(from, 'größe & more', 'deep'), { recursive: true });
  for (let index = 0; index < amount.files; index++)
    await writeFile(join(from, 'größe & more', index % 2 === 0 ? 'deep' : '', `file ${index}.bin`), randomBytes((index % 50) * 100));
  await writeFile(join(from, 'large.bin'), randomBytes(amount.large));
  const program = (env: Readonly<Record<string, string>>, command: string, ...args: readonly string[]) =>
    run(
      'env',
      [
        '-u',
        'AWS_CA_BUNDLE',
        `HOME=${home}`,
        'LANG=C.UTF-8',
        ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
        command,
        ...args,
      ],
      {
        cwd: home,
      },
    );
  return { ...made, url, port, home, from, program };
}
type Served = Awaited<ReturnType<typeof served>>;

/** Mounts the link in a folder. */
const mounts = { sshfs: mountSftp, s3fs: mountS3 };

/** s3fs signs no path of an endpoint, so that it uses the bucket of all links. */
async function mountS3({ url, accessKeyId, secretAccessKey, home, program }: Served, folder: string): Promise<void> {
  await writeFile(join(home, 'passwd-s3fs'), `${accessKeyId}:${secretAccessKey}\n`, { mode: 0o600 });
  const options = `passwd_file=${join(home, 'passwd-s3fs')},url=${url},use_path_request_style,multipart_size=10,sigv4`;
  await program({}, 's3fs', 'sheaf:/nas', folder, '-o', options);
}

async function mountSftp({ port, username, password, home, program }: Served, folder: string): Promise<void> {
  const askpass = join(home, 'askpass');
  await writeFile(askpass, `#!/bin/sh\necho '${password}'\n`);
  await chmod(askpass, 0o700);
  const env = { SSH_ASKPASS: askpass, SSH_ASKPASS_REQUIRE: 'force' };
  const known = ['-o', 'StrictHostKeyChecking=no', '-o', `UserKnownHostsFile=${join(home, 'known')}`];
  await program(env, 'sshfs', '-p', String(port), ...known, `${username}@127.0.0.1:/nas`, folder);
}

const reason = await cannotMount();
for (const name of ['sshfs', 's3fs'] as const)
  for (const kind of isFull ? (['sftp', 'objects', 'files'] as const) : (['files'] as const))
    test(`${name} mounts a link of the kind ${kind}, and files go there and back`, { skip: reason ?? false }, async (t) => {
      const one = await served(t, kind);
      const folder = join(one.home, 'mounted');
      await mkdir(folder);
      for (const step of ['there', 'back'] as const) {
        await mounts[name](one, folder);
        try {
          if (step === 'there') await cp(one.from, join(folder, 'copy'), { recursive: true });
          // A new mount reads what Sheaf has.
          else assert.deepEqual(await hashesBelow(join(folder, 'copy')), await hashesBelow(one.from));
        } finally {
          await unmount(folder);
        }
      }
    });

for (const kind of isFull ? (['sftp', 'objects', 'files'] as const) : (['files'] as const))
  test(`duplicity backs up and restores over S3 to a link of the kind ${kind}`, async (t) => {
    const one = await served(t, kind);
    const env = { AWS_ACCESS_KEY_ID: one.accessKeyId, AWS_SECRET_ACCESS_KEY: one.secretAccessKey, PASSPHRASE: 'secret' };
    const target = ['--no-encryption', '--archive-dir', join(one.home, 'archive'), '--s3-endpoint-url', `${one.url}/s3`];
    await one.program(env, 'duplicity', ...target, one.from, 'boto3+s3://nas/duplicity');
    await one.program(env, 'duplicity', 'restore', ...target, 'boto3+s3://nas/duplicity', join(one.home, 'to'));
    assert.deepEqual(await hashesBelow(join(one.home, 'to')), await hashesBelow(one.from));
  });
