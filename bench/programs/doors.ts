import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProgramAddresses, ReplyOf, createAppPassword } from '@sheaf/contract';
import { run, tempDir } from '@sheaf/testbed';
import { exchange, fetchAway, send } from '../curl.ts';
import { type Login, type Remote, serveRemote } from '../rclone.ts';
import { timed } from '../rounds.ts';

export type Account = Pick<ReplyOf<typeof createAppPassword>, 'username' | 'password' | 'accessKeyId' | 'secretAccessKey'>;

/** One protocol by which a server, Sheaf or rclone, serves a storage to programs. */
export interface Door {
  readonly kind: 'webdav' | 's3' | 'sftp';
  /** Lists a folder of the start folder and throws the answer away; rejects unless it tells of so many entries. Absent: not measured. */
  list?(folder: string, count: number): Promise<{ readonly seconds: number; readonly first: number }>;
  /** Seconds that a file takes. */
  fetch(name: string, bytes: number): Promise<number>;
  send(file: string, name: string, bytes: number): Promise<number>;
  stop(): Promise<void>;
}

const nothingToStop = async (): Promise<void> => undefined;
const told = '<resourcetype/><getcontentlength/><getlastmodified/><getetag/>';

function davDoor(url: string, more: readonly string[], stop: Door['stop']): Door {
  const depth = ['--request', 'PROPFIND', '--header', 'Depth: 1', '--data', `<propfind xmlns="DAV:"><prop>${told}</prop></propfind>`];
  return {
    kind: 'webdav',
    async list(folder, count) {
      const { text, ...times } = await exchange(`${url}/${folder}/`, [...more, ...depth]);
      mustBe(count + 1, text.split('<D:response>').length - 1);
      return times;
    },
    fetch: async (name, bytes) => (await fetchAway(`${url}/${name}`, bytes, { more })).seconds,
    send: async (file, name, bytes) => (await send(file, `${url}/${name}`, bytes, { more })).seconds,
    stop,
  };
}

/** Signs with curl, which wants the parameters of a query in their order. */
function s3Door(bucket: string, { accessKeyId, secretAccessKey }: Account, stop: Door['stop']): Door {
  const signed = ['--aws-sigv4', 'aws:amz:us-east-1:s3', '--user', `${accessKeyId}:${secretAccessKey}`];
  const more = [...signed, '--header', 'x-amz-content-sha256: UNSIGNED-PAYLOAD'];
  return {
    kind: 's3',
    async list(folder, count) {
      let [seconds, first, keys, token] = [0, 0, 0, ''];
      do {
        const from = token === '' ? '' : `continuation-token=${encodeURIComponent(token)}&`;
        const page = await exchange(`${bucket}?${from}list-type=2&prefix=${folder}%2F`, more);
        seconds += page.seconds;
        first = Math.max(first, page.first);
        keys += page.text.split('<Contents>').length - 1;
        token = /<NextContinuationToken>([^<]*)</.exec(page.text)?.[1] ?? '';
      } while (token !== '');
      mustBe(count, keys);
      return { seconds, first };
    },
    fetch: async (name, bytes) => (await fetchAway(`${bucket}/${name}`, bytes, { more })).seconds,
    send: async (file, name, bytes) => (await send(file, `${bucket}/${name}`, bytes, { more })).seconds,
    stop,
  };
}

/** OpenSSH's client; a sign-in is in each time. */
async function sftpDoor(port: number, folder: string, { username, password }: Login, stop: Door['stop']): Promise<Door> {
  const home = await tempDir('bench-sftp-client');
  const askpass = join(home.path, 'askpass');
  await writeFile(askpass, `#!/bin/sh\necho '${password}'\n`, { mode: 0o700 });
  const unasked = ['-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null', '-o', 'LogLevel=ERROR', '-o', 'BatchMode=no'];
  const batch = join(home.path, 'batch');
  const sftp = (line: string): Promise<number> =>
    timed(async () => {
      await writeFile(batch, `${line}\n`);
      const env = [`HOME=${home.path}`, `SSH_ASKPASS=${askpass}`, 'SSH_ASKPASS_REQUIRE=force'];
      await run('env', [...env, 'sftp', '-q', ...unasked, '-P', String(port), '-b', batch, `${username}@127.0.0.1`]);
    });
  return {
    kind: 'sftp',
    fetch: (name) => sftp(`get "${folder}/${name}" /dev/null`),
    send: (file, name) => sftp(`put "${file}" "${folder}/${name}"`),
    async stop() {
      await stop();
      await home.remove();
    },
  };
}

export async function ourDoors(url: string, { dav, s3, sftp }: ProgramAddresses, account: Account): Promise<readonly Door[]> {
  const more = ['--user', `${account.username}:${account.password}`];
  return [
    davDoor(url + new URL(dav).pathname.replace(/\/$/, ''), more, nothingToStop),
    s3Door(`${url}/s3/${s3.bucket}`, account, nothingToStop),
    ...(sftp ? [await sftpDoor(sftp.port, sftp.folder, account, nothingToStop)] : []),
  ];
}

/** rclone's servers over one remote. Version 1.60 serves no S3. */
export async function rcloneDoors(remote: Remote, folder: string): Promise<readonly Door[]> {
  const login = { username: 'bench', password: 'bench' };
  const dav = await serveRemote('webdav', remote, folder, login);
  const sftp = await serveRemote('sftp', remote, folder, login);
  return [
    davDoor(dav.url, ['--user', `${login.username}:${login.password}`], dav.stop),
    await sftpDoor(Number(new URL(sftp.url).port), '', login, sftp.stop),
  ];
}

function mustBe(expected: number, found: number): void {
  if (found !== expected) throw new Error(`${found} of ${expected} entries`);
}
