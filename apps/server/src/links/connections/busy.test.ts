import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectorError } from '@sheaf/connectors';
import { AppError } from '@sheaf/contract';
import { spaceError } from '#/access/space-errors.ts';
import { answerOf } from './answers.ts';

const errorOf = (details: Record<string, string>): AppError => {
  const error = answerOf(new ConnectorError('rateLimited', 'busy', { details }), { provider: 'FTP' });
  assert.ok(error instanceof AppError);
  return error;
};

test('a call that waited in vain says whether the source is throttling, all connections are in use, or an upload holds them', () => {
  assert.deepEqual(
    [{}, { waited: 'connections' }, { waited: 'connections', uploading: 'film.bin' }].map((details) => errorOf(details).message),
    [
      'FTP asks us to slow down. Please try again in a moment.',
      'All connections to FTP are in use. Please try again in a moment.',
      '"film.bin" is being uploaded, and FTP allows no further connection. Please try again when the upload has finished.',
    ],
  );
});

test('a member of a Space does not learn which file its owner uploads', () => {
  const error = errorOf({ waited: 'connections', uploading: 'film.bin' });
  const shown = (isOwner: boolean): unknown => {
    const shownError = spaceError(error, '/', { name: 'Team', ownerName: 'Mara', isOwner });
    return shownError instanceof AppError && [shownError.messageCode, shownError.message.includes('film.bin')];
  };
  assert.deepEqual(
    [shown(true), shown(false)],
    [
      ['LINK_UPLOADING', true],
      ['LINK_BUSY', false],
    ],
  );
});
