import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type Socket, connect, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { ciphersIn, ciphersOf } from './client-offer.ts';

const gcm = 'aes128-gcm@openssh.com';

/** What a client sends first, as RFC 4253 has it. */
function firstBytes(sent: readonly string[], received: readonly string[]): Buffer {
  const list = (names: readonly string[]): Buffer => {
    const text = Buffer.from(names.join(','));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(text.length);
    return Buffer.concat([length, text]);
  };
  const lists = [['curve25519-sha256'], ['ssh-ed25519'], sent, received, ['hmac-sha2-256'], ['hmac-sha2-256'], ['none'], ['none'], [], []];
  const payload = Buffer.concat([Buffer.from([20]), randomBytes(16), ...lists.map(list), Buffer.alloc(5)]);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(1 + payload.length + 4);
  head[4] = 4;
  return Buffer.concat([Buffer.from('SSH-2.0-Test\r\n'), head, payload, randomBytes(4)]);
}

/** The server's end of a connection, and the client's. */
async function sockets(t: TestContext): Promise<readonly [Socket, Socket]> {
  const server = createServer();
  t.after(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const client = connect((server.address() as { port: number }).port, '127.0.0.1');
  const [ours] = await accepted;
  t.after(() => client.destroy());
  return [ours, client];
}

test('the ciphers that a client offers in both directions are read from its first packet', () => {
  const bytes = firstBytes(['aes128-ctr', gcm, 'aes256-ctr'], [gcm, 'aes128-ctr']);
  assert.deepEqual(ciphersIn(bytes), new Set(['aes128-ctr', gcm]));
  for (const length of [0, 5, 14, 19, 100, bytes.length - 1]) assert.equal(ciphersIn(bytes.subarray(0, length)), undefined, String(length));
  assert.deepEqual(ciphersIn(Buffer.concat([bytes, randomBytes(50)])), new Set(['aes128-ctr', gcm]));
});

test('first bytes that are no offer offer nothing', () => {
  assert.deepEqual(ciphersIn(Buffer.from('GET / HTTP/1.1\r\nHost: a.example\r\n\r\n')), new Set());
  assert.deepEqual(ciphersIn(Buffer.alloc(40_000, 0x41)), new Set());
  const broken = firstBytes([gcm], [gcm]);
  // The first name list claims to be longer than the packet.
  broken.writeUInt32BE(0xffff_ffff, 14 + 5 + 17);
  assert.deepEqual(ciphersIn(broken), new Set());
});

test('what a client has sent stays to be read by others', async (t) => {
  const [ours, client] = await sockets(t);
  const bytes = firstBytes([gcm], [gcm]);
  client.write(bytes.subarray(0, 40));
  const offered = ciphersOf(ours);
  client.write(Buffer.concat([bytes.subarray(40), Buffer.from('more')]));
  assert.deepEqual(await offered, new Set([gcm]));
  const again: Buffer[] = [];
  ours.on('data', (chunk: Buffer) => again.push(chunk)).resume();
  client.end();
  await once(ours, 'end');
  assert.deepEqual(Buffer.concat(again), Buffer.concat([bytes, Buffer.from('more')]));
});

test('a client that says nothing, or leaves, has offered nothing', async (t) => {
  const [silent] = await sockets(t);
  assert.deepEqual(await ciphersOf(silent), new Set());
  const [ours, client] = await sockets(t);
  const offered = ciphersOf(ours);
  client.destroy();
  assert.deepEqual(await offered, new Set());
});
