import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { type MessageCode, type Source, type Verdict, appError, errorTable, findSource, reasonOf, sources } from '@sheaf/contract';
import { CallError, errorOfAnswer, faultError } from '#/lib/http/call-error.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { speakOther } from '#/lib/http/other-words.ts';
import { failureOfError, failureOfVerdict } from './failures.ts';
import { formOf } from './forms.ts';

function dialog(provider: string) {
  const source = findSource(provider);
  const form = formOf(source?.family);
  assert.ok(source && form);
  return { source, form };
}
const answer = (messageCode: MessageCode) => ({
  errorCode: errorTable[messageCode].code,
  messageCode,
  message: errorTable[messageCode].text,
  details: {},
});
function told(provider: string, messageCode: MessageCode) {
  const { form, source } = dialog(provider);
  return failureOfError(form, source, new CallError(answer(messageCode)));
}
const judged = (provider: string, verdict: Verdict) => failureOfVerdict(dialog(provider).form, verdict);
const question = 'could not validate these credentials. You may still be able to connect. Do you want to continue?';

test('FTP, file server and SFTP ask whether to continue when a connection is refused', () => {
  assert.deepEqual(judged('FTP', { isValid: false }), { text: `The FTP server ${question}`, canContinue: true });
  assert.deepEqual(judged('OFS', { isValid: false }), { text: `The file server ${question}`, canContinue: true });
  assert.deepEqual(judged('SFTP', { isValid: false }), { text: `The SFTP server ${question}`, canContinue: true });
});

test('the question keeps the findings of the server', () => {
  const failure = judged('FTP', { isValid: false, ...answer('CERTIFICATE_NAME_MISMATCH') });
  assert.equal(failure.reason, 'Invalid SSL certificate. Name Mismatch.');
  assert.equal(failure.canContinue, true);
});

test('S3 reports at its field which of bucket, key and signature is wrong, and offers nothing', () => {
  const at = (code: MessageCode) => judged('S3', { isValid: false, ...answer(code) });
  assert.deepEqual([at('BUCKET_NOT_FOUND').field, at('INVALID_KEY').field, at('INVALID_SIGNATURE').field], ['bucketName', 'key', 'secret']);
  assert.deepEqual(judged('S3', { isValid: false }), { text: 'The S3 server could not validate these credentials.', canContinue: false });
  assert.equal(told('S3', 'CANNOT_CONNECT').canContinue, false);
});

test('S3 and B2 show their own sentence where the server refuses without a known reason, together with its reason', () => {
  for (const [provider, server] of [
    ['S3', 'S3'],
    ['B2', 'b2'],
  ] as const)
    assert.deepEqual(judged(provider, { isValid: false, ...answer('SOURCE_FORBIDS') }), {
      text: `The ${server} server could not validate these credentials.`,
      reason: errorTable.SOURCE_FORBIDS.text,
      canContinue: false,
    });
});

test('a certificate that is not valid may be trusted where the dialog has a certificate rule', () => {
  const certificate = 'AB:CD';
  assert.equal(judged('FTP', { isValid: false, ...answer('CERTIFICATE_SELF_SIGNED'), certificate }).certificate, certificate);
  const { form, source } = dialog('WebDAV');
  const error = new CallError({ ...answer('CERTIFICATE_EXPIRED'), certificate });
  assert.deepEqual(failureOfError(form, source, error), { text: errorText(error), canContinue: false, certificate });
  assert.equal(judged('OFS', { isValid: false, ...answer('CERTIFICATE_SELF_SIGNED'), certificate }).certificate, undefined);
});

test('an invalid value is reported at its field, whichever it is', () => {
  const { form, source } = dialog('FTP');
  const failure = failureOfError(form, source, new CallError({ ...answer('INVALID_PARAMETER'), field: 'numConcurrentConnections' }));
  assert.equal(failure.field, 'numConcurrentConnections');
});

test('a mistake that the user can correct is shown at its field and cannot be skipped', () => {
  for (const row of ['DUPLICATE_LINK_NAME', 'INVALID_NAME', 'NAME_TOO_LONG'] as const) assert.equal(told('FTP', row).field, 'name');
  assert.equal(judged('SFTP', { isValid: false, ...answer('WRONG_PASSPHRASE') }).field, 'passphrase');
  assert.equal(judged('SFTP', { isValid: false, ...answer('WRONG_PASSPHRASE') }).canContinue, false);
  assert.equal(told('SFTP', 'INVALID_KEY_FILE').field, 'keyfileContent');
  assert.equal(told('SheafGateway', 'INVALID_CONNECTION_JSON').field, 'authjson');
  assert.equal(told('SheafGateway', 'INVALID_KEY').field, 'authjson');
});

test('generic WebDAV and the gateway ask when nothing answers, a named provider does not', () => {
  const asked = 'server to validate your credentials. You may still be able to connect. Do you want to continue?';
  assert.deepEqual(told('WebDAV', 'CANNOT_CONNECT'), { text: `Could not connect to WebDAV ${asked}`, canContinue: true });
  assert.deepEqual(told('SheafGateway', 'CANNOT_CONNECT'), { text: `Could not connect to Sheaf Gateway ${asked}`, canContinue: true });
  assert.equal(told('hidrive', 'CANNOT_CONNECT').canContinue, false);
  assert.equal(told('WebDAV', 'CERTIFICATE_MISSING').canContinue, false);
});

