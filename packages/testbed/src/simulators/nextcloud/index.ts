import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chown, readFile, stat, utimes } from 'node:fs/promises';
import { type IncomingMessage, type ServerResponse, createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { startApache } from '../../servers/apache.ts';
import { type DavServer, davPassword, davUser, nobody } from '../../servers/dav-server.ts';
import { createUploads } from './uploads.ts';

interface Options {
  /** ownCloud 10 computes checksums of every file; Nextcloud tells the hash of a PUT that asks for it. */
  readonly kind?: 'nextcloud' | 'owncloud';
}

const files = `/remote.php/dav/files/${davUser}`;
const uploads = `/remote.php/dav/uploads/${davUser}/`;
/** The older entry to the same files. */
const older = '/remote.php/webdav';
const principal =
  '<?xml version="1.0"?><d:multistatus xmlns:d="DAV:"><d:response><d:href>/remote.php/dav/</d:href><d:propstat><d:prop>' +
  `<d:current-user-principal><d:href>/remote.php/dav/principals/users/${davUser}/</d:href></d:current-user-principal>` +
  '</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response></d:multistatus>';
const capabilities = {
  nextcloud: { dav: { chunking: '1.0', bulkupload: '1.0' } },
  owncloud: { dav: { chunking: '1.0' }, checksums: { supportedTypes: ['SHA1'], preferredUploadType: 'SHA1' } },
};

/**
 * Starts what a client sees of Nextcloud or ownCloud 10, for one user: files by a real Apache, and before it the capabilities, uploads in chunks
 * (apps/dav/lib/Upload of nextcloud/server), `X-OC-Mtime`, `X-Hash` (apps/dav/lib/Connector/Sabre/File.php) and ownCloud's checksums.
 */
export async function startNextcloud({ kind = 'nextcloud' }: Options = {}): Promise<DavServer> {
  const apache = await startApache({ at: files });
  const onDisk = (url: string): string => join(apache.home, decodeURIComponent(url.slice(files.length)));
  const chunks = createUploads({ files, uploads, onDisk });
  const authorization = `Basic ${Buffer.from(`${davUser}:${davPassword}`).toString('base64')}`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '', method = '' } = request;
    if (!url.startsWith(files) && request.headers.authorization !== authorization) {
      request.resume();
      response.writeHead(401, { 'www-authenticate': 'Basic realm="cloud"' }).end();
    } else if (url.startsWith('/ocs/v1.php/cloud/capabilities')) {
      // Without this header the real server refuses the request, as a guard against forged ones.
      if (request.headers['ocs-apirequest'] !== 'true') response.writeHead(412).end();
      else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(told(kind)));
    } else if (url === '/remote.php/dav/' && method === 'PROPFIND') {
      request.resume();
      response.writeHead(207, { 'content-type': 'application/xml' }).end(principal);
    } else if (url.startsWith(uploads)) await chunks.answer(request, response);
    else if (url.startsWith(files)) await pass(request, response, method);
    else if (url.startsWith(older)) {
      const { destination } = request.headers;
      request.url = url.replace(older, files);
      if (destination !== undefined) request.headers.destination = String(destination).replace(older, files);
      await pass(request, response, method);
    } else response.writeHead(404).end();
  }

  async function pass(request: IncomingMessage, response: ServerResponse, method: string): Promise<void> {
    const { expect: _expect, connection: _connection, 'x-oc-mtime': modified, 'x-hash': wanted, ...headers } = request.headers;
    const upstream = send({ host: '127.0.0.1', port: apache.port, method, path: request.url, headers });
    const hash = method === 'PUT' && wanted === 'sha256' && kind === 'nextcloud' ? createHash('sha256') : undefined;
    const asked: Buffer[] = [];
    request.on('data', (chunk: Buffer) => (method === 'PUT' ? hash?.update(chunk) : asked.push(chunk)));
    pipeline(request, upstream, () => undefined);
    const [answered] = (await once(upstream, 'response')) as [IncomingMessage];
    const status = answered.statusCode ?? 500;
    const body = await buffer(answered);
    const isStored = method === 'PUT' && status < 300;
    if (isStored && typeof modified === 'string') await utimes(onDisk(request.url ?? ''), Number(modified), Number(modified));
    const isHashed = kind === 'owncloud' && status === 207 && headers['depth'] === '0' && Buffer.concat(asked).includes('checksums');
    const given = isHashed ? await withChecksums(body, onDisk(request.url ?? '')) : body;
    const { 'transfer-encoding': _coding, connection: _close, ...kept } = answered.headers;
    const hashed = isStored && hash ? { 'x-hash-sha256': hash.digest('hex') } : {};
    const length = method === 'HEAD' || status === 204 ? {} : { 'content-length': String(given.length) };
    response.writeHead(status, { ...kept, ...hashed, ...length }).end(given);
  }

  const server = createServer({ requestTimeout: 0 }, (request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await chown(apache.home, nobody.uid, nobody.gid);
  return {
    ...apache,
    port,
    url: `http://127.0.0.1:${port}${files}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await apache.stop();
    },
  };
}

const told = (kind: 'nextcloud' | 'owncloud') => ({
  ocs: { meta: { status: 'ok', statuscode: 100 }, data: { version: { string: '10.0.0' }, capabilities: capabilities[kind] } },
});

/** Adds ownCloud's property to Apache's answer about a file. */
async function withChecksums(answer: Buffer, file: string): Promise<Buffer> {
  if (!(await stat(file)).isFile()) return answer;
  const bytes = await readFile(file);
  const [sha1, md5] = ['sha1', 'md5'].map((name) => createHash(name).update(bytes).digest('hex'));
  const sums = `<oc:checksums xmlns:oc="http://owncloud.org/ns"><oc:checksum>SHA1:${sha1} MD5:${md5} ADLER32:00000001</oc:checksum></oc:checksums>`;
  return Buffer.from(answer.toString('latin1').replace('</D:prop>', `${sums}</D:prop>`), 'latin1');
}
