import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { sftpNumbers, sshString as text, sshUint32 as uint32, sshUint64 as uint64 } from '@sheaf/connectors';
import { createAppPassword } from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import ssh2, { type Channel } from 'ssh2';
import { addSftp, linkApp } from '#/testing/links.ts';

const { packet: request, openFlag, status } = sftpNumbers;
const mebibyte = 1024 * 1024;

interface Answer {
  readonly kind: number;
  readonly fields: Buffer;
}

/** Speaks SFTP byte by byte on a channel. */
function raw(channel: Channel) {
  const waiting = new Map<number, (answer: Answer) => void>();
  channel.once('close', () => waiting.forEach((settle) => settle({ kind: 0, fields: Buffer.alloc(0) })));
  let lastId = 0;
  let rest: Buffer = Buffer.alloc(0);
  channel.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 4 && rest.length >= 4 + rest.readUInt32BE()) {
      const packet = rest.subarray(4, 4 + rest.readUInt32BE());
      rest = rest.subarray(4 + packet.length);
      if (packet.length < 5) continue;
      waiting.get(packet.readUInt32BE(1))?.({ kind: packet.readUInt8(), fields: packet.subarray(5) });
    }
  });
  const send = (kind: number, ...fields: readonly Buffer[]): void => {
    const body = Buffer.concat([Buffer.from([kind]), ...fields]);
    channel.write(Buffer.concat([uint32(body.length), body]));
  };
  return {
    channel,
    send,
    /** Sends a request; resolves with its answer. */
    ask(kind: number, ...fields: readonly Buffer[]): Promise<Answer> {
      const id = ++lastId;
      const answer = new Promise<Answer>((resolve) => waiting.set(id, resolve));
      send(kind, uint32(id), ...fields);
      return answer.finally(() => waiting.delete(id));
    },
  };
}
type Raw = ReturnType<typeof raw>;
const codeOf = ({ kind, fields }: Answer): number | undefined => (kind === 101 ? fields.readUInt32BE() : undefined);
const handleOf = ({ kind, fields }: Answer): Buffer => {
  assert.equal(kind, 102, 'a handle');
  return fields.subarray(4);
};
const noAttrs = uint32(0);

async function attacked(t: TestContext) {
  const app = await linkApp(t);
  await addSftp(app.user, 'nas', { numConcurrentConnections: '2' });
  app.source.put('/a.txt', 'hello');
  const { username, password } = await app.user.ask(createAppPassword, { name: 'Test', linkUri: [], rights: 'write' });
  const port = await app.services.sftp.listen({ host: '127.0.0.1', port: 0 });
  t.after(() => app.services.sftp.close());
  async function connected(): Promise<ssh2.Client> {
    const client = new ssh2.Client();
    t.after(() => client.destroy());
    client.connect({ host: '127.0.0.1', port, username, password });
    await once(client, 'ready');
    client.on('error', () => undefined);
    client.setNoDelay(true);
    return client;
  }
  async function session(client: ssh2.Client): Promise<Raw> {
    const one = raw(await promisify<string, Channel>(client.subsys.bind(client))('sftp'));
    one.send(request.init, uint32(3));
    return one;
  }
  return { ...app, connected, session };
}
const openAt = async ({ ask }: Raw, path: string, flags: number): Promise<Buffer> =>
  handleOf(await ask(request.open, text(path), uint32(flags), noAttrs));
const writing = openFlag.write | openFlag.create | openFlag.truncate;

test('a handle of another session, a closed, unknown, empty or long one opens nothing, and the session goes on', async (t) => {
  const { connected, session } = await attacked(t);
  const client = await connected();
  const [mine, other] = [await session(client), await session(client)];
  const foreign = await openAt(other, '/nas/a.txt', openFlag.read);
  const closed = await openAt(mine, '/nas/a.txt', openFlag.read);
  assert.equal(codeOf(await mine.ask(request.close, text(closed))), status.ok);
  const handles = [
    foreign,
    closed,
    Buffer.alloc(0),
    randomBytes(8),
    randomBytes(300),
    Buffer.alloc(200_000, '1'),
    Buffer.from('__proto__'),
  ];
  const ends: ((handle: Buffer) => readonly [number, ...Buffer[]])[] = [
    (handle) => [request.read, text(handle), uint64(0), uint32(5)],
    (handle) => [request.write, text(handle), uint64(0), text('x')],
    (handle) => [request.fstat, text(handle)],
    (handle) => [request.fsetstat, text(handle), noAttrs],
    (handle) => [request.readdir, text(handle)],
    (handle) => [request.close, text(handle)],
    (handle) => [request.extended, text('fstatvfs@openssh.com'), text(handle)],
    (handle) => [request.extended, text('fsync@openssh.com'), text(handle)],
  ];
  for (const handle of handles)
    for (const end of ends) assert.equal(codeOf(await mine.ask(...end(handle))), status.failure, handle.subarray(0, 20).toString('hex'));
  const read = await other.ask(request.read, text(foreign), uint64(0), uint32(5));
  assert.equal(read.fields.subarray(4).toString(), 'hello', 'the file of the other session is still open');
});

