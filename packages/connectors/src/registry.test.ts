import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Source, sources } from '@sheaf/contract';
import { connectorIds, findDefinition } from './registry.ts';

const rows: readonly Source[] = sources;

test('each row of the catalogue opens the connector that it names', async () => {
  for (const row of rows) assert.equal((await findDefinition(row))?.id, row.connector, row.provider);
});

test('every connector is named by a row of the catalogue', () => {
  const named = new Set(rows.flatMap(({ connector }) => connector ?? []));
  assert.deepEqual([...named].sort(), [...connectorIds].sort());
});

test('only internal sources, and those without an interface, have no connector', () => {
  const without = rows.filter(({ connector }) => connector === undefined);
  assert.deepEqual(
    without.filter(({ available, closed }) => available && closed === undefined),
    [],
  );
});
