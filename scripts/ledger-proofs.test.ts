import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proofsOf } from './ledger-proofs.ts';

const kindOf = (path: string, text: string, support?: string): Record<string, string> =>
  Object.fromEntries(proofsOf(path, text, support).map(({ id, kind }) => [id, kind]));

test('a browser test that answers for the server proves the dialog, not the row', () => {
  const spec = [
    `test('the list shows names [LNK-01]', async ({ page }) => {`,
    `  await page.route('/rest/x', (route) => route.fulfill({ json: {} }));`,
    `});`,
    `test('the list shows sizes [LNK-02]', async ({ page }) => {`,
    `  await page.goto('/');`,
    `});`,
  ].join('\n');
  assert.deepEqual(kindOf('e2e/specs/links.spec.ts', spec), { 'LNK-01': 'stub', 'LNK-02': 'product' });
});

test('a stub inside a helper counts for every test that calls it, also from another module', () => {
  const helper = `export async function openList(page) {\n  calls.answer('all_links', empty);\n}\n`;
  const outer = `const openFirst = (page) => openList(page);\n`;
  const spec = `test('a row opens [LNK-03]', async ({ page }) => {\n  await openFirst(page);\n});\n`;
  assert.deepEqual(kindOf('e2e/specs/a.spec.ts', helper + outer + spec), { 'LNK-03': 'stub' });
  assert.deepEqual(kindOf('e2e/specs/a.spec.ts', outer + spec, helper), { 'LNK-03': 'stub' });
});

test('watching calls without answering them leaves the proof to the server', () => {
  const spec = `test('the form is sent [S3-01]', async () => {\n  assert.equal(calls.of('add').length, 1);\n});\n`;
  assert.deepEqual(kindOf('e2e/specs/a.spec.ts', spec), { 'S3-01': 'product' });
});

test('tests of tables and of functions alone prove no row', () => {
  const titled = `test('all codes are there [ERR-06]', () => {});`;
  assert.deepEqual(kindOf('packages/contract/src/errors.test.ts', titled), { 'ERR-06': 'unit' });
  assert.deepEqual(kindOf('apps/web/src/lib/a.test.ts', titled), { 'ERR-06': 'unit' });
  assert.deepEqual(kindOf('apps/server/src/links/links/rows.test.ts', titled), { 'ERR-06': 'unit' });
});

test('a server test that starts the app, and the conformance suite, prove their rows', () => {
  const titled = `test('a link is refused [ERR-07]', () => {});`;
  assert.deepEqual(kindOf('apps/server/src/a.test.ts', `import { testApp } from '#/testing/app.ts';\n${titled}`), { 'ERR-07': 'product' });
  assert.deepEqual(kindOf('packages/connectors/src/conformance/names.ts', titled), { 'ERR-07': 'product' });
});
