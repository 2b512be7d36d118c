import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { Readable } from 'node:stream';
import { afterEach, describe, it } from 'node:test';
import type { Connector, Entry } from '../../core/connector.ts';
import { type ConnectorErrorKind, isKind } from '../../core/error.ts';
import { collect } from '../../kit/body/body.ts';
import { createDialer } from '../../kit/net/dialer.ts';
import { bounds } from '../../layers/bounds.ts';
import { layered } from '../../layers/layered.ts';
import { parseWebdavConfig } from './config.ts';
import { openWebdav } from './connector.ts';

const env = { dialer: createDialer({ privateNetworks: 'allow' }), remember: async () => undefined, recall: async () => undefined };
const { signal } = new AbortController();
const cleanups: (() => void)[] = [];
afterEach(() => cleanups.splice(0).forEach((cleanup) => cleanup()));

/** Opens a connector to a server with the given request handler. */
async function against(answer: (request: IncomingMessage, response: ServerResponse) => void, path = '/dav', info = {}): Promise<Connector> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(address && typeof address === 'object');
  const given = { server: `http://127.0.0.1:${address.port}${path}`, username: 'mara', password: 'x', ...info };
  const connector = openWebdav(parseWebdavConfig(given, 'webdav'), env);
  cleanups.push(() => {
    void connector.close();
    server.closeAllConnections();
    server.close();
  });
  return connector;
}

const described = (href: string, kind: 'file' | 'folder', size = 0): string =>
  `<response><href>${href}</href><propstat><prop><resourcetype>${kind === 'folder' ? '<collection/>' : ''}</resourcetype>` +
  `<getcontentlength>${size}</getcontentlength></prop><status>HTTP/1.1 200 OK</status></propstat></response>`;

function multistatus(response: ServerResponse, ...resources: readonly string[]): void {
  response.writeHead(207, { 'content-type': 'application/xml' }).end(`<multistatus xmlns="DAV:">${resources.join('')}</multistatus>`);
}

async function listed(connector: Connector, folder: string): Promise<string[]> {
  const entries: Entry[] = [];
  for await (const batch of connector.list(folder, { signal })) entries.push(...batch);
  return entries.map(({ name }) => name);
}

const kindOf = (kind: ConnectorErrorKind) => (error: unknown) => isKind(error, kind);

/** Answers PROPFIND with an endless stream of resources. */
function endless(response: ServerResponse): void {
  let number = 0;
  const more = (): void => {
    while (!response.destroyed) {
      if (!response.write(Array.from({ length: 200 }, () => described(`/dav/file-${number++}`, 'file')).join(''))) return;
    }
  };
  response.writeHead(207, { 'content-type': 'application/xml' }).write('<multistatus xmlns="DAV:">');
  response.on('drain', more);
  more();
}

