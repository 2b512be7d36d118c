import { after, before, describe } from 'node:test';
import { type Dropbox, smallJpeg, startDropbox } from '@sheaf/testbed';
import { conformance, hardNames } from '../../conformance/index.ts';
import { openAs, openTeam } from './testing/link.ts';

/** Names that Dropbox does not support: backslashes, trailing spaces, and names that differ only in case. */
const badNames = [hardNames['trailing spaces'], hardNames['backslashes'], 'readme'].map(String);
const traits = {
  hashes: ['dropbox'],
  copiesBetweenLinks: true,
  badNames,
  picture: { bytes: smallJpeg, extension: '.jpg' },
  offers: ['thumbnail', 'search', 'usage', 'changes'],
  keepsModified: true,
  bin: { lists: false, purges: false },
  versions: true,
  freeParents: true,
  // More than one page of 2,000.
  many: 2_100,
} as const;

for (const [title, open, more] of [
  ['dropbox', (simulator: Dropbox) => openAs(simulator, 'mara@example.org'), {}],
  ['dropbox team space', (simulator: Dropbox) => openTeam(simulator), { root: '/All hands' }],
] as const)
  describe(title, () => {
    let simulator: Dropbox;
    before(async () => {
      simulator = await startDropbox();
    });
    after(async () => {
      await simulator.stop();
      simulator.assertClean();
    });
    conformance(title, () => open(simulator), { ...traits, resumes: { reopen: () => open(simulator) }, ...more });
  });
