import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type When, cronOf, whenOf } from './times.ts';

const when: When = { rhythm: 'daily', time: '02:05', days: [1], monthDay: 1, cron: '' };

test('a frequency and a time become cron text, and this text becomes the same fields again', () => {
  const cases: readonly (readonly [Partial<When>, string])[] = [
    [{ rhythm: 'hourly', time: '00:30' }, '30 * * * *'],
    [{ rhythm: 'daily' }, '5 2 * * *'],
    [{ rhythm: 'weekly', time: '23:00', days: [5, 0, 1] }, '0 23 * * 0,1,5'],
    [{ rhythm: 'monthly', monthDay: 31 }, '5 2 31 * *'],
    [{ rhythm: 'custom', cron: '*/15 8-18 * * 1-5' }, '*/15 8-18 * * 1-5'],
  ];
  for (const [fields, cron] of cases) {
    assert.equal(cronOf({ ...when, ...fields }), cron);
    const shown = whenOf(cron);
    assert.equal(shown.rhythm, fields.rhythm);
    assert.equal(cronOf(shown), cron);
  }
});

test('any other cron text is shown as it is', () => {
  for (const cron of ['0 2 1 * 1', '0 2 * 1 *', '0-5 2 * * *', '0 */2 * * *', '0 * 1 * *', 'often', ''])
    assert.deepEqual([whenOf(cron).rhythm, whenOf(cron).cron], ['custom', cron]);
});

test('incomplete fields are no cron text', () => {
  const incomplete: readonly Partial<When>[] = [
    { time: '' },
    { rhythm: 'weekly', days: [] },
    { rhythm: 'monthly', monthDay: 0 },
    { rhythm: 'custom', cron: ' ' },
  ];
  for (const fields of incomplete) assert.equal(cronOf({ ...when, ...fields }), undefined);
});