test('WebDAV reports a wrong login in its own words', () => {
  assert.equal(told('WebDAV', 'INVALID_CREDENTIALS').text, 'Invalid login credentials. Please try again.');
});

test('only a gateway address without its scheme gets the hint [ERR-05]', () => {
  assert.match(told('SheafGateway', 'NO_SCHEMA_SUPPLIED').text, /Please include http:\/\/ or https:\/\/ in the server address\.$/);
  assert.doesNotMatch(told('SheafGateway', 'MISSING_PARAMETER').text, /http/);
});

test('FTP, Oracle Documents, Google Cloud and authorized links may be saved although the account is linked already [ERR-18] [ERR-19] [FTP-20] [ORA-23] [GCS-17] [OAU-12]', () => {
  for (const provider of ['FTP', 'OracleDocuments', 'GoogleCloud', 'Dropbox']) {
    const question = 'You have already linked this account. Do you want to continue?';
    assert.deepEqual(told(provider, 'DUPLICATE_LINK'), { text: question, canContinue: true }, provider);
  }
  for (const provider of ['S3', 'OFS', 'WebDAV', 'SheafGateway', 'SFTP', 'B2']) {
    const label = dialog(provider).form.createLabel;
    const text = `You have already linked this account. Press ${label} again to link it once more.`;
    assert.deepEqual(told(provider, 'DUPLICATE_LINK'), { text, canContinue: false, linksAgain: true }, provider);
  }
});

test('a network error is shown with the prefix of its dialog [ERR-39]', () => {
  const text = (provider: string) => {
    const { form, source } = dialog(provider);
    return failureOfError(form, source, faultError('unreadable')).text.replace(' Please check your network connection and try again.', '|');
  };
  assert.equal(text('S3'), 'Cannot connect to the S3 server.|');
  assert.equal(text('FTP'), 'Cannot connect to the FTP server.|');
  assert.equal(text('OFS'), 'Cannot connect to the file server.|');
  assert.equal(text('SheafGateway'), 'Cannot connect to the gateway server.|');
  assert.equal(text('SFTP'), 'Cannot connect to the SFTP server.|');
  assert.equal(text('hidrive'), 'Cannot connect to the HiDrive server.|');
  assert.equal(text('OracleDocuments'), 'Cannot connect to the Oracle Documents server.|');
  assert.equal(text('B2'), 'Cannot connect to the b2 server.|');
  assert.equal(text('GoogleCloud'), 'Cannot connect.|');
  assert.equal(text('Dropbox'), 'Cannot connect.|');
});

test('a changed host key comes with its fingerprint and cannot be skipped unseen', () => {
  const failure = judged('SFTP', { isValid: false, ...answer('HOST_KEY_CHANGED'), hostKey: 'SHA256:abc' });
  assert.equal(failure.hostKey, 'SHA256:abc');
  assert.equal(failure.canContinue, false);
});

/** An error as it comes over the wire. */
const received = (error: ReturnType<typeof appError>) => errorOfAnswer(JSON.parse(JSON.stringify(error.toAnswer())));

test("link dialogs word the server's findings in the language of the browser", (t) => {
  speakOther(t);
  const hidrive = dialog('hidrive');
  const reason = reasonOf('PORT_CLOSED', { host: 'nas', port: '443' });
  const unreachable = received(appError('CANNOT_CONNECT', { provider: 'HiDrive' }, undefined, { reason }));
  const told = failureOfError(hidrive.form, hidrive.source, unreachable);
  assert.deepEqual([told.text, told.reason], ['→cannot·connect← HiDrive', '→port·closed← nas 443']);
  const names = reasonOf('CERTIFICATE_OTHER_NAMES', { names: 'a.example', host: 'b.example' });
  const certificate = received(appError('CERTIFICATE_NAME_MISMATCH', {}, undefined, { reason: names }));
  const refused = failureOfError(hidrive.form, hidrive.source, certificate);
  assert.deepEqual([refused.text, refused.reason], ['→certificate·name·mismatch←', '→certificate·other·names← a.example b.example']);
  const taken = failureOfError(hidrive.form, hidrive.source, received(appError('DUPLICATE_LINK_NAME', { name: 'NAS' })));
  assert.deepEqual([taken.text, taken.field], ['→duplicate·link·name← NAS', 'name']);
  const verdict = { isValid: false, ...appError('INVALID_CREDENTIALS', {}).toAnswer() };
  assert.equal(failureOfVerdict(dialog('FTP').form, verdict).reason, '→invalid·credentials←');
});

test('every question and note of a link dialog is worded in the language of the browser', (t) => {
  speakOther(t);
  const isOther = (text: string): boolean => text.startsWith('→') || text === '';
  const all: readonly Source[] = sources;
  for (const source of all) {
    const form = formOf(source.family);
    if (!form) continue;
    const texts = [
      form.refused(),
      form.unreachable('→fault←', source),
      ...(['CANNOT_CONNECT', 'DUPLICATE_LINK', 'NO_SCHEMA_SUPPLIED', 'INVALID_CREDENTIALS'] as const).flatMap((row) =>
        (['create', 'edit'] as const).map(
          (mode) => failureOfError(form, source, new CallError({ ...answer(row), details: { provider: 'X' } }), mode).text,
        ),
      ),
      failureOfError(form, source, faultError('unreadable')).text,
    ];
    assert.deepEqual(
      texts.filter((text) => !isOther(text)),
      [],
      source.provider,
    );
  }
});
