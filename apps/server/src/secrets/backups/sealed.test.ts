import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { type Secret, openFile, sealFile } from './sealed.ts';

const masterKey = randomBytes(32);
const key: Secret = { key: masterKey };
async function* pieces(bytes: Buffer, size = 50_000): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}
const collect = async (stream: AsyncIterable<Buffer>): Promise<Buffer> => Buffer.concat(await Array.fromAsync(stream));
const seal = (plain: Buffer, secret: Secret = key): Promise<Buffer> =>
  collect(sealFile(pieces(plain), { secret, masterKey, madeAt: 1_800_000_000 }));
const open = async (file: Buffer, secret: Secret = key): Promise<Buffer> => {
  const { plain } = await openFile(pieces(file), () => secret);
  return collect(plain);
};

test('a sealed file gives back its bytes, whatever its length, and hides them', async () => {
  for (const length of [0, 1, 65_535, 65_536, 65_537, 200_000]) {
    const plain = Buffer.alloc(length, 'secret');
    const file = await seal(plain);
    assert.ok(!file.includes('secret'));
    assert.ok((await open(file)).equals(plain), `${length} bytes`);
  }
});

test('every change, every cut and every addition is refused, and so is a foreign file', async () => {
  const file = await seal(randomBytes(150_000));
  const refused = { name: 'BadBackup' };
  const places = [0, 8, 11, 40, 200, ...Array.from({ length: 30 }, (_, index) => 300 + index * 4999), file.length - 1];
  for (const place of places) {
    const changed = Buffer.from(file);
    changed.writeUInt8(changed.readUInt8(place) ^ 1, place);
    await assert.rejects(open(changed), refused, `byte ${place} changed`);
    await assert.rejects(open(file.subarray(0, place)), refused, `cut at ${place}`);
  }
  const head = file.length - 150_000 - 3 * 16;
  const chunk = 65_536 + 16;
  await assert.rejects(open(file.subarray(0, head + chunk)), /end is missing/, 'cut after a whole chunk');
  await assert.rejects(open(Buffer.concat([file, Buffer.from('x')])), refused);
  const [first, second] = [file.subarray(head, head + chunk), file.subarray(head + chunk, head + 2 * chunk)];
  await assert.rejects(open(Buffer.concat([file.subarray(0, head), second, first, file.subarray(head + 2 * chunk)])), refused);
  await assert.rejects(open(Buffer.from('SQLite format 3\0')), /no backup of Sheaf/);
  await assert.rejects(open(Buffer.alloc(0)), /no backup of Sheaf/);
  await assert.rejects(open(file, { key: randomBytes(32) }), /This key does not open/);
});

test('only the passphrase opens what a passphrase has sealed', async () => {
  const plain = randomBytes(10);
  const file = await seal(plain, { passphrase: 'a long enough one' });
  assert.ok((await open(file, { passphrase: 'a long enough one' })).equals(plain));
  await assert.rejects(open(file, { passphrase: 'another one' }), /passphrase is wrong/);
});
