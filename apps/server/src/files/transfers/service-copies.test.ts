import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { findDefinition } from '@sheaf/connectors';
import { createMemorySource } from '@sheaf/connectors/memory';
import {
  copyObjects,
  findSource,
  linkUriOf,
  oneTransfer,
  pauseTransfer,
  remoteUpdate,
  resumeTransfer,
  transferReport,
} from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import { testApp } from '#/testing/app.ts';
import { addSftp } from '#/testing/links.ts';
import { type CloudPair, drivePair, dropboxPair, oneDrivePair } from '#/testing/storages/cloud-pairs.ts';

async function setting(t: TestContext, { provider, app, from, to, file, folder }: CloudPair) {
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
  const parentLinkUri = linkUriOf(target, folder);
  const copy = () => user.ask(copyObjects, { linkUri: [linkUriOf(source, file)], parentLinkUri, conflict: 'fail' });
  /** Waits for the end, and returns the file's line of the report. */
  async function reported(transferId: string): Promise<Readonly<Record<string, unknown>>> {
    const state = async () => (await user.ask(oneTransfer, { transferId })).state;
    await eventually(async () => ['done', 'failed'].includes(await state()), 'the transfer has ended', 30_000);
    const { body } = await user.send(transferReport, { transferId, format: 'json' });
    assert.equal(await state(), 'done', body);
    return JSON.parse(body) as Readonly<Record<string, unknown>>;
  }
  const names = async (): Promise<string[]> =>
    (
      await user.ask(remoteUpdate, { linkUri: parentLinkUri, fresh: true, sort: 'name', order: 'asc', refresh: true, limit: 100 })
    ).items.map(({ name }) => name);
  return { user, copy, reported, names };
}

/** Copies the file of the pair, and returns its line of the report. */
async function copied(t: TestContext, pair: CloudPair): Promise<Readonly<Record<string, unknown>>> {
  const { copy, reported } = await setting(t, pair);
  return reported((await copy()).transferId);
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

test('a copy that the service goes on with while its transfer is paused is found when that goes on, not made twice', async (t) => {
  const pair = await oneDrivePair(t);
  const { user, copy, reported, names } = await setting(t, pair);
  const before = await names();
  const copies = pair.slow(1500);
  const { transferId } = await copy();
  await eventually(() => copies() === 1, 'the service copies');
  await user.ask(pauseTransfer, { transferId });
  await user.ask(resumeTransfer, { transferId });
  const { proof } = await reported(transferId);
  assert.equal(proof, 'hash');
  assert.deepEqual((await names()).toSorted(), [...before, 'Welcome.txt'].toSorted());
});
