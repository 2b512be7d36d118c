import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFolderReader } from './folder.ts';

test('the list of many links comes in several answers, each of which a client takes', async () => {
  const names = Array.from({ length: 1234 }, (_, index) => `${index} ${'x'.repeat(240)}`);
  const places = names.map((name) => ({ name, userLinkId: name }));
  const deps = {} as Parameters<typeof openFolderReader>[1];
  const next = await openFolderReader({ kind: 'root', places } as unknown as Parameters<typeof openFolderReader>[0], deps);
  const got: string[] = [];
  for (let entries = await next(); entries.length > 0; entries = await next()) {
    assert.ok(entries.length <= 100);
    got.push(...entries.map(({ name }) => name));
  }
  assert.deepEqual(got, names);
});
