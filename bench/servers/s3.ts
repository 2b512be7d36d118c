import { stat } from 'node:fs/promises';
import { startSwift } from '@sheaf/testbed';
import { fetchAway, send } from '../curl.ts';
import { contentOf, fileNames } from './files.ts';
import { inTurn } from './in-turn.ts';
import { presigned } from './presigned.ts';
import type { BenchServer } from './server.ts';

const bucket = 'bench';
const region = 'us-east-1';

/** OpenStack Swift's S3 interface, slow by itself; its own client is curl with signed addresses. */
export async function startS3Server(): Promise<BenchServer> {
  const server = await startSwift();
  await server.createBucket(bucket);
  const { key, secret } = server;
  const login = { key, secret, region };
  const address = (method: 'GET' | 'PUT', port: number, name: string): string =>
    presigned(method, `http://127.0.0.1:${port}/${bucket}/${name}`, login);
  const put = (file: string, name: string, bytes: number) => send(file, address('PUT', server.port, name), bytes);
  const containers = await swiftContainers(server.endpoint);

  const behind = (port: number) => ({
    linking: {
      family: 's3' as const,
      provider: 'S3Compat',
      info: {
        host: `http://127.0.0.1:${port}`,
        bucketName: bucket,
        key,
        secret,
        defaultStorageClass: 'STANDARD',
        directoryStructure: "SIMPLE '/' DELIMITED",
        region,
      },
    },
    remote: {
      type: 's3',
      provider: 'Other',
      access_key_id: key,
      secret_access_key: secret,
      endpoint: `http://127.0.0.1:${port}`,
      region,
      force_path_style: 'true',
      no_check_bucket: 'true',
    },
    fetchDirectly: async (name: string, bytes: number) => (await fetchAway(address('GET', port, name), bytes)).seconds,
  });
  return {
    ...behind(server.port),
    behind,
    port: server.port,
    remoteFolder: bucket,
    async place(file, name) {
      const { size } = await stat(file);
      await put(file, name, size);
    },
    fill: (folder, count, size = 0) =>
      inTurn(fileNames(count), (name) => containers.request('PUT', `${folder}/${name}`, contentOf(name, size))),
    remove: (name) => containers.request('DELETE', name),
    sendDirectly: async (file, name, bytes) => (await put(file, name, bytes)).seconds,
    stop: server.stop,
  };
}

/** Swift's own interface, whose token saves signing ten thousand requests: https://docs.openstack.org/api-ref/object-store/ */
async function swiftContainers(endpoint: string) {
  const login = await fetch(`${endpoint}/auth/v1.0`, { headers: { 'x-auth-user': 'test:tester', 'x-auth-key': 'testing' } });
  const [storage, token] = [login.headers.get('x-storage-url') ?? '', login.headers.get('x-auth-token') ?? ''];
  return {
    /** Rejects unless the object is made or deleted; deleting one that is not there is no fault. */
    async request(method: 'PUT' | 'DELETE', name: string, content?: Buffer): Promise<void> {
      const body = content && { body: new Uint8Array(content) };
      const answer = await fetch(`${storage}/${bucket}/${name}`, { method, ...body, headers: { 'x-auth-token': token } });
      await answer.arrayBuffer();
      if (!answer.ok && answer.status !== 404) throw new Error(`${method} ${name}: ${answer.status}`);
    },
  };
}
