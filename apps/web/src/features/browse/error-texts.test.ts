import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { CallError } from '#/lib/http/call-error.ts';
import { loadErrorRows } from '#/lib/http/error-text.ts';
import { addFolderErrorText, browseErrorText, deleteErrorText, renameErrorText } from './error-texts.ts';

before(loadErrorRows);

const gone = new CallError({ errorCode: 701, messageCode: 'ITEM_NOT_FOUND', message: '', details: { name: '2025' } });
const wrong = new CallError({
  errorCode: 422,
  messageCode: 'INVALID_CREDENTIALS',
  message: 'The user name or password is not correct.',
  details: {},
});

test('a folder that cannot be browsed is named before the reason [BRW-07]', () => {
  assert.equal(browseErrorText('Photos/2025', gone), 'Cannot browse Photos/2025. "2025" no longer exists.');
});

test('wrong credentials while browsing are reported as those of the link [BRW-08]', () => {
  assert.equal(browseErrorText('Photos', wrong), 'Cannot access Photos. Your Photos link credentials are not valid.');
});

test('an item that could not be changed is named before the reason [BRW-09] [BRW-10] [BRW-11]', () => {
  assert.equal(addFolderErrorText(gone), 'Cannot add folder. "2025" no longer exists.');
  assert.equal(renameErrorText('2025', gone), 'Cannot rename 2025. "2025" no longer exists.');
  assert.equal(deleteErrorText('2025', gone), 'Cannot delete 2025. "2025" no longer exists.');
});
