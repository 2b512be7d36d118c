import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { run, startOpenssh, startProxy, startSwift, tempDir } from '@sheaf/testbed';
import { s3Info, sftpInfo } from '#/testing/links.ts';

/** The SHA-256 of a local file, in hexadecimal. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** Hashes of the files in a folder, by name. */
async function hashesIn(folder: string): Promise<Map<string, string>> {
  const sums = new Map<string, string>();
  for (const name of await readdir(folder).catch(() => []))
    if (!name.startsWith('.sheaf-partial-')) sums.set(name, await sha256Of(join(folder, name)));
  return sums;
}

/** A real server behind a proxy that counts bytes. */
export interface Destination {
  readonly family: 'sftp' | 's3';
  readonly info: Readonly<Record<string, string>>;
  readonly more?: Readonly<Record<string, string>>;
  /** Bytes that Sheaf has sent to it. */
  bytesUp(): number;
  /** Hashes of the visible files in the folder, by name. */
  visible(folder: string): Promise<Map<string, string>>;
}

export async function sftpDestination(t: TestContext): Promise<Destination> {
  const server = await startOpenssh();
  t.after(() => server.stop());
  const proxy = await startProxy({ target: server });
  t.after(() => proxy.stop());
  return {
    family: 'sftp',
    info: { ...sftpInfo, server: `${proxy.host}:${proxy.port}`, username: server.username, password: server.password },
    bytesUp: () => proxy.bytesUp(),
    visible: (folder) => hashesIn(join(server.home, folder)),
  };
}

export async function s3Destination(t: TestContext): Promise<Destination> {
  const swift = await startSwift();
  t.after(() => swift.stop());
  await swift.createBucket('photos');
  const proxy = await startProxy({ target: swift });
  t.after(() => proxy.stop());
  const folderOf = await tempDir('visible');
  t.after(() => folderOf.remove());
  const conf = join(folderOf.path, 'rclone.conf');
  const lines = [
    '[s3]',
    'type = s3',
    'provider = Other',
    `endpoint = ${swift.endpoint}`,
    `access_key_id = ${swift.key}`,
    `secret_access_key = ${swift.secret}`,
    'force_path_style = true',
  ];
  await writeFile(conf, lines.join('\n'));
  return {
    family: 's3',
    info: { ...s3Info, host: `http://${proxy.host}:${proxy.port}`, key: swift.key, secret: swift.secret },
    more: { provider: 'S3Compat' },
    bytesUp: () => proxy.bytesUp(),
    async visible(folder) {
      const path = join(folderOf.path, 'copy');
      await mkdir(path, { recursive: true });
      await run('env', ['-u', 'AWS_CA_BUNDLE', 'rclone', '--config', conf, 'sync', `s3:photos/${folder}`, path]).catch(() => '');
      return hashesIn(path);
    },
  };
}
