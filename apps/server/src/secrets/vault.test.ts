import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { masterKeys } from './master-key.ts';
import { createVault } from './vault.ts';

const place = { table: 'link_secret', recordId: 'link1', field: 'password' };
const refused = { name: 'AppError', messageCode: 'UNEXPECTED' };
const keyless = { name: 'AppError', messageCode: 'SECRET_UNREADABLE' };
const folder = async (t: TestContext): Promise<string> => {
  const path = await mkdtemp(join(tmpdir(), 'sheaf-vault-'));
  t.after(() => rm(path, { recursive: true }));
  return path;
};

test('a sealed secret can be opened again, and no two sealings of it are alike', () => {
  const vault = createVault(randomBytes(32));
  for (const secret of ['', 'päss wörd', 'x'.repeat(20_000)]) {
    const [one, two] = [vault.seal(place, secret), vault.seal(place, secret)];
    assert.notEqual(one, two);
    assert.equal(vault.open(place, one), secret);
    assert.equal(vault.open(place, two), secret);
  }
});

test('a sealed secret that was changed anywhere does not open', () => {
  const vault = createVault(randomBytes(32));
  const sealed = vault.seal(place, 'secret');
  for (const [index, part] of sealed.split('.').entries()) {
    const parts = sealed.split('.');
    parts[index] = (part.startsWith('A') ? 'B' : 'A') + part.slice(1);
    // The second part is the key's id.
    assert.throws(() => vault.open(place, parts.join('.')), index === 1 ? keyless : refused, `part ${index}`);
  }
  for (const nonsense of ['', 'v2.a.b.c.d', sealed.slice(0, -4), `${sealed}AAAA`])
    assert.throws(() => vault.open(place, nonsense), refused);
  assert.throws(() => vault.open(place, 'v1.a.b.c.d'), keyless);
});

test('a sealed secret that was moved to another record, field or table does not open', () => {
  const vault = createVault(randomBytes(32));
  const sealed = vault.seal(place, 'secret');
  for (const other of [{ recordId: 'link2' }, { field: 'keyfileContent' }, { table: 'account' }])
    assert.throws(() => vault.open({ ...place, ...other }, sealed), refused);
});

test('after a key change, old secrets open while their key is configured, and are distinguished from those of the new key', () => {
  const [old, fresh] = [randomBytes(32), randomBytes(32)];
  const sealed = createVault(old).seal(place, 'secret');
  const rotated = createVault(fresh, [old]);
  assert.equal(rotated.open(place, sealed), 'secret');
  assert.equal(rotated.isCurrent(sealed), false);
  assert.equal(rotated.isCurrent(rotated.seal(place, 'secret')), true);
  assert.throws(() => createVault(fresh).open(place, sealed), keyless);
});

test('without a setting the key is generated once, for the owner of the data folder only', async (t) => {
  const dataDir = await folder(t);
  const setting = { dataDir, secretKey: undefined, previousSecretKeys: [] };
  const all = await Promise.all([masterKeys(setting), masterKeys(setting), masterKeys(setting)]);
  assert.equal(new Set(all.map(({ current }) => current.toString('hex'))).size, 1);
  assert.equal((await stat(join(dataDir, 'secret.key'))).mode & 0o777, 0o600);
  assert.equal(Buffer.from(await readFile(join(dataDir, 'secret.key'), 'utf8'), 'base64').length, 32);
});

test('a key given later leaves the generated one as a previous one', async (t) => {
  const dataDir = await folder(t);
  const { current } = await masterKeys({ dataDir, secretKey: undefined, previousSecretKeys: [] });
  const secretKey = randomBytes(32);
  assert.deepEqual(await masterKeys({ dataDir, secretKey, previousSecretKeys: [] }), { current: secretKey, previous: [current] });
});
