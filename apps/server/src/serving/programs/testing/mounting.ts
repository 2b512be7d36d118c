import { chmod, cp, mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { unmount } from '#/serving/testing/mounts.ts';
import type { Served } from './served.ts';

type Mount = (one: Served, folder: string) => Promise<void>;

/** A program that answers OpenSSH's question for the password, and the options of a client that knows no host yet. */
export async function opensshOf({ home, password }: Served): Promise<{ env: Record<string, string>; options: string[] }> {
  const askpass = join(home, 'askpass');
  await writeFile(askpass, `#!/bin/sh\necho '${password}'\n`);
  await chmod(askpass, 0o700);
  return {
    env: { SSH_ASKPASS: askpass, SSH_ASKPASS_REQUIRE: 'force' },
    options: ['-o', 'StrictHostKeyChecking=no', '-o', `UserKnownHostsFile=${join(home, 'known')}`],
  };
}

async function mountSshfs(one: Served, folder: string): Promise<void> {
  const { env, options } = await opensshOf(one);
  await one.program(env, 'sshfs', '-p', String(one.port), ...options, `${one.username}@127.0.0.1:/nas`, folder);
}

/** s3fs signs no path of an endpoint, so that it uses the bucket of all links. */
async function mountS3fs({ url, accessKeyId, secretAccessKey, home, program }: Served, folder: string): Promise<void> {
  await writeFile(join(home, 'passwd-s3fs'), `${accessKeyId}:${secretAccessKey}\n`, { mode: 0o600 });
  const options = `passwd_file=${join(home, 'passwd-s3fs')},url=${url},use_path_request_style,multipart_size=10,sigv4`;
  await program({}, 's3fs', 'sheaf:/nas', folder, '-o', options);
}

async function mountDavfs({ url, username, password, home, program }: Served, folder: string): Promise<void> {
  const address = `${url}/dav/nas/`;
  const [secrets, conf] = [join(home, 'davfs-secrets'), join(home, 'davfs2.conf')];
  await writeFile(secrets, `${address} ${username} ${password}\n`, { mode: 0o600 });
  // A new cache for each mount; davfs2 becomes a user of its own, which has to reach it.
  const cache = await mkdtemp(join(home, 'davfs-cache-'));
  await chmod(home, 0o711);
  await chmod(cache, 0o777);
  const lines = [`secrets ${secrets}`, `cache_dir ${cache}`, 'ask_auth 0', ''];
  await writeFile(conf, lines.join('\n'), { mode: 0o600 });
  await program({}, 'mount', '-t', 'davfs', '-o', `conf=${conf}`, address, folder);
}

const copyAll = (from: string, to: string): Promise<void> => cp(from, to, { recursive: true });

/** Copies to `to` what has the paths of the files below `like`, and lists no folder of `from`. */
const copyLike = (like: string) => async (from: string, to: string) => {
  for (const entry of await readdir(like, { recursive: true, withFileTypes: true })) {
    const path = relative(like, join(entry.parentPath, entry.name));
    if (entry.isFile()) await cp(join(from, path), join(to, path));
  }
};

const carryMounted = (mount: Mount, copyBack: (one: Served) => (from: string, to: string) => Promise<void>) => async (one: Served) => {
  const folder = join(one.home, 'mounted');
  const place = join(folder, 'copy');
  await mkdir(folder);
  // A new mount reads what Sheaf has, and not what the program remembers.
  for (const step of ['there', 'back'] as const) {
    await mount(one, folder);
    try {
      await (step === 'there' ? copyAll(one.from, place) : copyBack(one)(place, one.to));
    } finally {
      await unmount(folder);
    }
  }
};

/** Programs that make a folder of a link. davfs2 1.6 lists no folder on Linux 6.18, whatever the server: EINVAL, as with Apache's. */
export const mounting = {
  sshfs: carryMounted(mountSshfs, () => copyAll),
  s3fs: carryMounted(mountS3fs, () => copyAll),
  davfs2: carryMounted(mountDavfs, ({ from }) => copyLike(from)),
};
