import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { type Slack, startSlack } from '@sheaf/testbed';
import { testEnv } from '../../conformance/env.ts';
import type { Connector } from '../../core/connector.ts';
import { collect } from '../../kit/body/body.ts';
import { openSlack } from './connector.ts';

const ask = () => ({ signal: AbortSignal.timeout(20_000) });
const config = { teamId: 'T0SHEAF', userId: 'U0MARA', account: 'mara at sheaf.example' };

function open({ oauth, app }: Slack): Connector {
  const { accessToken } = oauth.grant(config.userId);
  return openSlack(config, testEnv({ app, grant: { accessToken } }));
}
const put = (connector: Connector, bytes: string) =>
  connector.write?.('/harbour/file.txt', Readable.from([Buffer.from(bytes)]), { ...ask(), ifExists: 'replace', size: bytes.length }) ??
  assert.fail('no write');
const get = async (connector: Connector): Promise<string> => (await collect(await connector.read('/harbour/file.txt', ask()))).toString();

const remove = 'POST /files.delete';
const refusal = (error: string) => ({ kind: 'reply', reply: { json: { ok: false, error } } }) as const;

for (const [what, at, faults] of [
  ['the answer is lost that says that the old one is gone', remove, [{ kind: 'lost' }]],
  ['somebody else has deleted the old one', remove, [refusal('file_deleted')]],
  ['Slack is busy when the old one is to be deleted', remove, [{ kind: 'rateLimit', retryAfter: 0 }]],
  ['Slack fails for a moment when the old one is to be deleted', remove, [refusal('internal_error')]],
  ['Slack cannot be asked whether the new one has arrived', 'GET /files.info', [refusal('internal_error')]],
] as const)
  test(`a file that replaces another exists afterwards, although ${what}`, async () => {
    const server = await startSlack();
    server.addChannel('harbour');
    const connector = open(server);
    try {
      await put(connector, 'old');
      for (const fault of faults) server.faults.next(at, 1, fault);
      await put(connector, 'new');
      assert.equal(await get(connector), 'new');
      const again = open(server);
      if (what !== 'somebody else has deleted the old one') assert.equal(await get(again), 'new');
      await again.close();
    } finally {
      await connector.close();
      await server.stop();
    }
  });

test('while Slack does not report whether the old file is gone, the new one stays', async () => {
  const server = await startSlack();
  server.addChannel('harbour');
  const connector = open(server);
  try {
    await put(connector, 'old');
    server.faults.next(remove, 1, { kind: 'lost' });
    server.faults.next(remove, 10, refusal('internal_error'));
    await assert.rejects(put(connector, 'new'), { kind: 'unreachable' });
    server.faults.clear();
    assert.equal(await get(open(server)), 'new');
  } finally {
    await connector.close();
    await server.stop();
  }
});
