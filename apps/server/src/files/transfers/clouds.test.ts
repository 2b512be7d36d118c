import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { type Connector, ConnectorError, findDefinition } from '@sheaf/connectors';
import { createMemorySource } from '@sheaf/connectors/memory';
import {
  copyObjects,
  findSource,
  linkUriOf,
  oneTransfer,
  pauseTransfer,
  resumeTransfer,
  transferPlan,
  transferReport,
} from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import { testApp } from '#/testing/app.ts';
import { addSftp } from '#/testing/links.ts';
import { type Cloud, startBoxCloud, startDrive, startOneDrive } from '#/testing/storages/clouds.ts';

for (const [name, start] of [
  ['OneDrive', async (t) => startOneDrive(t, 'OneDrive')],
  ['SharePoint', async (t) => startOneDrive(t, 'Sharepoint')],
  ['Box', startBoxCloud],
  ['Google Drive', startDrive],
] as const satisfies readonly (readonly [string, (t: TestContext) => Promise<Cloud>])[])
  test(`a large file that was interrupted on its way to ${name} continues with the missing parts`, async (t) => {
    const cloud = await start(t);
    const definition = (await findDefinition(findSource(cloud.provider) ?? assert.fail())) ?? assert.fail(cloud.provider);
    const config = definition.parse(cloud.info, cloud.provider);
    const source = createMemorySource();
    const offsets: number[] = [];
    let isStopped = false;

    const first = Promise.withResolvers<void>();

    /** Stops the second part, once the first is stored, until the transfer is paused. */
    function stopping(connector: Connector): Connector {
      const sendPart = connector.sendPart?.bind(connector) ?? assert.fail('no uploads in parts');
      return {
        ...connector,
        async sendPart(path, body, part) {
          offsets.push(part.offset);
          if (!isStopped && part.offset > 0) {
            await first.promise;
            isStopped = true;
            if (!part.signal.aborted) await once(part.signal, 'abort');
            body.destroy();
            throw new ConnectorError('aborted', 'paused');
          }
          const receipt = await sendPart(path, body, part);
          first.resolve();
          return receipt;
        },
      };
    }
    const { signUp, services } = await testApp(t, {
      findDefinition: async () => ({
        ...source.definition,
        async open(info, env) {
          if ((info as Record<string, string>)['server'] !== 'cloud.example')
            return source.definition.open(info as Record<string, string>, env);
          const cloudEnv = { ...env, ...(cloud.app && { app: cloud.app }), tokens: { access: async () => cloud.accessToken } };
          return stopping(await definition.open(config, cloudEnv));
        },
      }),
    });
    const user = await signUp();
    const { userLinkId: from } = await addSftp(user, 'From', { server: 'from.example' });
    const { userLinkId: to } = await addSftp(user, 'To', { server: 'cloud.example' });
    const bytes = randomBytes(48 * 1024 * 1024 + 12_345);
    source.put('/large.bin', bytes);

    const { transferId } = await user.ask(copyObjects, {
      linkUri: [linkUriOf(from, '/large.bin')],
      parentLinkUri: linkUriOf(to, cloud.folder),
      conflict: 'fail',
    });
    await eventually(async () => isStopped, 'the second part is on its way');
    await user.ask(pauseTransfer, { transferId });
    await user.ask(resumeTransfer, { transferId });
    const state = async () => (await user.ask(oneTransfer, { transferId })).state;
    await eventually(async () => ['done', 'failed'].includes(await state()), 'the transfer has ended', 60_000);
    assert.equal(await state(), 'done', (await user.send(transferReport, { transferId, format: 'json' })).body);

    assert.equal(offsets.filter((offset) => offset === 0).length, 1, `parts were sent at ${offsets.join(', ')}`);
    const { items } = await user.ask(transferPlan, { transferId, offset: 0, limit: 10 });
    assert.deepEqual(
      items.map(({ proof }) => proof),
      ['hash'],
    );
    const { connector } = await services.connections.open(user.userId, to);
    const path = cloud.folder === '/' ? '/large.bin' : `${cloud.folder}/large.bin`;
    const body = await connector.read(path, { signal: AbortSignal.timeout(60_000) });
    const chunks: Buffer[] = [];
    await body.drain(async (chunk) => void chunks.push(Buffer.from(chunk)));
    assert.ok(Buffer.concat(chunks).equals(bytes));
  });
