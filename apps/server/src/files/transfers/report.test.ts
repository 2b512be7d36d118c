import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportHead, reportLines } from './report.ts';
import type { ItemRow } from './rows/item-store.ts';

test('no name in a report becomes a formula of a spreadsheet', () => {
  const names = ['/plain, "quoted".txt', '=1+1', ' =1+1', '＝1+1', '@SUM(A1)', '\t=1'];
  const rows = names.map(
    (fromPath) => ({ fromPath, toPath: '/x', size: 5, made: null, error: null, attempts: 0, state: 'done' }) as ItemRow,
  );
  const lines = reportLines(rows, 'csv', 'auto').split('\r\n').slice(0, -1);
  assert.deepEqual(
    lines.map((line) => line.slice(0, line.indexOf(',/x,'))),
    ['"/plain, ""quoted"".txt"', "'=1+1", "' =1+1", "'＝1+1", "'@SUM(A1)", '"\'\t=1"'],
  );
  assert.match(reportHead('csv'), /^from,to,bytes,/);
});
