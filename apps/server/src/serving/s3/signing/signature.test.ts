import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Claim, isSignedBy } from './signature.ts';

test('a signature over names that every object has, such as "constructor", is wrong like any other', () => {
  const headers = { host: 'sheaf.example', 'x-amz-date': '20261127T000000Z' };
  for (const name of ['constructor', '__proto__', 'tostring', 'valueof']) {
    const claim: Claim = {
      accessKeyId: 'SH',
      scope: '20261127/sheaf/s3/aws4_request',
      time: '20261127T000000Z',
      names: ['host', name],
      signature: '0'.repeat(64),
      payload: 'UNSIGNED-PAYLOAD',
    };
    assert.equal(isSignedBy('secret', { method: 'GET', path: '/s3/', query: new URLSearchParams(), headers }, claim), false, name);
  }
});
