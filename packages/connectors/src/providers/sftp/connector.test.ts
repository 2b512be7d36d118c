import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe } from 'node:test';
import { type OpensshServer, startOpenssh } from '@sheaf/testbed';
import { conformance, fillOnDisk } from '../../conformance/index.ts';
import { openTestLink } from './testing/link.ts';

describe('SFTP on OpenSSH', () => {
  let server: OpensshServer | undefined;
  before(async () => {
    server = await startOpenssh();
  });
  after(() => server?.stop());
  const running = () => server ?? assert.fail('the server is not running');

  conformance('sftp', async () => openTestLink(running()), {
    bin: 'hidden',
    copiesOnlyFiles: true,
    keepsModified: true,
    copiesBetweenLinks: true,
    resumes: { reopen: async () => openTestLink(running()) },
    reallyIn: (folder) => readdir(join(running().home, folder)),
    fill: fillOnDisk(() => running().home),
  });
});
