import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type RequestListener, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createDialer } from '../../kit/net/dialer.ts';
import { parseAzureConfig } from './config.ts';
import { openAzure } from './connector.ts';

const ask = () => ({ signal: AbortSignal.timeout(10_000) });

/** Opens a container on a server with the given request handler. */
async function against(t: TestContext, answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = parseAzureConfig({ host, bucketName: 'files', key: 'account', secret: 'c2VjcmV0' });
  const connector = openAzure(config, { dialer: createDialer({ privateNetworks: 'allow' }) });
  t.after(async () => {
    await connector.close();
    server.close();
  });
  return connector;
}

const blobOf = (name: string): string => `<Blob><Name>${name}</Name><Properties><Content-Length>1</Content-Length></Properties></Blob>`;

test('a folder whose listing begins with an empty page exists', async (t) => {
  const connector = await against(t, ({ method, url = '' }, response) => {
    const isLast = url.includes('marker=on');
    if (method === 'HEAD') response.writeHead(404, { 'x-ms-error-code': 'BlobNotFound' }).end();
    else
      response.end(
        `<EnumerationResults><Blobs>${isLast ? blobOf('folder/file') : ''}</Blobs><NextMarker>${isLast ? '' : 'on'}</NextMarker></EnumerationResults>`,
      );
  });
  assert.equal((await connector.stat('/folder', ask())).kind, 'folder');
});

test('in an account with a hierarchical namespace a folder is deleted with all its directories', async (t) => {
  const directories = new Set(['dir', 'dir/sub', 'dir/sub/deep', 'other']);
  const files = new Set(['dir/file', 'dir/sub/deep/file', 'other/file']);
  const under = (prefix: string): string[] => [...directories, ...files].filter((name) => name.startsWith(prefix)).sort();
  const connector = await against(t, ({ method, url = '', headers }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://service');
    const name = pathname.replace(/^\/account\/files\/?/, '');
    const refuse = (status: number, code: string) => response.writeHead(status, { 'x-ms-error-code': code }).end();
    if (method === 'GET')
      response.end(
        `<EnumerationResults><Blobs>${under(searchParams.get('prefix') ?? '')
          .map(blobOf)
          .join('')}</Blobs></EnumerationResults>`,
      );
    else if (!directories.has(name) && !files.has(name)) refuse(404, 'BlobNotFound');
    else if (method === 'HEAD') response.writeHead(200, directories.has(name) ? { 'x-ms-meta-hdi_isfolder': 'true' } : {}).end();
    else if (directories.has(name) && 'x-ms-delete-snapshots' in headers) refuse(400, 'OperationNotSupportedOnDirectory');
    else if (directories.has(name) && under(`${name}/`).length > 0) refuse(409, 'DirectoryIsNotEmpty');
    else response.writeHead(directories.delete(name) || files.delete(name) ? 202 : 404).end();
  });
  await connector.remove?.('/dir', ask());
  assert.deepEqual(under(''), ['other', 'other/file']);
});

test('a copy cancelled while the service makes it leaves no empty blob, and none is treated as complete before it is', async (t) => {
  const states: Record<string, string> = { a: 'success' };
  const seen: string[] = [];
  const controller = new AbortController();
  const connector = await against(t, ({ method, url = '', headers }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://service');
    const name = pathname.replace(/^\/account\/files\/?/, '');
    const state = states[name];
    if (method === 'GET') response.end(`<EnumerationResults><Blobs></Blobs></EnumerationResults>`);
    else if (method === 'HEAD' && state === undefined) response.writeHead(404, { 'x-ms-error-code': 'BlobNotFound' }).end();
    else if (method === 'HEAD') {
      response.writeHead(200, { 'x-ms-copy-status': state, 'x-ms-copy-id': 'c1', 'content-length': '9', etag: '"e1"' }).end();
      if (state === 'pending') controller.abort();
    } else if (searchParams.get('comp') === 'copy') {
      states[name] = 'aborted';
      response.writeHead(204).end();
    } else if (method === 'PUT') {
      states[name] = 'pending';
      response.writeHead(202, { 'x-ms-copy-status': 'pending', 'x-ms-copy-id': 'c1' }).end();
    } else {
      seen.push(`${method} ${name} ${headers['if-match']}`);
      delete states[name];
      response.writeHead(202).end();
    }
  });
  await assert.rejects(async () => connector.copy?.('/a', '/b', { signal: controller.signal }), { kind: 'aborted' });
  assert.deepEqual(seen, ['DELETE b "e1"']);
  states['c'] = 'pending';
  await assert.rejects(connector.stat('/c', ask()), { kind: 'rateLimited' });
});
