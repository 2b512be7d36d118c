import assert from 'node:assert/strict';
import { test } from 'node:test';
import { familyCalls } from '@sheaf/contract';
import { draftOf, ftpInfo, linkApp } from '#/testing/links.ts';

test('saving an FTP link checks the connection, unless a check just did or the user continues anyway', async (t) => {
  const { user, source, refuse } = await linkApp(t);
  const draft = draftOf(ftpInfo, { serverName: 'NAS' });
  refuse('unauthorized');
  assert.equal((await user.refusal(familyCalls.ftp.add, draft)).messageCode, 'INVALID_CREDENTIALS');
  assert.ok((await user.ask(familyCalls.ftp.add, { ...draft, continueAnyway: true })).userLinkId);
  refuse();
  const other = draftOf({ ...ftpInfo, username: 'noor' }, { serverName: 'Other' });
  assert.equal((await user.ask(familyCalls.ftp.validate, other)).isValid, true);
  const { opened } = source.counts;
  await user.ask(familyCalls.ftp.add, other);
  assert.equal(source.counts.opened, opened, 'what a check has just proven is not asked again');
});
