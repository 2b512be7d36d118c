import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectorError } from '@sheaf/connectors';
import { type MessageCode, appError, errorTable } from '@sheaf/contract';
import { s3ErrorOf } from './errors.ts';

/** Every detail that a template may name. */
const details = new Proxy({}, { get: () => '1', has: () => true });

test('no refusal is told as a fault of the server: clients would repeat the request', () => {
  const codes = Object.keys(errorTable) as MessageCode[];
  const asFault = codes.filter((code) => {
    const told = s3ErrorOf(appError(code, details as never)).status;
    const { status } = errorTable[code];
    return status < 500 && status !== 429 && told >= 500 && told !== 501;
  });
  assert.deepEqual(asFault, []);
});

test('a storage that refuses the login of the link is not told as a wrong access key of the client', () => {
  const refused = new ConnectorError('unauthorized', 'no');
  for (const code of ['INVALID_CREDENTIALS', 'KEY_REFUSED'] as const)
    assert.equal(s3ErrorOf(appError(code, {}, refused)).code, 'AccessDenied');
  assert.equal(s3ErrorOf(appError('INVALID_CREDENTIALS', {})).code, 'InvalidAccessKeyId');
});
