import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { findDefinition } from '@sheaf/connectors';
import { createMemorySource } from '@sheaf/connectors/memory';
import { copyObjects, findSource, linkUriOf, oneTransfer, transferReport } from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import { testApp } from '#/testing/app.ts';
import { addSftp } from '#/testing/links.ts';
import { type CloudPair, drivePair, dropboxPair, oneDrivePair } from '#/testing/storages/cloud-pairs.ts';

/** Copies the file of the pair, and returns its line of the report. */
async function copied(t: TestContext, { provider, app, from, to, file, folder }: CloudPair): Promise<Readonly<Record<string, unknown>>> {
  const definition = (await findDefinition(findSource(provider) ?? assert.fail())) ?? assert.fail(provider);
  const accounts = new Map([
    ['from.example', from],
    ['to.example', to],
  ]);
  const { signUp } = await testApp(t, {
    findDefinition: async () => ({
      ...createMemorySource().definition,
      async open(info, env) {
        const { accessToken, info: cloud } = accounts.get((info as Record<string, string>)['server'] ?? '') ?? assert.fail('unknown link');
        const cloudEnv = { ...env, ...(app && { app }), tokens: { access: async () => accessToken } };
        return definition.open(definition.parse(cloud, provider), cloudEnv);
      },
    }),
  });
  const user = await signUp();
  const { userLinkId: source } = await addSftp(user, 'From', { server: 'from.example' });
  const { userLinkId: target } = await addSftp(user, 'To', { server: 'to.example' });
  const { transferId } = await user.ask(copyObjects, {
    linkUri: [linkUriOf(source, file)],
    parentLinkUri: linkUriOf(target, folder),
    conflict: 'fail',
  });
  const state = async () => (await user.ask(oneTransfer, { transferId })).state;
  await eventually(async () => ['done', 'failed'].includes(await state()), 'the transfer has ended', 30_000);
  const { body } = await user.send(transferReport, { transferId, format: 'json' });
  assert.equal(await state(), 'done', body);
  return JSON.parse(body) as Readonly<Record<string, unknown>>;
}

const pairs: Readonly<Record<string, (t: TestContext) => Promise<CloudPair>>> = {
  'two accounts of Dropbox': dropboxPair,
  'two accounts of Google Drive': drivePair,
  'two OneDrives of an organisation': oneDrivePair,
};

for (const [name, start] of Object.entries(pairs)) {
  test(`the service itself copies between ${name}, and the report says so`, async (t) => {
    const pair = await start(t);
    const before = pair.downloads();
    const { copiedBy, proof, sourceHash, destinationHash } = await copied(t, pair);
    assert.deepEqual({ copiedBy, proof }, { copiedBy: 'service', proof: 'hash' });
    assert.equal(sourceHash, destinationHash);
    assert.equal(pair.downloads(), before, 'bytes passed through Sheaf');
  });

  test(`where the service refuses to copy between ${name}, the bytes pass through Sheaf, and the report says so`, async (t) => {
    const pair = await start(t);
    pair.refuse();
    const { copiedBy, proof } = await copied(t, pair);
    assert.deepEqual({ copiedBy, proof }, { copiedBy: 'sheaf_after_refusal', proof: 'hash' });
    assert.ok(pair.downloads() > 0);
  });
}
