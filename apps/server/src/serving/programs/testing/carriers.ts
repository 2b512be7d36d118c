import { glob, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '@sheaf/testbed';
import { mounting, opensshOf } from './mounting.ts';
import type { Served } from './served.ts';

/** Carries all of `from` into the link "nas", and from there into `to`. */
type Carry = (one: Served) => Promise<void>;

async function rclone(
  { program }: Served,
  config: Readonly<Record<string, string>>,
): Promise<(...args: readonly string[]) => Promise<string>> {
  const env = Object.fromEntries(Object.entries(config).map(([name, value]) => [`RCLONE_CONFIG_SHEAF_${name}`, value]));
  return (...args) => program(env, 'rclone', '--config', '/dev/null', '--retries', '1', ...args);
}
const obscured = async (password: string): Promise<string> => (await run('rclone', ['obscure', password])).trim();

const rcloneWebdav: Carry = async (one) => {
  const call = await rclone(one, {
    TYPE: 'webdav',
    VENDOR: 'other',
    URL: `${one.url}/dav/nas/`,
    USER: one.username,
    PASS: await obscured(one.password),
  });
  await call('copy', one.from, 'sheaf:carried');
  await call('copy', 'sheaf:carried', one.to);
};

const rcloneS3: Carry = async (one) => {
  const call = await rclone(one, {
    TYPE: 's3',
    PROVIDER: 'Other',
    ENDPOINT: `${one.url}/s3`,
    ACCESS_KEY_ID: one.accessKeyId,
    SECRET_ACCESS_KEY: one.secretAccessKey,
    CHUNK_SIZE: '5Mi',
    UPLOAD_CUTOFF: '6Mi',
  });
  await call('copy', one.from, 'sheaf:nas/carried');
  await call('check', one.from, 'sheaf:nas/carried');
  await call('copy', 'sheaf:nas/carried', one.to);
};

const rcloneSftp: Carry = async (one) => {
  const call = await rclone(one, {
    TYPE: 'sftp',
    HOST: '127.0.0.1',
    PORT: String(one.port),
    USER: one.username,
    PASS: await obscured(one.password),
    SHELL_TYPE: 'none',
  });
  await call('copy', one.from, 'sheaf:/nas/carried');
  await call('copy', 'sheaf:/nas/carried', one.to);
};

const awsKeys = ({ accessKeyId, secretAccessKey }: Served) => ({
  AWS_ACCESS_KEY_ID: accessKeyId,
  AWS_SECRET_ACCESS_KEY: secretAccessKey,
  AWS_DEFAULT_REGION: 'us-east-1',
  AWS_EC2_METADATA_DISABLED: 'true',
});

const restic: Carry = async (one) => {
  const call = (...args: readonly string[]) =>
    one.program({ ...awsKeys(one), RESTIC_PASSWORD: 'secret' }, 'restic', '-r', `s3:${one.url}/sheaf/nas/restic`, '--no-cache', ...args);
  await call('init');
  await call('backup', one.from);
  await call('check', '--read-data');
  // It restores the whole path of what it has backed up.
  const restored = join(one.home, 'restored');
  await call('restore', 'latest', '--target', restored);
  await run('mv', [join(restored, one.from), one.to]);
};

const duplicity: Carry = async (one) => {
  const target = ['--no-encryption', '--archive-dir', join(one.home, 'archive'), '--s3-endpoint-url', `${one.url}/s3`];
  await one.program(awsKeys(one), 'duplicity', ...target, one.from, 'boto3+s3://nas/duplicity');
  await one.program(awsKeys(one), 'duplicity', 'restore', ...target, 'boto3+s3://nas/duplicity', one.to);
};

const aws: Carry = async (one) => {
  const sync = (from: string, to: string) =>
    one.program(
      awsKeys(one),
      '/usr/bin/aws',
      '--endpoint-url',
      `${one.url}/s3`,
      's3',
      'sync',
      '--no-progress',
      '--only-show-errors',
      from,
      to,
    );
  await sync(one.from, 's3://nas/aws');
  await sync('s3://nas/aws', one.to);
};

/** s3cmd takes no path in its address, so that it uses the bucket of all links. */
const s3cmd: Carry = async (one) => {
  const host = new URL(one.url).host;
  const lines = ['[default]', `access_key = ${one.accessKeyId}`, `secret_key = ${one.secretAccessKey}`, `host_base = ${host}`];
  await writeFile(join(one.home, '.s3cfg'), [...lines, `host_bucket = ${host}`, 'use_https = False', ''].join('\n'), { mode: 0o600 });
  await mkdir(one.to);
  await one.program({}, 's3cmd', 'sync', '--quiet', `${one.from}/`, 's3://sheaf/nas/s3cmd/');
  await one.program({}, 's3cmd', 'sync', '--quiet', 's3://sheaf/nas/s3cmd/', `${one.to}/`);
};

/** cadaver sends and gets single files. What it says of one that failed does not end it: the files tell. */
const cadaver: Carry = async (one) => {
  const { username, password, home, from, to } = one;
  await writeFile(join(home, '.netrc'), `machine 127.0.0.1 login ${username} password ${password}\n`, { mode: 0o600 });
  const commands: string[] = [];
  const back: string[] = [];
  for await (const entry of glob('**', { cwd: from, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(from.length + 1);
    if (entry.isDirectory()) {
      await mkdir(join(to, name), { recursive: true });
      if (name !== '') commands.push(`mkcol "${name}"`);
    } else {
      commands.push(`put "${path}" "${name}"`);
      back.push(`get "${name}" "${join(to, name)}"`);
    }
  }
  const script = join(home, 'commands');
  await writeFile(script, [...commands, ...back, 'quit', ''].join('\n'));
  await one.program({}, 'sh', '-c', 'cadaver "$0" < "$1"', `${one.url}/dav/nas/`, script);
};

const lftp: Carry = async ({ username, password, port, from, to, program }) => {
  const account = `open -u ${username},${password} sftp://127.0.0.1:${port}`;
  // It answers the question for the password on a terminal of its own.
  const settings = 'set cmd:fail-exit yes; set sftp:auto-confirm yes; set net:max-retries 1';
  await program({}, 'lftp', '-c', `${settings}; ${account}; mirror -R "${from}" /nas/lftp; mirror /nas/lftp "${to}"`);
};

const sftp: Carry = async (one) => {
  const { env, options } = await opensshOf(one);
  const batch = join(one.home, 'batch');
  await writeFile(batch, [`put -R "${one.from}" /nas/sftp`, `get -R /nas/sftp "${one.to}"`, ''].join('\n'));
  const asks = ['-o', 'BatchMode=no', '-o', 'NumberOfPasswordPrompts=1'];
  await one.program(env, 'sftp', '-q', ...options, ...asks, '-P', String(one.port), '-b', batch, `${one.username}@127.0.0.1`);
};

/** Programs that people have, with the protocol that they speak to Sheaf. */
export const carriers: Readonly<Record<string, { readonly carry: Carry; readonly mounts?: true }>> = {
  'rclone, WebDAV': { carry: rcloneWebdav },
  'rclone, S3': { carry: rcloneS3 },
  'rclone, SFTP': { carry: rcloneSftp },
  'restic, S3': { carry: restic },
  'duplicity, S3': { carry: duplicity },
  'aws, S3': { carry: aws },
  's3cmd, S3': { carry: s3cmd },
  's3fs, S3': { carry: mounting.s3fs, mounts: true },
  'davfs2, WebDAV': { carry: mounting.davfs2, mounts: true },
  'cadaver, WebDAV': { carry: cadaver },
  'lftp, SFTP': { carry: lftp },
  'sshfs, SFTP': { carry: mounting.sshfs, mounts: true },
  'sftp, SFTP': { carry: sftp },
};
