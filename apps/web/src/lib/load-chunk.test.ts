import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { errorText } from './http/error-text.ts';
import { ChunkError, loadChunk } from './load-chunk.ts';

test('a script chunk that cannot be loaded is a chunk-load error [RT-111]', async () => {
  await assert.rejects(
    loadChunk(() => Promise.reject(new TypeError('Failed to fetch'))),
    (error) => error instanceof ChunkError && errorText(error) === 'Part of the page could not be loaded. Please refresh the page.',
  );
});

test('a script chunk times out after 120 seconds [RT-112]', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
  let outcome = 'pending';
  const loading = loadChunk(() => new Promise(() => undefined)).catch(
    (error: unknown) => (outcome = error instanceof ChunkError ? 'chunk error' : 'other'),
  );
  mock.timers.tick(119_999);
  await Promise.resolve();
  assert.equal(outcome, 'pending');
  mock.timers.tick(1);
  await loading;
  assert.equal(outcome, 'chunk error');
});
