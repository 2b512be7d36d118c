import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openWithPasskey, sealForPasskey } from '../keys/passkey.ts';
import { usualNames } from '../names/options.ts';
import { createVault, openVault } from '../vault.ts';
import {
  isShareFolderName,
  isShareSecret,
  newShareFolderName,
  newShareSecret,
  readShareIndex,
  shareKeys,
  writeShareIndex,
} from './share.ts';

test('a share has its own keys, derived from its secret alone', async () => {
  const vault = await openVault({ password: 'of the vault', password2: '' }, usualNames);
  const secret = newShareSecret();
  assert.ok(isShareSecret(secret));
  assert.notEqual(newShareSecret(), secret);
  const [share, again, other] = [secret, secret, newShareSecret()].map((text) => createVault(shareKeys(text), usualNames));
  const nonce = share?.newNonce() ?? new Uint8Array(24);
  const sealed = share?.files.seal(nonce, new TextEncoder().encode('letter')) ?? new Uint8Array();
  const read = async (opened: typeof vault | undefined): Promise<string> => {
    let text = '';
    const body = async function* () {
      yield sealed.subarray(32);
    };
    const whole = { size: sealed.length, nonce, start: 0, end: 6 };
    for await (const piece of opened?.files.read(body, whole) ?? []) text += new TextDecoder().decode(piece);
    return text;
  };
  assert.equal(await read(again), 'letter');
  await assert.rejects(read(other), { damage: 'block' });
  await assert.rejects(read(vault), { damage: 'block' });
});

test('an index is read as it was written, and other text is not an index', () => {
  const index = {
    name: 'Trip',
    items: [{ path: ['Trip'] }, { path: ['Trip', 'a.txt'], modified: 5, file: { stored: '1', size: 3, nonce: 'AAAA' } }],
  };
  assert.deepEqual(readShareIndex(writeShareIndex(index)), index);
  const withItem = (item: unknown) => JSON.stringify({ v: 1, name: 'x', items: [item] });
  for (const text of [
    '',
    'null',
    '{"v":2,"name":"x","items":[]}',
    withItem({ path: [] }),
    withItem({ path: [''] }),
    withItem({ path: ['a'], file: { stored: '../a', size: 1, nonce: '' } }),
    withItem({ path: ['a'], file: { stored: '1', size: 1.5, nonce: '' } }),
  ])
    assert.equal(readShareIndex(text), undefined, text);
});

test('the folder of a share is recognised by its name', () => {
  assert.ok(isShareFolderName(newShareFolderName()));
  assert.ok(!isShareFolderName('.sheaf-share-letters'));
});

test('a note of a vault opens only for its purpose and with its key', async () => {
  const vault = await openVault({ password: 'one', password2: '' }, usualNames);
  const other = await openVault({ password: 'another', password2: '' }, usualNames);
  const note = vault.sealNote('sheaf vault: share', { name: 'planted' });
  assert.ok(!note.includes('planted'));
  assert.deepEqual(vault.openNote('sheaf vault: share', note), { name: 'planted' });
  assert.equal(vault.openNote('sheaf vault: upload', note), undefined);
  assert.equal(other.openNote('sheaf vault: share', note), undefined);
  vault.wipe();
  assert.throws(() => vault.sealNote('sheaf vault: share', {}), { damage: 'locked' });
});

test('passwords open with the output of the passkey that sealed them', () => {
  const passwords = { password: 'one', password2: 'two' };
  const [output, other] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
  const sealed = sealForPasskey(output, passwords);
  assert.deepEqual(openWithPasskey(output, sealed), passwords);
  assert.equal(openWithPasskey(other, sealed), undefined);
});