test('names without end, unknown extensions and packets that are cut or scrambled are answered, and the session goes on', async (t) => {
  const { connected, session } = await attacked(t);
  const one = await session(await connected());
  const names = [
    'x'.repeat(120_000),
    '/nas/' + 'y/'.repeat(60_000),
    '/nas' + '/..'.repeat(40_000),
    '\0',
    '/nas/a\0.txt',
    '/nas/' + 'ü'.repeat(3000),
  ];
  for (const name of names) {
    for (const kind of [request.stat, request.lstat, request.opendir, request.remove, request.rmdir, request.realpath, request.setstat])
      assert.notEqual((await one.ask(kind, text(name), noAttrs)).kind, 0);
    await one.ask(request.open, text(name), uint32(writing), noAttrs);
    await one.ask(request.rename, text(name), text(name));
    await one.ask(request.extended, text(name), text(name));
  }
  assert.equal(codeOf(await one.ask(request.stat, text(Buffer.from([0x2f, 0xff, 0xfe])))), status.noSuchFile);
  assert.equal(codeOf(await one.ask(request.extended, text('vendor-id'), randomBytes(1000))), status.unsupported);
  for (let kind = 2; kind < 256; kind++)
    for (const fields of [Buffer.alloc(0), randomBytes(3), randomBytes(64), Buffer.alloc(64, 0xff)]) await one.ask(kind, fields);
  assert.equal((await one.ask(request.stat, text('/nas/a.txt'))).kind, 105);
});

test('a packet that is too long or without an id ends its session only', async (t) => {
  const { connected, session } = await attacked(t);
  const client = await connected();
  const other = await session(client);
  for (const bytes of [uint32(0), uint32(0xffffffff), uint32(mebibyte), Buffer.concat([uint32(2), Buffer.from([17, 0])])]) {
    const one = await session(client);
    const ended = once(one.channel, 'close');
    one.channel.write(bytes);
    await ended;
    assert.equal((await other.ask(request.stat, text('/nas/a.txt'))).kind, 105);
  }
});

test('a session that ends while files are being opened for writing leaves no upload behind', async (t) => {
  const { connected, session, source } = await attacked(t);
  const client = await connected();
  const looked = Promise.withResolvers<void>();
  const asked: string[] = [];
  source.setGate(async (operation, path) => {
    asked.push(operation);
    if (operation === 'stat' && path.startsWith('/new')) await looked.promise;
  });
  const one = await session(client);
  for (const name of ['new1', 'new2']) void one.ask(request.open, text(`/nas/${name}`), uint32(openFlag.write | openFlag.create), noAttrs);
  await eventually(() => asked.filter((operation) => operation === 'stat').length === 2, 'both files are looked for');
  const ended = once(one.channel, 'close');
  one.channel.end();
  // What is answered after the end shows that the server has seen it.
  const other = await session(client);
  await other.ask(request.realpath, text('.'));
  looked.resolve();
  await ended;
  assert.equal((await other.ask(request.stat, text('/nas/a.txt'))).kind, 105);
  assert.ok(!asked.includes('write'), 'nothing is uploaded');
});

/** Most pieces of a file that are kept, with what the smallest counts for. */
const mostPieces = (8 * mebibyte) / 2048;

test('a file that is written in tiny pieces far ahead of its beginning keeps few of them', async (t) => {
  const { connected, session } = await attacked(t);
  const one = await session(await connected());
  const writer = await openAt(one, '/nas/new.bin', writing);
  let kept = 0;
  for (let at = 0; at < 5000; at += 50) {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => one.ask(request.write, text(writer), uint64(10 + (at + index) * 2), text('x'))),
    );
    kept += answers.filter((answer) => codeOf(answer) === status.ok).length;
  }
  assert.equal(kept, mostPieces);
});
