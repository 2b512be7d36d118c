import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseServerAddress } from './server-address.ts';

const read = (text: string) => {
  const { host, port } = parseServerAddress(text, 22);
  return `${host} ${port}`;
};

test("a name without a port gets the protocol's port, and a port may follow the name [SFTP-24]", () => {
  assert.equal(read('nas.halm.example'), 'nas.halm.example 22');
  assert.equal(read(' nas.halm.example:2222 '), 'nas.halm.example 2222');
  assert.equal(read('192.0.2.7:2222'), '192.0.2.7 2222');
});

test('IPv6 addresses are parsed with and without brackets', () => {
  assert.equal(read('[2001:db8::7]:2222'), '2001:db8::7 2222');
  assert.equal(read('[2001:db8::7]'), '2001:db8::7 22');
  assert.equal(read('2001:db8::7'), '2001:db8::7 22');
});

test('a scheme, a user and a path around it are removed', () => {
  assert.equal(read('sftp://mara@nas.example:2200/home/mara'), 'nas.example 2200');
});

test('text that is not an address is rejected and quoted in the error', () => {
  for (const text of ['', ':22', 'a b', 'host:99999', 'host:0', 'host:x', '[::1', 'a:b:c']) {
    assert.throws(() => parseServerAddress(text, 22), { kind: 'badConfig', details: { field: 'server' } }, text);
  }
});
