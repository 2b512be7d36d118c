import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { appError, englishWords, errorTable, placeholdersOf, reasonOf } from '@sheaf/contract';
import { ChunkError } from '#/lib/load-chunk.ts';
import { errorOfAnswer, faultError } from './call-error.ts';
import { WordedError, errorAnswerText, errorText, loadErrorRows, reasonText, setErrorWords } from './error-text.ts';
import { speakOther } from './other-words.ts';
import { rowText } from './row-text.ts';

before(loadErrorRows);

/** An error as it comes over the wire. */
const received = (error: ReturnType<typeof appError>) => errorOfAnswer(JSON.parse(JSON.stringify(error.toAnswer())));

test('a failure of the browser itself is shown in its own words, any other unknown one in general words', () => {
  assert.equal(errorText(new WordedError('No passkey was used.')), 'No passkey was used.');
  assert.doesNotMatch(errorText(new TypeError('x is undefined')), /undefined/);
});

test("a browser in another language words the server's answers from code and details", (t) => {
  speakOther(t);
  const texts = [
    appError('NAME_TAKEN', { name: 'a.txt' }),
    appError('INVALID_CREDENTIALS', {}),
    appError('CANNOT_CONNECT', { provider: 'SFTP' }),
    appError('CERTIFICATE_EXPIRED', { day: '2026-10-01' }),
    appError('INVALID_PARAMETER', { field: 'server' }),
    appError('REMOTE_UNSUPPORTED', { name: 'tape' }, undefined, { reason: reasonOf('REMOTE_TYPE_UNKNOWN', { type: 'hdfs' }) }),
  ].map((error) => errorText(received(error)));
  assert.deepEqual(texts, [
    '→name·taken← a.txt',
    '→invalid·credentials←',
    '→cannot·connect← SFTP',
    '→certificate·expired← 1. Oktober 2026',
    '→invalid·parameter← →host←',
    '→remote·unsupported← tape →remote·type·unknown← hdfs',
  ]);
  assert.equal(errorText(faultError('noResponse')), '→none← →fault←');
  assert.equal(errorText(faultError('unreadable')), '→fault←');
  assert.equal(errorText(new ChunkError(undefined)), '→chunk←');
  assert.equal(errorText(new Error('some English')), '→fault←');
  assert.equal(rowText('WEBLINK_GONE', {}), '→weblink·gone←');
});

test('no row of the catalogue shows its English sentence in a browser of another language', (t) => {
  speakOther(t);
  for (const [code, { code: errorCode, text }] of Object.entries(errorTable)) {
    const details = Object.fromEntries(placeholdersOf(text).map((name) => [name, '1']));
    const told = errorAnswerText({
      errorCode,
      messageCode: code,
      message: text,
      details,
      reasonCode: 'HOST_UNKNOWN',
      reasonDetails: { host: 'h' },
    });
    assert.ok(told.startsWith(`→${code.toLowerCase().replaceAll('_', '·')}←`), told);
  }
});

test('in English the browser says what the answer says', () => {
  const reason = reasonOf('HOST_UNKNOWN', { host: 'nas.example' });
  const answer = appError('CANNOT_CONNECT', { provider: 'SFTP' }, undefined, { reason }).toAnswer();
  assert.deepEqual([errorText(errorOfAnswer(answer)), reasonText(answer)], [answer.message, answer.reason]);
});

test("an error that this version does not know is shown with the answer's sentence, an unknown number in general words", () => {
  const newer = { errorCode: 701, messageCode: 'NEWER_ROW', message: 'The server has learnt something.' };
  assert.equal(errorText(errorOfAnswer(newer)), newer.message);
  assert.equal(errorText(errorOfAnswer({ ...newer, errorCode: 999 })), 'An unknown error occurred. [999]');
});

test("an error without its details is shown with the answer's sentence", () => {
  const older = { errorCode: 702, messageCode: 'NAME_TAKEN', message: 'There is already an item named a.txt.' };
  assert.equal(errorText(errorOfAnswer(older)), older.message);
  assert.equal(errorText(errorOfAnswer({ ...older, details: { name: 7 } })), older.message);
});

test('an error that nobody expected is shown with the id under which the server has logged it', () => {
  const answer = { ...appError('UNEXPECTED', { code: '799' }).toAnswer(), requestId: 'Xa3_-9kQ-1z' };
  assert.equal(errorText(errorOfAnswer(answer)), 'An unknown error occurred. [799] Reference: Xa3_-9kQ-1z');
});

test('before the rows of the catalogue are loaded, an error is shown with the sentence and the id of its answer', (t) => {
  t.after(() => setErrorWords(englishWords));
  setErrorWords(undefined);
  assert.equal(
    errorText(errorOfAnswer(appError('NAME_TAKEN', { name: 'a.txt' }).toAnswer())),
    appError('NAME_TAKEN', { name: 'a.txt' }).message,
  );
  const answer = { ...appError('UNEXPECTED', { code: '799' }).toAnswer(), requestId: 'Xa3_-9kQ-1z' };
  assert.equal(errorText(errorOfAnswer(answer)), 'An unknown error occurred. [799] Reference: Xa3_-9kQ-1z');
  assert.equal(rowText('WEBLINK_GONE', {}), appError('WEBLINK_GONE', {}).message);
  assert.match(errorText(errorOfAnswer({ errorCode: 999 })), /^Please check/);
});
