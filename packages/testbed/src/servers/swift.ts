import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RunningServer, accepts, freePort, startProcess, tempDir } from '../process.ts';

export interface Swift {
  readonly host: string;
  readonly port: number;
  /** `http://host:port`: the S3 endpoint, path style, region us-east-1. */
  readonly endpoint: string;
  readonly key: string;
  readonly secret: string;
  /** `versioned` keeps the versions of its objects. */
  createBucket(name: string, facts?: { readonly versioned?: boolean }): Promise<void>;
  /** Stores an object through Swift's own API, under any key. */
  putObject(bucket: string, key: string, text: string): Promise<void>;
  /** Returns the bucket's keys with the prefix, at most 10,000. */
  keys(bucket: string, prefix: string): Promise<string[]>;
  stop(): Promise<void>;
}

const debianPackage = 'swift-proxy swift-account swift-container swift-object memcached';
const kinds = ['account', 'container', 'object'] as const;
const account = { key: 'test:tester', secret: 'testing' } as const;

/**
 * OpenStack Swift with its S3 interface: an independent S3 server that checks signatures. Its four servers and memcached listen on ports of 127.0.0.1 over one temporary
 * folder, which must be on a file system with extended attributes. Hash prefix and storage policy are those of /etc/swift/swift.conf, which Debian's package brings.
 * https://docs.openstack.org/swift/latest/admin/middleware.html#module-swift.common.middleware.s3api.s3api
 */
export async function startSwift(): Promise<Swift> {
  // Another process may take one of the five free ports before it is bound: retries once.
  return startOnce().catch(startOnce);
}

