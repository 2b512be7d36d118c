import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { tuneSocket } from './socket-memory.ts';

const greeting = Buffer.from('SSH-2.0-Test\r\n');

/** A socket that keeps what each system call would send. */
class Kept extends Socket {
  readonly calls: string[][] = [];
  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.calls.push([chunk.toString('latin1', 0, 8)]);
    setImmediate(done);
  }
  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this.calls.push(chunks.map(({ chunk }) => chunk.toString('latin1', 0, 8)));
    setImmediate(done);
  }
}

test('what is written in one turn is sent together, and the version line, which is out already, is left out', async () => {
  const socket = new Kept();
  tuneSocket(socket, greeting, false);
  for (const text of [greeting, 'one', 'two', 'three']) socket.write(Buffer.from(text));
  await nextTurn();
  socket.write(Buffer.from('four'));
  await nextTurn();
  await nextTurn();
  assert.deepEqual(socket.calls, [['one', 'two', 'three'], ['four']]);
});

test('memory that has been sent is released once chunks may be freed', async () => {
  const socket = new Kept();
  const { freeChunks } = tuneSocket(socket, greeting, false);
  const [early, late] = [Buffer.allocUnsafeSlow(32 * 1024), Buffer.allocUnsafeSlow(32 * 1024)];
  socket.write(greeting);
  socket.write(early);
  await nextTurn();
  freeChunks();
  socket.write(late);
  assert.equal(late.byteLength, 32 * 1024);
  for (let turn = 0; turn < 4; turn++) await nextTurn();
  assert.deepEqual([early.byteLength, late.byteLength], [32 * 1024, 0]);
});

test('with AES-GCM alone, readers hear whole packets, and a chunk is released once they have heard of it', () => {
  const socket = new Kept();
  const { freeChunks } = tuneSocket(socket, greeting, true);
  const heard: number[] = [];
  socket.on('data', (piece: Buffer) => void heard.push(piece.length));
  const newKeys = Buffer.from([0, 0, 0, 12, 10, 21, ...Buffer.alloc(10)]);
  socket.emit('data', Buffer.concat([greeting, newKeys]));
  freeChunks();
  const packet = Buffer.alloc(4 + 32_768 + 16);
  packet.writeUInt32BE(32_768);
  const bytes = Buffer.concat([packet, packet]);
  const first = Buffer.allocUnsafeSlow(40_000);
  bytes.copy(first);
  socket.emit('data', first);
  socket.emit('data', bytes.subarray(40_000));
  assert.deepEqual(heard, [greeting.length + newKeys.length, packet.length, packet.length]);
  assert.equal(first.byteLength, 0);
});
