import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { getSession } from '@sheaf/contract';
import { type FastifyBaseLogger, LogController, fastify } from 'fastify';
import { createLog } from '#/platform/log.ts';
import { testApp } from '#/testing/app.ts';
import { RequestLog } from './request-log.ts';

/** An app whose requests write log lines by `write`, and the lines written. */
function logging(t: TestContext, write: (log: FastifyBaseLogger) => void) {
  const lines: string[] = [];
  const children: unknown[] = [];
  const log: FastifyBaseLogger = createLog('trace', { write: (line) => void lines.push(line) });
  const app = fastify({
    loggerInstance: log,
    childLoggerFactory: (parent, bindings, options) => {
      const counted: FastifyBaseLogger = Object.create(parent) as FastifyBaseLogger;
      counted.child = (...ask) => {
        children.push(ask);
        return parent.child(...ask);
      };
      return new RequestLog(counted, bindings, options);
    },
    logController: new LogController({ disableRequestLogging: true }),
  });
  app.get('/', async (request) => {
    write(request.log);
    return '';
  });
  t.after(() => app.close());
  return { lines, children, ask: () => app.inject({ url: '/' }) };
}

test('every line of a request carries its id, each level writes, and secrets are left out', async (t) => {
  const { lines, children, ask } = logging(t, (log) => {
    for (const level of ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const)
      log[level]({ password: 'hunter2', about: { token: 'hunter2' } }, level);
    log.child({ secret: 'hunter2', part: 'below' }).info('a child of it');
  });
  await ask();
  await ask();
  const written = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const messages = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'a child of it'];
  assert.deepEqual(
    written.map(({ msg }) => msg),
    [...messages, ...messages],
  );
  assert.deepEqual(
    written.map(({ reqId }) => reqId),
    [...messages.map(() => 'req-1'), ...messages.map(() => 'req-2')],
  );
  assert.deepEqual([written[0]?.['password'], written[0]?.['about']], ['[secret]', { token: '[secret]' }]);
  assert.deepEqual([written[6]?.['secret'], written[6]?.['part']], ['[secret]', 'below']);
  assert.ok(!lines.join('').includes('hunter2'));
  assert.equal(children.length, 2);
});

test('a request that logs nothing creates no logger of its own', async (t) => {
  const { lines, children, ask } = logging(t, () => undefined);
  await ask();
  assert.deepEqual([lines, children], [[], []]);
});

test('log lines of a call carry the id of its request', async (t) => {
  const { visitor, log } = await testApp(t);
  const { headers } = await visitor().inject({ url: getSession.path });
  const line = log()
    .split('\n')
    .find((one) => one.includes('call refused'));
  assert.equal((JSON.parse(line ?? '{}') as { reqId?: string }).reqId, headers['x-request-id']);
});