async function startOnce(): Promise<Swift> {
  const folder = await tempDir('swift');
  const started: RunningServer[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(started.map((server) => server.stop()));
    await folder.remove();
  };
  const launch = async (program: Omit<Parameters<typeof startProcess>[0], 'debianPackage'>): Promise<void> => {
    started.push(await startProcess({ ...program, debianPackage }));
  };
  try {
    const ports = { account: await freePort(), container: await freePort(), object: await freePort() };
    const [proxyPort, cachePort] = [await freePort(), await freePort()];
    await mkdir(join(folder.path, 'devices', 'disk'), { recursive: true });
    await writeFile(join(folder.path, 'mime.types'), '');
    await Promise.all([
      ...kinds.map((kind) => writeFile(join(folder.path, `${kind}.conf`), storageConfig(folder.path, kind, ports[kind]))),
      writeFile(join(folder.path, 'proxy.conf'), proxyConfig(folder.path, proxyPort, cachePort)),
    ]);
    const launches = await Promise.allSettled([
      launch({ command: 'memcached', args: ['-u', 'root', '-l', '127.0.0.1', '-p', String(cachePort), '-m', '32'], ready: cachePort }),
      launch({
        // Debian's packages need Debian's Python, whatever else is installed under that name.
        command: '/usr/bin/python3',
        args: ['-c', program(ports)],
        cwd: folder.path,
        ready: async () => (await Promise.all([...Object.values(ports), proxyPort].map((port) => accepts(port)))).every(Boolean),
      }),
    ]);
    for (const one of launches) if (one.status === 'rejected') throw one.reason;
    const endpoint = `http://127.0.0.1:${proxyPort}`;
    // A token lasts a day.
    let signedIn: Promise<Session> | undefined;
    const session = () => (signedIn ??= login(endpoint));
    return {
      host: '127.0.0.1',
      port: proxyPort,
      endpoint,
      ...account,
      createBucket: async (name, { versioned = false } = {}) =>
        put(await session(), encodeURIComponent(name), undefined, versioned ? { 'x-versions-enabled': 'true' } : {}),
      putObject: async (bucket, key, text) => put(await session(), [bucket, ...key.split('/')].map(encodeURIComponent).join('/'), text),
      keys: async (bucket, prefix) => keysOf(await session(), bucket, prefix),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * A program that creates rings with one device and 2^4 partitions using Swift's builder, and then runs what the programs swift-*-server run, a process for
 * each: one program for all, because loading Swift takes most of the time that it needs to start.
 */
const program = (ports: Readonly<Record<(typeof kinds)[number], number>>): string => `
import os, signal, sys
from swift.common.utils import eventlet_monkey_patch

# Each server does so, if it is not done: it collects garbage eighteen times, which takes longer than all else.
eventlet_monkey_patch()
import swift.common.middleware.s3api.s3api
from swift.account import server as account_server
from swift.common.ring import RingBuilder
from swift.common.wsgi import run_wsgi
from swift.container import server as container_server
from swift.obj import server as object_server
from swift.proxy import server as proxy_server

for kind, port in (${kinds.map((kind) => `('${kind}', ${ports[kind]})`).join(', ')}):
    builder = RingBuilder(4, 1, 1)
    builder.add_dev(dict(id=0, region=1, zone=1, ip='127.0.0.1', port=port, device='disk', weight=1.0))
    builder.rebalance()
    builder.get_ring().save(f'{kind}.ring.gz')

options = dict(object=dict(global_conf_callback=object_server.global_conf_callback))
children = []

def stop(*_):
    for pid in children:
        os.kill(pid, signal.SIGTERM)

signal.signal(signal.SIGTERM, stop)
for kind in ('account', 'container', 'object', 'proxy'):
    pid = os.fork()
    if pid == 0:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        sys.exit(run_wsgi(os.path.abspath(f'{kind}.conf'), f'{kind}-server', **options.get(kind, {})))
    children.append(pid)
# Ends with the first server that ends.
children.remove(os.wait()[0])
stop()
for pid in children:
    os.waitpid(pid, 0)
`;

/** On a busy machine Swift would otherwise answer before a listing has what was stored, and lose connections to itself and to the cache of its tokens. */
const patience = `conn_timeout = 30
node_timeout = 60
container_update_timeout = 60`;

const storageConfig = (folder: string, kind: (typeof kinds)[number], port: number): string => `
[DEFAULT]
bind_ip = 127.0.0.1
bind_timeout = 2
bind_port = ${port}
swift_dir = ${folder}
devices = ${join(folder, 'devices')}
mount_check = false
disable_fallocate = true
workers = 0
user = root
log_level = ERROR
[pipeline:main]
pipeline = ${kind}-server
[app:${kind}-server]
use = egg:swift#${kind}
${patience}
`;

const proxyConfig = (folder: string, port: number, cachePort: number): string => `
[DEFAULT]
bind_ip = 127.0.0.1
bind_timeout = 2
bind_port = ${port}
swift_dir = ${folder}
workers = 0
user = root
log_level = ERROR
[pipeline:main]
pipeline = catch_errors cache listing_formats bulk s3api tempauth copy slo dlo versioned_writes symlink proxy-server
[app:proxy-server]
use = egg:swift#proxy
${patience}
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${cachePort}
memcache_max_connections = 32
connect_timeout = 30
pool_timeout = 30
io_timeout = 30
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:bulk]
use = egg:swift#bulk
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:copy]
use = egg:swift#copy
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
[filter:versioned_writes]
use = egg:swift#versioned_writes
allow_object_versioning = true
[filter:symlink]
use = egg:swift#symlink
`;

interface Session {
  readonly storage: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Creates a container or, with a body, an object through Swift's own API. */
async function put({ storage, headers }: Session, path: string, body?: string, more: Readonly<Record<string, string>> = {}): Promise<void> {
  const made = await fetch(`${storage}/${path}`, { method: 'PUT', headers: { ...headers, ...more }, ...(body !== undefined && { body }) });
  if (!made.ok) throw new Error(`Swift stored nothing: ${made.status} ${await made.text()}`);
}

/** https://docs.openstack.org/api-ref/object-store/#show-container-details-and-list-objects */
async function keysOf({ storage, headers }: Session, bucket: string, prefix: string): Promise<string[]> {
  const listed = await fetch(`${storage}/${encodeURIComponent(bucket)}?prefix=${encodeURIComponent(prefix)}`, { headers });
  if (!listed.ok) throw new Error(`Swift lists nothing: ${listed.status} ${await listed.text()}`);
  return (await listed.text()).split('\n').filter((key) => key !== '');
}

/** Signs in with user and password, like Swift's own clients. */
async function login(endpoint: string): Promise<Session> {
  const answer = await fetch(`${endpoint}/auth/v1.0`, { headers: { 'x-auth-user': account.key, 'x-auth-key': account.secret } });
  const [storage, token] = [answer.headers.get('x-storage-url'), answer.headers.get('x-auth-token')];
  if (!storage || !token) throw new Error(`Swift refused the login: ${answer.status}`);
  return { storage, headers: { 'x-auth-token': token } };
}
