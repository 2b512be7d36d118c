import assert from 'node:assert/strict';
import { test } from 'node:test';
import { englishWords } from './english-words.ts';
import { type ErrorRow, type MessageCode, errorTable } from './error-table.ts';
import { type ErrorDetails, listSeparator, placeholdersOf, sentenceOf } from './error-words.ts';
import { appError, reasonOf } from './errors.ts';
import * as contract from './index.ts';
import { reasonTable } from './reason-table.ts';

/** Code → beginning of its text, for codes whose meaning or wording the specification fixes. */
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
    const error = appError(row, {} as Parameters<typeof appError>[1]);
    assert.deepEqual(error.toAnswer(), { errorCode: code, messageCode: row, message: text, details: {} });
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

test('110 and 114 are not in the table, because nothing here sends them', () => {
  const codes = new Set<number>(Object.values(errorTable).map(({ code }) => code));
  assert.deepEqual(
    [110, 114].filter((code) => codes.has(code)),
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

test('a slot is filled with the literal text, never as a replacement pattern', () => {
  assert.equal(
    appError('DUPLICATE_LINK_NAME', { name: '$& {name}' }).message,
    'You already have a link named $& {name}. Please enter a different name.',
  );
});

test('every row has an HTTP error status, and our own codes begin at 700', () => {
  for (const [name, { code, status }] of Object.entries(errorTable)) {
    assert.ok(status >= 400 && status < 600, name);
    assert.ok(code < 656 || (code >= 700 && code < 1000), name);
  }
});

test('each of our codes has one meaning', () => {
  const ours = Object.entries(errorTable).filter(([, { code }]) => code >= 700);
  const twice = ours.filter(([name, { code }]) => ours.some(([other, row]) => row.code === code && other !== name));
  assert.deepEqual(twice, []);
});

const rows = Object.entries(errorTable) as [MessageCode, ErrorRow][];
/** Makes a detail for each placeholder, with a value that every kind of placeholder accepts. */
const detailsOf = (template: string): ErrorDetails => Object.fromEntries(placeholdersOf(template).map((name) => [name, '2026-10-01']));

for (const [name, { text, unnamed }] of rows) {
  test(`${name}: the placeholders of the template are the details of the answer, and the sentence is complete`, () => {
    const details = detailsOf(text);
    const given = Object.fromEntries(Object.entries(details).filter(([detail]) => detail !== 'reason'));
    const error = appError(name, given as Parameters<typeof appError>[1], undefined, {
      reason: reasonOf('REMOTE_TYPE_UNKNOWN', { type: 'tape' }),
    });
    const answer = error.toAnswer();
    assert.deepEqual(answer.details, given);
    assert.equal(answer.message, error.message);
    assert.doesNotMatch(answer.message, /[{}]/, 'nothing is left to fill in');
    for (const other of placeholdersOf(unnamed ?? '')) assert.ok(other in details && other !== 'name', other);
  });
}

test('each sentence begins with a capital or a detail, ends with a full stop, and has no words in capitals', () => {
  const printed = new Set(['INVALID_NAME', 'UNEXPECTED', 'BILLING_INVALID', 'BILLING_OUTDATED']);
  const sentences = [
    ...rows.flatMap(([name, { text, unnamed }]) => [[name, text] as const, ...(unnamed ? [[name, unnamed] as const] : [])]),
    ...Object.entries(reasonTable),
  ];
  for (const [name, text] of sentences) {
    assert.match(text, /^["A-Z{]/, name);
    if (!printed.has(name)) assert.match(text, /[.}]$/, name);
    if (printed.has(name)) continue;
    const shouted = (text.match(/\b[A-Z]{4,}\b/g) ?? []).filter(
      (word) => !['HTTP', 'HTTPS', 'JSON', 'NTLM', 'SHEAF_ALLOWED_HOSTS'].includes(word),
    );
    assert.deepEqual(shouted, [], name);
  }
});

test('names given by users are quoted, unless the specification fixes the words', () => {
  const fixedWords = new Set<string>(['DUPLICATE_BACKUP_NAME', 'DUPLICATE_LINK_NAME', 'DUPLICATE_SPACE_NAME']);
  for (const [name, { text }] of rows.filter(([row]) => !fixedWords.has(row))) assert.doesNotMatch(text, /(?<!"){name}|{name}(?!")/, name);
});

test('an item whose name is unknown is mentioned without an empty name', () => {
  for (const [name, { text, unnamed }] of rows)
    if (unnamed !== undefined) assert.doesNotMatch(sentenceOf(englishWords, name, { ...detailsOf(text), name: '' }), /""|{name}/);
  assert.equal(appError('ITEM_NOT_FOUND', { name: '' }).message, 'This item no longer exists.');
});

test('days, fields and lists travel as data and are written by the sentence', () => {
  const { message, details } = appError('CERTIFICATE_EXPIRED', { day: '2026-10-01' }).toAnswer();
  assert.deepEqual([message, details], ['Invalid SSL certificate. It expired on 1 October 2026.', { day: '2026-10-01' }]);
  assert.equal(appError('INVALID_PARAMETER', { field: 'bucketName' }).message, 'Please check the bucket name and try again.');
  assert.equal(appError('INVALID_PARAMETER', { field: 'processData' }).message, 'Please check "processData" and try again.');
  const organisations = ['Acme', 'Halm'].join(listSeparator);
  assert.match(appError('OWNS_ORGANISATIONS', { organisations }).message, /^You own "Acme" and "Halm"\./);
});

test('a reason travels as its code, its details and its sentence', () => {
  const reason = reasonOf('PORT_CLOSED', { host: 'nas.example', port: '22' });
  const answer = appError('CANNOT_CONNECT', { provider: 'SFTP' }, undefined, { reason, certificate: 'AB' }).toAnswer();
  assert.deepEqual(answer, {
    errorCode: 652,
    messageCode: 'CANNOT_CONNECT',
    message: 'Cannot connect to SFTP server. Please check your network connection and try again later.',
    details: { provider: 'SFTP' },
    reason: 'nas.example is there, but nothing answers at port 22.',
    reasonCode: 'PORT_CLOSED',
    reasonDetails: { host: 'nas.example', port: '22' },
    certificate: 'AB',
  });
});

test('an error about an item uses the name by which the user knows it', () => {
  assert.equal(appError('ITEM_NOT_FOUND', { name: 'data' }).named('Team').message, '"Team" no longer exists.');
  const nameless = appError('DUPLICATE_LINK', {});
  assert.equal(nameless.named('Team'), nameless);
});

/** All object schemas within a schema. */
function objectsIn(value: unknown): Readonly<Record<string, unknown>>[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'properties' in value && typeof value.properties === 'object' && value.properties !== null ? [{ ...value.properties }] : [];
  return [...own, ...Object.values(value).flatMap(objectsIn)];
}

test('no answer reports an error by a sentence alone: its code and details accompany it', () => {
  const calls = Object.entries(contract).filter(([, value]) => typeof value === 'object' && value !== null && 'reply' in value);
  assert.ok(calls.length > 100);
  const shapes = calls.flatMap(([name, value]) =>
    objectsIn((value as { readonly reply: unknown }).reply).map((shape) => ({ name, shape })),
  );
  for (const { name, shape } of shapes) {
    if ('message' in shape) assert.ok('messageCode' in shape && 'details' in shape, name);
    if ('attention' in shape) assert.ok('attentionError' in shape, name);
    if ('note' in shape) assert.ok('noteCode' in shape && 'noteDetails' in shape, name);
  }
});
