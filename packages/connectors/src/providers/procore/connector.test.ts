import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Procore, startProcore } from '@sheaf/testbed';
import { conformance } from '../../conformance/index.ts';
import { procore } from './index.ts';
import { drawings, open, own } from './testing/opening.ts';

let server: Procore;
before(async () => {
  server = await startProcore();
});
after(() => server.stop());

for (const [kind, root] of [
  ['in a project', drawings],
  ['in the documents of a company', own],
] as const)
  conformance(`Procore ${kind}`, async () => open(server), { lacks: ['copy'], offers: ['search'], root, many: 600 });

test('every request and answer matches the description', () => {
  server.assertClean();
});

test('the account is shown by its login and identified by its id', () => {
  const config = procore.parse({ userId: '1001', login: 'mara@sheaf.example' }, 'Procore');
  assert.equal(procore.account(config), 'mara@sheaf.example');
  assert.equal(procore.identity(config), procore.identity(procore.parse({ userId: '1001', login: 'lind@sheaf.example' }, 'Procore')));
  assert.throws(() => procore.parse({}, 'Procore'), { kind: 'badConfig' });
});
