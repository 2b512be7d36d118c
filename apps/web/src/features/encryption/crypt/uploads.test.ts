import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Vault, fromBase64, openVault, sealedSize, usualNames } from '@sheaf/vault';
import { createUploads } from './uploads.ts';

const clear = Uint8Array.from({ length: 40 * 65_536 + 100 }, (_, index) => (index * 31 + (index >> 8)) & 255);
const fileOf = (bytes: Uint8Array<ArrayBuffer>) => new File([bytes], 'day.bin', { lastModified: 1_700_000_000_000 });
const room = (): ArrayBuffer => new ArrayBuffer(2 * 1024 * 1024);

async function setting(): Promise<{ vault: Vault; uploads: ReturnType<typeof createUploads> }> {
  const vault = await openVault({ password: 'secret', password2: '' }, usualNames);
  return { vault, uploads: createUploads(() => vault) };
}

test('pieces of any size match the whole encrypted file, and are written to the given buffer', async () => {
  const { vault, uploads } = await setting();
  const { uploadId, size, nonce } = await uploads.begin({ vaultId: 'v', source: fileOf(clear) });
  assert.equal(size, sealedSize(clear.length));
  const whole = vault.files.seal(fromBase64(nonce), clear);
  const lent = room();
  for (const [start, end] of [
    [0, 1],
    [0, 31],
    [16, 65_584],
    [65_584, 65_585],
    [1_000_000, 2_100_000],
    [size - 1, size],
    [size - 2_000_000, size],
  ] as const) {
    const answer = await uploads.seal({ uploadId, start, end, room: lent });
    assert.equal(answer.room, lent);
    assert.equal(Buffer.compare(new Uint8Array(lent, 0, end - start), whole.subarray(start, end)), 0, `${start} to ${end}`);
  }
});

test('a later page resumes with the note and the same bytes; any other byte in the encrypted part gets a new nonce', async () => {
  const { uploads } = await setting();
  const { uploadId, nonce } = await uploads.begin({ vaultId: 'v', source: fileOf(clear) });
  const { note = '' } = await uploads.seal({ uploadId, start: 0, end: 2_000_000, room: room() });
  const again = await uploads.begin({ vaultId: 'v', source: fileOf(clear), note });
  assert.deepEqual([again.goesOn, again.nonce], [true, nonce]);
  for (const at of [0, 1_048_575, 1_048_576, 1_999_000]) {
    const other = clear.slice();
    other[at] = (other[at] ?? 0) ^ 1;
    const anew = await uploads.begin({ vaultId: 'v', source: fileOf(other), note });
    assert.deepEqual([anew.goesOn, anew.nonce === nonce], [false, false], String(at));
  }
  // The end was not encrypted yet, so it may change.
  const longer = clear.slice();
  longer[clear.length - 1] = 0;
  assert.equal((await uploads.begin({ vaultId: 'v', source: fileOf(longer), note })).goesOn, true);
});

test('nothing is encrypted for an upload that has ended, or whose vault is locked', async () => {
  const { vault, uploads } = await setting();
  const first = await uploads.begin({ vaultId: 'v', source: fileOf(clear) });
  uploads.end(first.uploadId);
  await assert.rejects(uploads.seal({ uploadId: first.uploadId, start: 0, end: 10, room: room() }), { damage: 'locked' });
  const second = await uploads.begin({ vaultId: 'v', source: fileOf(clear) });
  uploads.forget(vault);
  await assert.rejects(uploads.seal({ uploadId: second.uploadId, start: 0, end: 10, room: room() }), { damage: 'locked' });
});
