import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type MessageCode, AppError, appError, errorTable } from './errors.ts';

/** Code → the beginning of its text, for codes whose meaning or wording the specification fixes. */
const fixed: readonly [title: string, row: MessageCode, code: number, text: string][] = [
  ['104 is an invalid session [ERR-03]', 'INVALID_SESSION', 104, 'Your session has expired. Please sign in again.'],
  [
    '107 is a missing parameter [ERR-04]',
    'MISSING_PARAMETER',
    107,
    'Some required information is missing. Please check the form and try again.',
  ],
  ['111 is an invalid source type [ERR-07]', 'INVALID_SOURCE_TYPE', 111, 'This type of storage is not supported.'],
  ['116 is a missing Backup subscription [ERR-09]', 'NO_BACKUP_SUBSCRIPTION', 116, 'You need a Backup subscription to use this folder.'],
  ['117 is the message of a space [ERR-10]', 'SPACE_UNCHANGEABLE', 117, 'This space cannot be changed right now.'],
  ['124 is an account that is not eligible [ERR-11]', 'NOT_ELIGIBLE', 124, 'Your account is not eligible for this subscription.'],
  [
    '202 is an invalid space folder [ERR-12]',
    'INVALID_SPACE_FOLDER',
    202,
    'This folder cannot be used for a space. Please choose a different folder.',
  ],
  ['222 is an invalid name [ERR-13]', 'INVALID_NAME', 222, 'Name cannot contain invalid characters : / \\ < > ? * |'],
  ['351 is an invalid link [ERR-14]', 'INVALID_LINK_URI', 351, 'This link could not be found. It may have been unlinked.'],
  [
    '415 is an invalid address of a share [ERR-15]',
    'INVALID_SHARE_URI',
    415,
    'This item cannot be shared because its address is not valid.',
  ],
  [
    '419 is another account than the link uses [ERR-17]',
    'ACCOUNT_MISMATCH',
    419,
    'You signed in with a different account than the one this link uses.',
  ],
  ['420 is a duplicate link [ERR-18]', 'DUPLICATE_LINK', 420, 'You have already linked this account.'],
  ['422 is wrong credentials [ERR-21]', 'INVALID_CREDENTIALS', 422, 'The user name or password is not correct.'],
  ['424 is an invalid key [ERR-22]', 'INVALID_KEY', 424, 'The access key is not valid.'],
  ['425 is an invalid signature [ERR-23]', 'INVALID_SIGNATURE', 425, 'The signature does not match. Please check the secret key.'],
  ['426 is a missing bucket [ERR-24]', 'BUCKET_NOT_FOUND', 426, 'The bucket was not found. Please check the bucket name.'],
  ['610 is a payment error [ERR-27]', 'PAYMENT_FAILED', 610, 'The payment could not be processed. Please try again later.'],
  [
    '611 is invalid billing information [ERR-28]',
    'BILLING_INVALID',
    611,
    'Your billing information is not valid. Click CONTINUE to update your billing information.',
  ],
  [
    '612 is missing billing information [ERR-29]',
    'BILLING_OUTDATED',
    612,
    'Your billing information is missing or out of date. Click CONTINUE to update it.',
  ],
  ['614 is an expired subscription [ERR-30]', 'SUBSCRIPTION_EXPIRED', 614, 'Your subscription has expired.'],
  ['653 is the certificate of another host [ERR-33]', 'CERTIFICATE_NAME_MISMATCH', 653, 'Invalid SSL certificate. Name Mismatch.'],
  [
    '654 is the wrong way of signing in [ERR-34]',
    'AUTH_TYPE_MISMATCH',
    654,
    'The authentication type does not match the server. Please choose a different authentication type.',
  ],
  ['655 is a missing certificate [ERR-35]', 'CERTIFICATE_MISSING', 655, 'Invalid SSL certificate. The SSL certificate is missing.'],
];
for (const [title, row, code, text] of fixed) {
  test(title, () => {
    const error = new AppError(row, {});
    assert.deepEqual(error.toAnswer(), { errorCode: code, messageCode: row, message: text });
  });
}

test('421 and 429 name what the user entered [ERR-20] [ERR-26]', () => {
  assert.equal(
    appError('DUPLICATE_LINK_NAME', { name: 'Photos' }).message,
    'You already have a link named Photos. Please enter a different name.',
  );
  assert.equal(
    appError('DUPLICATE_SPACE_NAME', { name: 'Photos' }).message,
    'You already have an space named Photos. Please enter a different name.',
  );
});

test('110, 114 and 427 are not in the table: nothing here gives them', () => {
  const codes = new Set<number>(Object.values(errorTable).map(({ code }) => code));
  assert.deepEqual(
    [110, 114, 427].filter((code) => codes.has(code)),
    [],
  );
});

test('652 names the provider [ERR-32]', () => {
  const message = 'Cannot connect to HiDrive server. Please check your network connection and try again later.';
  assert.equal(appError('CANNOT_CONNECT', { provider: 'HiDrive' }).message, message);
});

test('any other failure is an unknown error with its code [ERR-36]', () => {
  assert.equal(appError('UNEXPECTED', { code: '799' }).message, 'An unknown error occurred. [799]');
});

test('a slot is filled with the text as it is, never read as a pattern', () => {
  assert.equal(
    appError('DUPLICATE_LINK_NAME', { name: '$& {name}' }).message,
    'You already have a link named $& {name}. Please enter a different name.',
  );
});

test('every row has an HTTP status that says failure, and its own numbers begin at 700', () => {
  for (const [name, { code, status }] of Object.entries(errorTable)) {
    assert.ok(status >= 400 && status < 600, name);
    assert.ok(code < 656 || (code >= 700 && code < 800), name);
  }
});

test('every code of ours has one meaning', () => {
  const ours = Object.entries(errorTable).filter(([, { code }]) => code >= 700);
  const twice = ours.filter(([name, { code }]) => ours.some(([other, row]) => row.code === code && other !== name));
  assert.deepEqual(twice, []);
});
