import { describe } from 'node:test';
import { directoryStructures } from '@sheaf/contract';
import { conformance, conformanceOfKept } from '../../conformance/index.ts';
import { startAccountTest } from './testing/account.ts';

const MiB = 1024 * 1024;

for (const [title, enabled, traits] of [
  ['versioning', { versioning: true }, { versions: true, bin: { lists: 'files', purges: false } }],
  ['soft delete', { softDelete: true }, { versions: 'unlisted', bin: { lists: 'files', purges: false } }],
] as const)
  describe(`Azure with ${title}, on its simulator`, () => {
    const { open, newContainer } = startAccountTest(enabled);
    let container = '';
    const reopen = async () => open(container, { pageSize: 400, usualPart: MiB }, { directoryStructure: directoryStructures.enhanced });
    const openNew = async () => {
      container = newContainer();
      return reopen();
    };
    conformance(`Azure with ${title}`, openNew, {
      offers: ['listTree'],
      keepsModified: true,
      many: 900,
      hashes: ['md5'],
      copiesBetweenLinks: true,
      resumes: { reopen, partSize: MiB },
      numbered: true,
      ...traits,
    });
    // Pages on which the states of a name do not all fit.
    conformanceOfKept(`Azure with ${title}, 2 blobs a page`, async () => open(newContainer(), { pageSize: 2 }), traits);
  });