describe('unusual WebDAV servers', () => {
  it('one whose listing never ends is stopped at the limits of entries and of bytes', async () => {
    for (const bound of [{ entries: 3000 }, { bytes: 300_000 }]) {
      const left = Promise.withResolvers<void>();
      const connector = await against((_request, response) => {
        response.on('close', left.resolve);
        endless(response);
      });
      await assert.rejects(listed(layered(connector, bounds(bound)), '/'), kindOf('tooLarge'));
      await left.promise;
    }
  });

  it('one whose listing never ends is stopped at the time limit', async () => {
    const connector = await against((_request, response) => endless(response));
    await assert.rejects(listed(layered(connector, bounds({ time: 0 })), '/'), kindOf('timeout'));
  });

  it('one that ignores ranges: the range is cut out', async () => {
    const connector = await against((request, response) => {
      if (request.method === 'PROPFIND') multistatus(response, described('/dav/digits', 'file', 10));
      else response.end('0123456789');
    });
    const part = async (start: number, end?: number) =>
      (await collect(await connector.read('/digits', { signal, range: { start, ...(end !== undefined && { end }) } }))).toString();
    assert.deepEqual([await part(2, 5), await part(7), await part(8, 50), await part(0, 1)], ['234', '789', '89', '0']);
    await assert.rejects(part(10), kindOf('badRange'));
  });

  it('one that knows content types: a file without an extension gets the reported one, and no other costs a request', async () => {
    const connector = await against((request, response) => {
      const asked: Buffer[] = [];
      request.on('data', (chunk: Buffer) => asked.push(chunk));
      request.on('end', () => {
        if (request.method === 'MOVE') return void response.writeHead(201).end();
        const type = Buffer.concat(asked).includes('getcontenttype') ? '<getcontenttype>image/jpeg</getcontenttype>' : '';
        multistatus(response, described(request.url ?? '', 'file').replace('</prop>', `${type}</prop>`));
      });
    });
    assert.equal((await connector.stat('/photo', { signal })).mimeType, 'image/jpeg');
    assert.equal((await connector.stat('/photo.png', { signal })).mimeType, undefined);
    assert.equal((await connector.rename?.('/photo', 'page', { signal }))?.mimeType, undefined);
  });

  it('one that sends another range than requested is rejected', async () => {
    const connector = await against((_request, response) => response.writeHead(206, { 'content-range': 'bytes 0-2/10' }).end('012'));
    await assert.rejects(connector.read('/digits', { signal, range: { start: 2, end: 5 } }), kindOf('unexpected'));
  });

  it('one that cannot MOVE gets the bytes directly, and never over a file that must not be replaced', async () => {
    const asked: string[] = [];
    let stored = '';
    const connector = await against((request, response) => {
      asked.push(`${request.method} ${request.headers['if-none-match'] ?? ''}`.trim());
      if (request.method === 'OPTIONS') response.writeHead(200, { allow: 'OPTIONS, GET, PUT, PROPFIND, DELETE' }).end();
      else if (request.method === 'PROPFIND' && stored === '') response.writeHead(404).end();
      else if (request.method === 'PROPFIND') multistatus(response, described('/dav/file', 'file', stored.length));
      else void request.toArray().then((chunks: Buffer[]) => response.writeHead(201).end((stored = Buffer.concat(chunks).toString())));
    });
    const write = (ifExists: 'fail' | 'replace') =>
      connector.write?.('/file', Readable.from([Buffer.from('hello')]), { signal, size: 5, ifExists });
    assert.deepEqual(await write('fail'), { name: 'file', kind: 'file', size: 5 });
    assert.deepEqual(asked, ['OPTIONS', 'PROPFIND', 'PUT *', 'PROPFIND']);
    await assert.rejects(write('fail') ?? Promise.resolve(), kindOf('alreadyExists'));
    await write('replace');
    assert.equal(asked.at(-2), 'PUT');
  });

  it('one that stores fewer bytes than it was sent is detected, and the existing file stays', async () => {
    const asked: string[] = [];
    const connector = await against((request, response) => {
      asked.push(request.method ?? '');
      request.resume().on('end', () => {
        if (request.method === 'PROPFIND') multistatus(response, described('/dav/x', 'file', 3));
        else response.writeHead(request.method === 'PUT' ? 201 : 204).end();
      });
    });
    const body = Readable.from([Buffer.from('hello')]);
    await assert.rejects(
      connector.write?.('/file', body, { signal, size: 5, ifExists: 'replace' }) ?? Promise.resolve(),
      kindOf('interrupted'),
    );
    assert.deepEqual(asked, ['OPTIONS', 'PUT', 'PROPFIND', 'DELETE']);
  });

  it('one behind a proxy that adds another path prefix to its resources', async () => {
    const connector = await against((_request, response) =>
      multistatus(
        response,
        described('http://backend:8080/remote.php/dav/a%20b/', 'folder'),
        described('/remote.php/dav/a%20b/a%20b/', 'folder'),
        described('/remote.php/dav/a%20b/file', 'file'),
        described('/remote.php/dav/a%20b/deeper/hidden', 'file'),
        described('/elsewhere/file', 'file'),
        described('/remote.php/dav/a%20b/..', 'file'),
        described('/remote.php/dav/a%20b/with%2Fslash', 'file'),
      ),
    );
    assert.deepEqual(await listed(connector, '/a b'), ['a b', 'file']);
  });

  it('one that omits the folder itself in its listing', async () => {
    const connector = await against((_request, response) =>
      multistatus(response, described('/dav/one', 'file'), described('/dav/two/', 'folder')),
    );
    assert.deepEqual(await listed(connector, '/'), ['one', 'two']);
  });

  it('one that uses another URL for its resources gets that in Destination', async () => {
    let destination: string | undefined;
    const connector = await against(
      (request, response) => {
        if (request.method === 'PROPFIND') return multistatus(response, described('/dav/x', 'file'));
        destination = request.headers.destination as string | undefined;
        response.writeHead(201).end();
      },
      '/dav',
      { destinationUrl: 'http://backend:8080/files' },
    );
    await connector.rename?.('/folder/x', 'y z', { signal });
    assert.equal(destination, 'http://backend:8080/files/folder/y%20z');
  });

  it('one that confirms a move that has not happened', async () => {
    const connector = await against((request, response) => {
      request.resume();
      if (request.method === 'PROPFIND' && /old|partial/.test(request.url ?? ''))
        multistatus(response, described(request.url ?? '', 'file', 3));
      else if (request.method === 'PROPFIND') response.writeHead(404).end();
      else response.writeHead(request.method === 'OPTIONS' ? 200 : 204).end();
    });
    const notDone = { kind: 'failed', details: { problem: 'notDone' } };
    await assert.rejects(connector.rename?.('/old', 'new', { signal }) ?? Promise.resolve(), notDone);
    const body = Readable.from([Buffer.from('abc')]);
    await assert.rejects(connector.write?.('/new', body, { signal, size: 3, ifExists: 'replace' }) ?? Promise.resolve(), notDone);
  });

  it('one that fails to move an item reports it', async () => {
    for (const status of [500, 502, 599]) {
      const connector = await against((request, response) => {
        if (request.method === 'MOVE') response.writeHead(status).end();
        else if (request.url === '/dav/old') multistatus(response, described('/dav/old', 'file', 3));
        else response.writeHead(404).end();
      });
      await assert.rejects(connector.rename?.('/old', 'new', { signal }) ?? Promise.resolve(), kindOf('failed'));
    }
  });

  it('one that fails to move the new bytes over a file does not call its name taken', async () => {
    for (const [kind, error] of [
      ['file', 'failed'],
      ['folder', 'isAFolder'],
    ] as const) {
      const connector = await against((request, response) => {
        request.resume().on('end', () => {
          const url = request.url ?? '';
          if (request.method === 'PROPFIND') multistatus(response, described(url, url.includes('partial') ? 'file' : kind, 3));
          else response.writeHead(request.method === 'MOVE' ? 500 : 201).end();
        });
      });
      const body = Readable.from([Buffer.from('abc')]);
      await assert.rejects(connector.write?.('/old', body, { signal, size: 3, ifExists: 'replace' }) ?? Promise.resolve(), kindOf(error));
    }
  });

  it('one that redirects is followed within its own origin only, and not forever', async () => {
    const targets: Record<string, string> = {
      '/dav/moved': '/dav/new',
      '/dav/away': 'http://evil.example/dav/x',
      '/dav/loop': '/dav/loop',
    };
    const connector = await against((request, response) => {
      const location = targets[request.url ?? ''];
      if (location) response.writeHead(301, { location }).end();
      else multistatus(response, described('/dav/new', 'file', 7));
    });
    assert.deepEqual(await connector.stat('/moved', { signal }), { name: 'moved', kind: 'file', size: 7 });
    await assert.rejects(connector.stat('/away', { signal }), kindOf('moved'));
    await assert.rejects(connector.stat('/loop', { signal }), kindOf('unexpected'));
  });

  it('one that returns an HTML page for a folder', async () => {
    const connector = await against((request, response) => {
      if (request.method === 'PROPFIND') multistatus(response, described('/dav/folder/', 'folder'));
      else response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Index of /dav/folder</html>');
    });
    await assert.rejects(connector.read('/folder', { signal }), kindOf('isAFolder'));
    await assert.rejects(connector.read('/folder', { signal, known: { size: 7 } }), kindOf('isAFolder'));
  });

  it('one that sends other content than that of the described file', async () => {
    const connector = await against((request, response) => {
      if (request.method === 'PROPFIND') multistatus(response, described('/dav/file', 'file', 10));
      else response.writeHead(200, { 'content-length': 5 }).end('login');
    });
    for (const known of [{}, { size: 10 }, { size: 7 }])
      await assert.rejects(connector.read('/file', { signal, known }), kindOf('unexpected'));
  });

  it('one that is full, busy, or has locked a resource', async () => {
    const answers: Record<string, [number, Record<string, string>]> = {
      '/dav/full/': [507, {}],
      '/dav/busy/': [429, { 'retry-after': '7' }],
      '/dav/locked/': [423, {}],
    };
    const connector = await against((request, response) => {
      const [status, headers] = answers[request.url ?? ''] ?? [500, {}];
      response.writeHead(status, headers).end();
    });
    const make = (path: string) => connector.createFolder?.(path, { signal }) ?? Promise.resolve();
    await assert.rejects(make('/full'), kindOf('full'));
    await assert.rejects(make('/locked'), kindOf('forbidden'));
    await assert.rejects(make('/busy'), (error) => isKind(error, 'rateLimited') && error.retryable && error.retryAfter === 7000);
  });

  it('one that deletes a folder only in part reports the reason', async () => {
    const connector = await against((request, response) => {
      if (request.method === 'PROPFIND') return multistatus(response, described('/dav/folder/', 'folder'));
      multistatus(
        response,
        '<response><href>/dav/folder/</href><status>HTTP/1.1 424 Failed Dependency</status></response>',
        '<response><href>/dav/folder/kept</href><status>HTTP/1.1 423 Locked</status></response>',
      );
    });
    await assert.rejects(connector.remove?.('/folder', { signal }) ?? Promise.resolve(), kindOf('forbidden'));
  });
});
