import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkOf } from './network.ts';

test('IPv6 addresses of one /64 are one network in every notation', () => {
  assert.equal(networkOf('2001:db8:1:2::1'), '2001:db8:1:2::/64');
  assert.equal(networkOf('2001:0DB8:0001:0002:ffff:0:0:9'), '2001:db8:1:2::/64');
  assert.notEqual(networkOf('2001:db8:1:3::1'), networkOf('2001:db8:1:2::1'));
  assert.equal(networkOf('::1'), '0:0:0:0::/64');
});

test('IPv4 addresses are networks of their own, also in IPv6 notation', () => {
  assert.equal(networkOf('192.0.2.7'), '192.0.2.7');
  assert.notEqual(networkOf('::ffff:192.0.2.7'), networkOf('::ffff:192.0.2.8'));
});
