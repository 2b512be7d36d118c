import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWholePackets } from './whole-packets.ts';

const line = Buffer.from('SSH-2.0-Test\r\n');
/** A packet of that type before keys are used. */
function plain(type: number, size: number): Buffer {
  const packet = Buffer.alloc(4 + size, type);
  packet.writeUInt32BE(size);
  return packet;
}
/** One with AES-GCM: its length, encrypted bytes, a tag. */
function sealed(fill: number, size: number): Buffer {
  const packet = Buffer.alloc(4 + size + 16, fill);
  packet.writeUInt32BE(size);
  return packet;
}

/** The pieces that come of the bytes in chunks of a size. */
function piecesOf(bytes: Buffer, size: number): Buffer[] {
  const pieces: Buffer[] = [];
  const { push } = createWholePackets((piece) => void pieces.push(Buffer.from(piece)));
  // The version line comes whole.
  push(bytes.subarray(0, line.length));
  for (let at = line.length; at < bytes.length; at += size) push(bytes.subarray(at, at + size));
  return pieces;
}

test('pieces end where packets end, however the bytes come, and nothing is lost or held when a packet is whole', () => {
  const packets = [plain(20, 1200), plain(30, 44), plain(21, 12), sealed(7, 32), sealed(21, 32_784), sealed(9, 32_784), sealed(1, 16)];
  const bytes = Buffer.concat([line, ...packets]);
  const ends = new Set<number>([line.length]);
  for (let at = line.length, index = 0; index < packets.length; index++) ends.add((at += packets[index]?.length ?? 0));
  for (const size of [1, 3, 4, 5, 17, 1000, 16_384, 32_804, 65_536, bytes.length]) {
    const pieces = piecesOf(bytes, size);
    assert.ok(Buffer.concat(pieces).equals(bytes), `chunks of ${size}`);
    let at = 0;
    for (const piece of pieces) assert.ok(ends.has((at += piece.length)), `a piece ends at ${at} with chunks of ${size}`);
  }
});

test('bytes that are no packets are passed on as they come', () => {
  const { length } = line;
  for (const bytes of [Buffer.alloc(300, 0xff), Buffer.concat([line, plain(20, 40), Buffer.alloc(90_000, 0xff)])])
    for (const size of [1, 7, 64, 65_536]) {
      const pieces = piecesOf(bytes, size);
      assert.ok(Buffer.concat(pieces).equals(bytes), `chunks of ${size} after ${length}`);
    }
});

test('a packet that ssh2 goes on to read before keys are used is not overwritten by the next one', () => {
  const kept: Buffer[] = [];
  const { push } = createWholePackets((piece) => void kept.push(piece));
  const packets = [plain(20, 100), plain(30, 200), plain(21, 12)];
  push(line);
  const bytes = Buffer.concat(packets);
  for (let at = 0; at < bytes.length; at += 60) push(bytes.subarray(at, at + 60));
  assert.ok(Buffer.concat(kept.slice(1)).equals(bytes));
});
