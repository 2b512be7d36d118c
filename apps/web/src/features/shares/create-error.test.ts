import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorOfAnswer, faultError } from '#/lib/http/call-error.ts';
import { createErrorText } from './create-error.ts';

test('a refusal without a text is shown as an unknown error of creating, with its number [ERR-16]', () => {
  assert.equal(
    createErrorText(errorOfAnswer({ errorCode: 415, messageCode: 'INVALID_SHARE_URI', message: '' })),
    'An unknown error occurred trying to create the link [415]',
  );
  assert.equal(createErrorText(errorOfAnswer({ errorCode: 799 })), 'An unknown error occurred trying to create the link [799]');
});

test('a refusal with its own text is shown with that text', () => {
  const message = 'This item cannot be shared because its address is not valid.';
  assert.equal(createErrorText(errorOfAnswer({ errorCode: 415, messageCode: 'INVALID_SHARE_URI', message })), message);
  assert.match(createErrorText(faultError('noResponse')), /^Cannot connect to server\./);
});
