import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorTable, getSession, listSchedules } from '@sheaf/contract';
import { testApp } from '#/testing/app.ts';
import { createRequestIds } from './request-log.ts';

test('every error answer carries an id, under which the log has the cause of an unexpected error', async (t) => {
  const app = await testApp(t);
  const user = await app.signUp();
  await app.services.db.schema.dropTable('schedule').execute();
  const broken = await user.send(listSchedules, {});
  const { errorCode, message, requestId } = broken.json<{ errorCode: number; message: string; requestId: string }>();
  assert.deepEqual([broken.statusCode, errorCode], [500, errorTable.UNEXPECTED.code]);
  assert.ok(!message.includes('schedule'));
  assert.equal(broken.headers['x-request-id'], requestId);
  const line = app
    .log()
    .split('\n')
    .find((one) => one.includes('"call failed"'));
  assert.equal((JSON.parse(line ?? '{}') as { reqId?: string }).reqId, requestId);
  const refused = await app.visitor().inject({ url: getSession.path });
  assert.match(String(refused.headers['x-request-id']), /^[\w-]{12}$/);
  assert.notEqual(refused.headers['x-request-id'], requestId);
  assert.equal(refused.json<{ requestId?: string }>().requestId, undefined);
});

test('ids of requests are random and unique', () => {
  const next = createRequestIds();
  const ids = Array.from({ length: 20_000 }, next);
  assert.equal(new Set(ids).size, ids.length);
  assert.ok(ids.every((id) => /^[\w-]{12}$/.test(id)));
});
