import { after, before, describe } from 'node:test';
import { type Box, smallJpeg, startBox } from '@sheaf/testbed';
import { conformance, hardNames } from '../../conformance/index.ts';
import { openMara } from './testing/link.ts';

/** What Box cannot hold: names with a backslash, a control character or a space at their end, and two that differ in capitals only. */
const badNames = ['trailing spaces', 'backslashes', 'a tab', 'a newline', 'a control character']
  .map((what) => String(hardNames[what]))
  .concat('readme');

describe('box', () => {
  let simulator: Box;
  before(async () => {
    simulator = await startBox();
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
    // More than two pages of 1,000.
    many: 2_100,
  });
});
