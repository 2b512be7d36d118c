import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { createAppPassword, deleteAppPassword, deleteLink } from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import { Client } from 'ssh2';
import { s3Client } from '#/serving/s3/testing/client.ts';
import { addSftp, linkApp } from '#/testing/links.ts';

const half = 512 * 1024;
const whole = Buffer.alloc(2 * half, 'x');

/** A link with a file whose second chunk waits, and a program with an app password. */
async function served(t: TestContext) {
  const app = await linkApp(t, { chunkSize: half });
  const { user, source, services } = app;
  const { userLinkId } = await addSftp(user, 'NAS');
  source.put('/big.bin', whole);
  const released = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  source.setGate(async (operation, _path, part) => {
    if (operation === 'write') begun.resolve();
    if (operation === 'read' && part > 0) {
      begun.resolve();
      await released.promise;
    }
  });
  const { appPassword, ...made } = await user.ask(createAppPassword, { name: 'Test', linkUri: [], rights: 'write' });
  const url = await app.app.listen({ host: '127.0.0.1', port: 0 });
  t.after(() => app.app.close());
  const port = await services.sftp.listen({ host: '127.0.0.1', port: 0 });
  t.after(() => services.sftp.close());
  const ends = {
    'the password is revoked': () => user.ask(deleteAppPassword, { appPasswordId: appPassword.appPasswordId }),
    'the link is gone': () => user.ask(deleteLink, { userLinkId }),
  };
  return { ...made, url, port, source, ends, begun: begun.promise, release: released.resolve };
}
type Served = Awaited<ReturnType<typeof served>>;
type End = keyof Served['ends'];

/** A transfer that has begun. `outcome` gives the bytes that came, or undefined when it failed. */
interface Transfer {
  /** Sends the rest of an upload. */
  goOn(): void;
  readonly outcome: Promise<Buffer | undefined>;
}

async function bodyOf(client: ClientRequest): Promise<Buffer | undefined> {
  try {
    const [answer] = (await once(client, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk);
    return (answer.statusCode ?? 500) < 300 ? Buffer.concat(chunks) : undefined;
  } catch {
    return undefined;
  }
}

function overHttp(address: string, headers: Readonly<Record<string, string>>, way: 'down' | 'up'): Transfer {
  const client = request(address, { method: way === 'down' ? 'GET' : 'PUT', headers });
  client.on('error', () => undefined);
  const outcome = bodyOf(client);
  if (way === 'down') client.end();
  else client.write(whole.subarray(0, half));
  return { outcome, goOn: () => void (way === 'up' && client.end(whole.subarray(half))) };
}

const protocols: Readonly<Record<string, (one: Served, name: string, way: 'down' | 'up') => Promise<Transfer>>> = {
  async webdav({ url, username, password }, name, way) {
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    const length = way === 'up' ? { 'content-length': String(whole.length) } : {};
    return overHttp(`${url}/dav/NAS/${name}`, { authorization, ...length }, way);
  },
  async s3({ url, ...keys }, name, way) {
    const address = s3Client(url, keys).presign(`/nas/${name}`, { method: way === 'down' ? 'GET' : 'PUT' });
    return overHttp(address, way === 'up' ? { 'content-length': String(whole.length) } : {}, way);
  },
  async sftp({ port, username, password }, name, way) {
    const connection = new Client();
    connection.on('error', () => undefined);
    connection.connect({ host: '127.0.0.1', port, username, password });
    await once(connection, 'ready');
    const sftp = await promisify(connection.sftp.bind(connection))();
    const going = Promise.withResolvers<void>();
    const stream = way === 'down' ? sftp.createReadStream(`/NAS/${name}`) : undefined;
    const up = way === 'up' ? sftp.createWriteStream(`/NAS/${name}`) : undefined;
    const work = async (): Promise<Buffer> => {
      const chunks: Buffer[] = [];
      const ended = once(connection, 'close').then(() => Promise.reject(new Error('the connection was ended')));
      const done = async (): Promise<void> => {
        if (stream) for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
        if (up) {
          up.write(whole.subarray(0, half));
          await going.promise;
          up.end(whole.subarray(half));
          await once(up, 'close');
        }
      };
      await Promise.race([done(), ended]);
      return Buffer.concat(chunks);
    };
    const outcome = work().then(
      (bytes) => bytes,
      () => undefined,
    );
    for (const one of [up, stream]) one?.on('error', () => undefined);
    return { outcome: outcome.finally(() => connection.end()), goOn: going.resolve };
  },
};

for (const [protocol, begin] of Object.entries(protocols))
  for (const end of ['the password is revoked', 'the link is gone'] satisfies End[])
    for (const way of ['down', 'up'] as const)
      test(`a transfer ${way} over ${protocol} ends when ${end}`, async (t) => {
        const one = await served(t);
        const name = way === 'down' ? 'big.bin' : 'new.bin';
        const transfer = await begin(one, name, way);
        await one.begun;
        await one.ends[end]();
        one.release();
        transfer.goOn();
        const got = await transfer.outcome;
        assert.ok(got === undefined || (way === 'down' && got.length < whole.length), `${got?.length} bytes came`);
        await eventually(() => !one.source.root.children.has('new.bin'), 'nothing is stored');
      });
