import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import { type Google, smallJpeg, startGoogle } from '@sheaf/testbed';
import { testEnv } from '../../conformance/env.ts';
import { conformance } from '../../conformance/index.ts';
import { openDrive } from './connector.ts';
import { googledrive } from './index.ts';

const client = { id: 'sheaf', secret: 'secret of sheaf', redirectUris: ['https://sheaf.example/oauth'] };

describe('Google Drive on its simulator', () => {
  let google: Google | undefined;
  before(async () => {
    google = await startGoogle({ client });
  });
  after(async () => {
    await google?.stop();
    google?.assertClean();
  });
  const server = (): Google => google ?? assert.fail('the simulator is not running');
  const envOf = (email = 'mara@example.org', scopes = ['https://www.googleapis.com/auth/drive']) => {
    const { accessToken, refreshToken } = server().oauth.grant(email, scopes);
    return testEnv({
      app: server().app,
      grant: { accessToken, ...(refreshToken !== undefined && { refreshToken }) },
      ...(googledrive.authorization && { authorization: googledrive.authorization }),
      provider: 'GoogleDrive',
    });
  };

  conformance('Google Drive', async () => openDrive(envOf()), {
    offers: ['thumbnail', 'search', 'usage', 'changes'],
    picture: { bytes: smallJpeg, extension: '.jpg' },
    keepsModified: true,
    many: 1100,
  });
});
