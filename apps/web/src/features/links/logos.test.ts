import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sources } from '@sheaf/contract';
import { drawAll } from '../../../logos/plugin.ts';

/** The source types of the specification's overview, written out. */
const specified =
  'Autodesk B2 GoogleCloud Box Canopy Copy CloudDrive Dropbox DropboxTeams Facebook GoogleDrive Instagram Slack OneDrive OneDriveForBusiness ' +
  'Sharepoint S3 S3X S3Compat S3XCompat SheafGateway FTP OracleDocuments Procore SFTP Spaces WebDAV';

test('every source type and every provider has a logo and a menu picture', async () => {
  const files = await drawAll();
  const names = new Set([...specified.split(' '), ...sources.flatMap(({ provider, sourceTypes }) => [provider, ...sourceTypes])]);
  const missing = [...names].flatMap((name) =>
    ['logos', 'menu'].map((folder) => `images/${folder}/${name.toLowerCase()}.svg`).filter((path) => !files.has(path)),
  );
  assert.deepEqual(missing, []);
});
