import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onedrive } from './index.ts';

test('two links of one account are the same, of the account at another source they are not', () => {
  const info = { accountId: '8e2b', account: 'mara@example.org' };
  const identity = (provider: string) => onedrive.identity(onedrive.parse(info, provider));
  assert.equal(identity('OneDrive'), identity('onedrive'));
  assert.notEqual(identity('OneDriveForBusiness'), identity('Sharepoint'));
});
