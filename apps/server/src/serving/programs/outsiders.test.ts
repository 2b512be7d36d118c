import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashesBelow } from '#/serving/testing/hashes.ts';
import type { LinkKind } from '#/serving/testing/link-kinds.ts';
import { cannotMount } from '#/serving/testing/mounts.ts';
import { carriers } from './testing/carriers.ts';
import { serve } from './testing/served.ts';

/** SHEAF_TEST_PROGRAMS=full, which `npm run programs` sets, carries 200 MiB and 2,000 files with each program over each kind of link. */
const isFull = process.env['SHEAF_TEST_PROGRAMS'] === 'full';
const amount = isFull ? { files: 2000, large: 200 * 1024 * 1024 } : { files: 30, large: 7 * 1024 * 1024 };
const kinds: readonly LinkKind[] = isFull ? ['sftp', 'objects', 'files'] : ['files'];
/** The other programs carry little in tests of the protocols, where they do more than carry. */
const isAlwaysTried = (name: string): boolean => carriers[name]?.mounts === true || name.startsWith('duplicity');

const reason = await cannotMount();
for (const [name, { carry, mounts }] of Object.entries(carriers))
  for (const kind of isFull || isAlwaysTried(name) ? kinds : [])
    test(`${name}: files go there and back over a link of the kind ${kind}`, { skip: (mounts && reason) ?? false }, async (t) => {
      const one = await serve(t, kind, amount);
      await carry(one);
      const carried = await hashesBelow(one.to);
      assert.equal(Object.keys(carried).length, amount.files + 1);
      assert.deepEqual(carried, await hashesBelow(one.from));
    });
