import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { answerTimeOf } from './patience.ts';

const body = Readable.from([]);

test('a server that has taken all of an upload has half a minute to answer, and longer for many bytes', () => {
  assert.equal(answerTimeOf({ method: 'PUT', body, size: 0 }), 30_000);
  assert.ok((answerTimeOf({ method: 'PUT', body, size: 20 * 1024 * 1024 }) ?? 0) < 35_000);
  const large = answerTimeOf({ method: 'PUT', body, size: 1024 ** 3 }) ?? 0;
  assert.ok(large > 120_000 && large < 600_000);
  assert.equal(answerTimeOf({ method: 'PUT', body, size: 1024 ** 4 }), 600_000);
  assert.equal(answerTimeOf({ method: 'PUT', body }), 600_000, 'nobody knows how many bytes came');
});

test('only what may work on a whole tree has minutes, all else the usual time', () => {
  for (const method of ['COPY', 'DELETE', 'MOVE']) assert.equal(answerTimeOf({ method }), 600_000);
  for (const method of ['GET', 'HEAD', 'MKCOL', 'OPTIONS', 'PROPFIND', 'PROPPATCH', 'PUT'])
    assert.equal(answerTimeOf({ method }), undefined);
});
