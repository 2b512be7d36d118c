import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { sshUint32 as uint32 } from '@sheaf/connectors';
import { SftpError, readPacket, request } from './codec.ts';
import { type Packet, costOf, createPacketReader } from './packets.ts';

const packet = (...fields: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(fields);
  return Buffer.concat([uint32(body.length), body]);
};
const writing = (handle: string, data: Buffer, extra = Buffer.alloc(0)): Buffer =>
  packet(
    Buffer.from([request.write]),
    uint32(7),
    uint32(handle.length),
    Buffer.from(handle),
    Buffer.alloc(8),
    uint32(data.length),
    data,
    extra,
  );

function read(bytes: Buffer, size: number): Packet[] {
  const packets: Packet[] = [];
  const reader = createPacketReader((one) => packets.push(one));
  for (let at = 0; at < bytes.length; at += size) {
    const chunk = Buffer.from(bytes.subarray(at, at + size));
    reader.push(chunk);
    // The chunk's memory is used again.
    chunk.fill(0);
  }
  return packets;
}
function dataOf({ bytes, data }: Packet): Buffer {
  const fields = readPacket(bytes, data);
  assert.deepEqual([fields.byte(), fields.uint32()], [request.write, 7]);
  fields.data();
  fields.uint64();
  return fields.data();
}

test('a request to read counts with the bytes that it asks for, whatever follows them in its packet', () => {
  const handle = Buffer.from('17');
  const asked = Buffer.alloc(5 + 4 + handle.length + 8 + 4);
  asked.writeUInt8(request.read);
  asked.writeUInt32BE(handle.length, 5);
  handle.copy(asked, 9);
  asked.writeUInt32BE(100_000, asked.length - 4);
  const cost = (bytes: Buffer): number => costOf({ bytes, data: undefined });
  assert.equal(cost(asked), asked.length + 100_000);
  assert.equal(cost(Buffer.concat([asked, Buffer.alloc(4)])), asked.length + 4 + 100_000);
  for (let length = 1; length < asked.length; length++) assert.equal(cost(asked.subarray(0, length)), length);
});

test('packets of all sizes are read from chunks of all sizes', () => {
  const files = [0, 1, 42, 43, 44, 1000, 16 * 1024, 32 * 1024, 255 * 1024].map((size) => randomBytes(size));
  const handles = ['1', '12', 'a'.repeat(32), 'b'.repeat(33), 'c'.repeat(200)];
  const all = handles.flatMap((handle) => files.map((file) => ({ handle, file })));
  const stat = packet(Buffer.from([request.stat]), uint32(8), uint32(2), Buffer.from('/a'));
  const bytes = Buffer.concat(all.flatMap(({ handle, file }) => [writing(handle, file), stat]));
  for (const size of [7, 1024, 32 * 1024, 100_000, bytes.length]) {
    const packets = read(bytes, size);
    assert.equal(packets.length, 2 * all.length);
    for (const [index, { file }] of all.entries()) {
      const [write, other] = packets.slice(2 * index);
      assert.ok(write && other);
      assert.ok(dataOf(write).equals(file), `${size}, ${index}`);
      assert.deepEqual(other.bytes, stat.subarray(4));
      assert.equal(other.data, undefined);
    }
  }
});

test('much data is in memory of its own, and counts in the cost of its request', () => {
  const [write] = read(writing('1', randomBytes(32 * 1024)), 32 * 1024);
  assert.ok(write?.data);
  assert.equal(write.data.byteLength, write.data.buffer.byteLength);
  assert.equal(costOf(write), 32 * 1024 + 22);
});

test('data that is shorter than it says is refused, and what follows it is left out', () => {
  const file = randomBytes(32 * 1024);
  const [longer] = read(writing('1', file, randomBytes(10)), 1000);
  assert.ok(longer && dataOf(longer).equals(file));
  const bytes = writing('1', file);
  bytes.writeUInt32BE(file.length + 1, 4 + 18);
  const [broken] = read(bytes, 1000);
  assert.throws(() => broken && dataOf(broken), SftpError);
});

test('a packet that is too long, or empty, is refused', () => {
  for (const length of [0, 256 * 1024 + 1025, 0xffff_ffff]) assert.throws(() => read(uint32(length), 4), SftpError);
});
