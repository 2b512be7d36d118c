import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createDialer } from '../../kit/dialer.ts';
import { parseAzureConfig } from './config.ts';
import { openAzure } from './connector.ts';

test('a folder whose listing begins with an empty page is there', async (t) => {
  const blob = '<Blob><Name>folder/file</Name><Properties><Content-Length>1</Content-Length></Properties></Blob>';
  const server = createServer(({ method, url = '' }, response) => {
    const isLast = url.includes('marker=on');
    if (method === 'HEAD') response.writeHead(404, { 'x-ms-error-code': 'BlobNotFound' }).end();
    else
      response.end(
        `<EnumerationResults><Blobs>${isLast ? blob : ''}</Blobs><NextMarker>${isLast ? '' : 'on'}</NextMarker></EnumerationResults>`,
      );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = parseAzureConfig({ host, bucketName: 'files', key: 'account', secret: 'c2VjcmV0' });
  const connector = openAzure(config, { dialer: createDialer({ privateNetworks: 'allow' }) });
  t.after(async () => {
    await connector.close();
    server.close();
  });
  assert.equal((await connector.stat('/folder', { signal: AbortSignal.timeout(10_000) })).kind, 'folder');
});
