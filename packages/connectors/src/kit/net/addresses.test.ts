import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addressRule } from './addresses.ts';

test('loopback and private addresses are reachable only where the setting allows it', () => {
  const all = [
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '::1',
    'fd00::1',
    'fec0::1',
    '64:ff9b:1::1',
    '2002:c0a8:101::1',
  ];
  for (const address of all) {
    assert.equal(addressRule('deny')(address), false, address);
    assert.equal(addressRule('allow')(address), true, address);
  }
  assert.equal(addressRule(['192.168.0.0/16'])('192.168.1.1'), true);
  assert.equal(addressRule(['192.168.0.0/16'])('10.0.0.1'), false);
});

test('link-local, metadata, unspecified and IPv4-compatible addresses are never reachable', () => {
  for (const address of [
    '169.254.169.254',
    '0.0.0.0',
    '::',
    '::7f00:1',
    '::127.0.0.1',
    'fe80::1',
    'fe80::1%eth0',
    'ff02::1',
    '255.255.255.255',
    'name',
  ])
    for (const networks of ['allow', 'deny', ['0.0.0.0/0', '::/0']] as const) assert.equal(addressRule(networks)(address), false, address);
});

test('public addresses are reachable whatever the setting', () => {
  for (const address of ['1.1.1.1', '2606:4700::1111', '::ffff:1.1.1.1']) assert.equal(addressRule('deny')(address), true, address);
});

test('a NAT64 translator does not lead to a blocked address', () => {
  assert.equal(addressRule('allow')('64:ff9b::169.254.169.254'), false);
  assert.equal(addressRule('allow')('2002:a9fe:a9fe::1'), false);
  assert.equal(addressRule('allow')('64:ff9b::10.0.0.1'), true);
});

test('an IPv4 address is treated the same in each of its IPv6 notations', () => {
  const byte = fc.integer({ min: 0, max: 255 });
  fc.assert(
    fc.property(byte, byte, byte, byte, fc.constantFrom<'allow' | 'deny'>('allow', 'deny'), (a, b, c, d, networks) => {
      const rule = addressRule(networks);
      const plain = `${a}.${b}.${c}.${d}`;
      const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
      const notations = [`::ffff:${plain}`, `::FFFF:${hex}`, `0:0:0:0:0:ffff:${plain}`, `0000:0000:0000:0000:0000:ffff:${hex}`];
      for (const notation of notations) assert.equal(rule(notation), rule(plain), notation);
    }),
  );
});
