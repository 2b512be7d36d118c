import { describe } from 'node:test';
import { directoryStructures } from '@sheaf/contract';
import { conformance, conformanceOfKept } from '../../conformance/index.ts';
import { blobOptions, blobTraits, startAccountTest } from './testing/account.ts';

for (const [title, enabled, traits] of [
  ['versioning', { versioning: true }, { versions: true, bin: { lists: 'files', purges: false } }],
  ['soft delete', { softDelete: true }, { versions: 'unlisted', bin: { lists: 'files', purges: false } }],
] as const)
  describe(`Azure with ${title}, on its simulator`, () => {
    const { open, newContainer } = startAccountTest(enabled);
    let container = '';
    const reopen = async () => open(container, blobOptions, { directoryStructure: directoryStructures.enhanced });
    const openNew = async () => {
      container = newContainer();
      return reopen();
    };
    conformance(`Azure with ${title}`, openNew, { ...blobTraits(reopen), ...traits });
    // Pages on which the states of a name do not all fit.
    conformanceOfKept(`Azure with ${title}, 2 blobs a page`, async () => open(newContainer(), { pageSize: 2 }), traits);
  });
