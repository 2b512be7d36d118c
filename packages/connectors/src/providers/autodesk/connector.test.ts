import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Autodesk, startAutodesk } from '@sheaf/testbed';
import { conformance, hardNames } from '../../conformance/index.ts';
import { autodesk } from './index.ts';
import { bench, open, quay } from './testing/opening.ts';

let server: Autodesk;
before(async () => {
  server = await startAutodesk();
});
after(() => server.stop());

const badNames = [
  'quotes',
  'backslashes',
  'a question mark',
  'shell signs',
  'a colon and an at sign',
  'angle brackets of markup',
  'a tab',
  'a newline',
].map((what) => hardNames[what] ?? assert.fail(what));

for (const [kind, root] of [
  ['in Construction Cloud', quay],
  ['in Fusion Team', bench],
] as const)
  conformance(`Autodesk ${kind}`, async () => open(server), { offers: ['search'], root, badNames, many: 450 });

test('every request and answer matches the description', () => {
  server.assertClean();
});

test('the account is shown by its e-mail address and identified by its id', () => {
  const config = autodesk.parse({ userId: 'MARA01', email: 'mara@sheaf.example' }, 'Autodesk');
  assert.equal(autodesk.account(config), 'mara@sheaf.example');
  const later = autodesk.parse({ userId: 'MARA01', email: 'mara.lind@sheaf.example' }, 'Autodesk');
  assert.equal(autodesk.identity(config), autodesk.identity(later));
  assert.throws(() => autodesk.parse({}, 'Autodesk'), { kind: 'badConfig' });
});
