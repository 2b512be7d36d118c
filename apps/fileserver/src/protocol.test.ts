import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { calls, capabilitiesOf } from './calls.ts';
import { statuses } from './refusal.ts';

const docs = join(import.meta.dirname, '../../../docs/gateway');
const { paths, components } = JSON.parse(await readFile(join(docs, 'openapi.json'), 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
  readonly components: {
    readonly schemas: { readonly Refusal: { readonly properties: { readonly code: { readonly enum: readonly string[] } } } };
  };
};
const text = await readFile(join(docs, 'protocol.md'), 'utf8');

test('the documented calls are those of the file server, and each names the capability it needs', () => {
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => [`${method.toUpperCase()} /sheaf/v1${path}`, operationId]),
  );
  const served = Object.entries(calls).map(([call, { capability }]) => [call, capability ?? 'info']);
  assert.deepEqual(Object.fromEntries(documented), Object.fromEntries(served));
  for (const call of Object.keys(calls)) assert.ok(text.includes(`\`${call.replace('/sheaf/v1/', '')}`), call);
  assert.ok(text.includes(JSON.stringify(capabilitiesOf({ readOnly: false }))));
});

test('the documented codes are those that the file server returns, with their status', () => {
  assert.deepEqual(components.schemas.Refusal.properties.code.enum.toSorted(), Object.keys(statuses).toSorted());
  const rows = [...text.matchAll(/^\| `(\w+)` \| (\d{3}) \|/gm)].map(([, code, status]) => [code, Number(status)]);
  assert.deepEqual(Object.fromEntries(rows), statuses);
});
