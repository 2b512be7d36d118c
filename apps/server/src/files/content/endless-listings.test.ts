import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, type Server, type Socket, createServer } from 'node:net';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { type ErrorAnswer, type LinkDraft, type SavedFamily, familyCalls, linkUriOf, remoteUpdate } from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import { testApp } from '#/testing/app.ts';
import { davInfo, draftOf, ftpInfo } from '#/testing/links.ts';

/** Far more than any finite listing needs, far less than an endless one would have taken: 256 MiB are accepted of each. */
const mostMemory = 600 * 1024 * 1024;
/** Long names, so that the bound of bytes is reached soon. */
const name = 'x'.repeat(1000);
const rowsAtOnce = 60;

/** Sends the same bytes endlessly, as fast as they are taken; resolves when nobody takes them. */
async function sendWithoutEnd(to: Writable, bytes: Buffer): Promise<void> {
  const again = async function* () {
    for (;;) {
      yield bytes;
      await setImmediate();
    }
  };
  await assert.rejects(pipeline(again, to));
}

interface Hostile {
  readonly family: SavedFamily;
  readonly info: Readonly<Record<string, string>>;
  readonly more?: Partial<LinkDraft>;
  /** Whether it is still sending. */
  isSending(): boolean;
}

async function listen(t: TestContext, server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('error', () => undefined).once('close', () => sockets.delete(socket)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

const hostile: Readonly<Record<string, (t: TestContext) => Promise<Hostile>>> = {
  async 'PROPFIND answer'(t) {
    let sending = 0;
    const found = '<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>';
    const folder = `<D:response><D:href>/</D:href><D:propstat><D:prop><D:resourcetype><D:collection/></D:resourcetype></D:prop>${found}`;
    const file = `<D:response><D:href>/${name}</D:href><D:propstat><D:prop><D:resourcetype/></D:prop>${found}`;
    const server = createHttpServer((request, answer) => {
      request.resume();
      if (request.method === 'OPTIONS') return void answer.writeHead(200, { dav: '1' }).end();
      answer.writeHead(207, { 'content-type': 'application/xml' });
      answer.write(`<D:multistatus xmlns:D="DAV:">${folder}`);
      if (request.headers['depth'] === '0') return void answer.end('</D:multistatus>');
      sending++;
      void sendWithoutEnd(answer, Buffer.from(file.repeat(rowsAtOnce))).finally(() => sending--);
    });
    const port = await listen(t, server);
    const info = { ...davInfo, server: `http://127.0.0.1:${port}` };
    return { family: 'webdav', info, more: { provider: 'WebDAV' }, isSending: () => sending > 0 };
  },

  async 'MLSD answer'(t) {
    let sending = 0;
    const lines = Buffer.from(`type=file;size=1;modify=20260101000000; ${name}\r\n`.repeat(rowsAtOnce));
    const data = createServer((socket) => {
      sending++;
      void sendWithoutEnd(socket, lines).finally(() => sending--);
    });
    const dataPort = await listen(t, data);
    const answers: Readonly<Record<string, string>> = {
      USER: '331 password',
      PASS: '230 in',
      FEAT: '211-features\r\n MLST type*;size*;modify*;\r\n UTF8\r\n EPSV\r\n211 end',
      PWD: '257 "/"',
      EPSV: `229 (|||${dataPort}|)`,
      PASV: `227 (127,0,0,1,${dataPort >> 8},${dataPort & 255})`,
      MLSD: '150 here it comes',
      MLST: '250-facts\r\n type=dir; /\r\n250 end',
      QUIT: '221 bye',
    };
    const control = createServer((socket) => {
      socket.write('220 hostile\r\n');
      socket.on('data', (bytes) => {
        for (const line of bytes.toString().split('\r\n').slice(0, -1))
          socket.write(`${answers[line.split(' ')[0] ?? ''] ?? '200 so be it'}\r\n`);
      });
    });
    const port = await listen(t, control);
    return { family: 'ftp', info: { ...ftpInfo, protocol: 'FTP', server: `127.0.0.1:${port}` }, isSending: () => sending > 0 };
  },
};

for (const [what, start] of Object.entries(hostile)) {
  test(`a ${what} that never ends uses bounded memory, ends with its reason, and releases the source`, async (t) => {
    const { family, info, more, isSending } = await start(t);
    const user = await (await testApp(t)).signUp();
    const { userLinkId } = await user.ask(familyCalls[family].add, draftOf(info, { serverName: 'Endless', ...more }));
    const before = process.memoryUsage.rss();
    let peak = before;
    const watching = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 20);
    const answer = await user.send(remoteUpdate, { linkUri: linkUriOf(userLinkId, '/') });
    clearInterval(watching);
    const { messageCode } = answer.json<ErrorAnswer>();
    assert.equal(messageCode, 'FOLDER_TOO_LARGE', answer.body.slice(0, 300));
    assert.ok(peak - before < mostMemory, `${Math.round((peak - before) / 2 ** 20)} MiB were taken`);
    await eventually(() => !isSending(), 'the source is left');
    t.diagnostic(`${Math.round((peak - before) / 2 ** 20)} MiB`);
  });
}
