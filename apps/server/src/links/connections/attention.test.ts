import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appError, reasonOf } from '@sheaf/contract';
import { readAttention, writtenAttention } from './attention.ts';

test('what a link needs attention for is stored with its code, its details and its sentence', () => {
  const reason = reasonOf('HOST_UNKNOWN', { host: 'nas.example' });
  const error = appError('CANNOT_CONNECT', { provider: 'SFTP' }, undefined, { reason });
  assert.deepEqual(readAttention(writtenAttention(error)), { attention: error.message, attentionError: error.toAnswer() });
});

test('a sentence stored by an earlier version is still shown', () => {
  const sentence = 'The user name or password is not correct.';
  assert.deepEqual(readAttention(sentence), { attention: sentence });
});
