import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sourceTable, withTable } from './source-table.ts';

test('the README’s table of sources is what the connectors can do', async () => {
  const text = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
  assert.equal(text, withTable(text, await sourceTable()), 'run node scripts/source-table.ts');
});
