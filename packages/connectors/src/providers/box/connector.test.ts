import { after, before, describe } from 'node:test';
import { type Box, smallJpeg, startBox } from '@sheaf/testbed';
import { conformance, hardNames } from '../../conformance/index.ts';
import { openMara } from './testing/link.ts';

/** Names that Box does not support: backslashes, control characters, trailing spaces, and names that differ only in case. */
const badNames = ['trailing spaces', 'backslashes', 'a tab', 'a newline', 'a control character']
  .map((what) => String(hardNames[what]))
  .concat('readme');

/** Large enough that the suite's files of two parts need an upload session. */
const partSize = 20 * 1024 * 1024;

describe('box', () => {
  let simulator: Box;
  before(async () => {
    simulator = await startBox({ partSize });
  });
  after(async () => {
    await simulator.stop();
    simulator.assertClean();
  });
  conformance('box', () => openMara(simulator), {
    badNames,
    picture: { bytes: smallJpeg, extension: '.jpg' },
    offers: ['thumbnail', 'search', 'usage', 'changes'],
    keepsModified: true,
    copiesBetweenLinks: true,
    bin: { lists: true, purges: true },
    versions: true,
    hashes: ['sha1'],
    resumes: { reopen: () => openMara(simulator), partSize },
    // More than two pages of 1,000.
    many: 2_100,
  });
});
