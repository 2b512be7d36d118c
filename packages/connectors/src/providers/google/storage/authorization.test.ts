import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { directoryStructures } from '@sheaf/contract';
import { testEnv } from '../../../conformance/env.ts';
import { parseCloudConfig } from './config.ts';
import { completeCloud } from './connector.ts';
import { googlecloud } from './index.ts';
import { ask, namesIn, startCloudTest, textOf, write } from './testing/bucket.ts';

const redirectUri = 'https://sheaf.example/oauth';
const provider = 'GoogleCloud';
const authorization = googlecloud.authorization ?? assert.fail('Google Cloud is linked by authorization');
const { signal } = ask();

describe('Opening a bucket of Google Cloud Storage', () => {
  const { cloud, envOf, open, newBucket } = startCloudTest();

  const info = (more: Record<string, string> = {}) => ({ bucketName: 'mara-files', ...more });
  const complete = (more: Record<string, string>, env = envOf()) => completeCloud(parseCloudConfig(info(more)), env, signal);
  const keyOnly = () => testEnv({ app: cloud().app });
  const changedKey = (change: Record<string, string>): string =>
    JSON.stringify({ ...(JSON.parse(cloud().serviceAccountKey) as object), ...change });

  test('a user authorizes Sheaf and is identified by e-mail address; the bucket is checked before the link is saved', async () => {
    const env = { dialer: envOf().dialer, app: cloud().app };
    const verifier = randomBytes(32).toString('base64url');
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const url = authorization.authorizeUrl({ provider, redirectUri, state: 'state', challenge, prompt: true }, env);
    const code = new URL(await cloud().oauth.visit(url, { email: 'theo@example.org' })).searchParams.get('code') ?? '';
    const redeemed = await authorization.redeem({ provider, code, redirectUri, verifier }, env, signal);
    const told = await authorization.identify(redeemed, provider, env, signal);
    assert.deepEqual(told, { account: 'theo@example.org' });
    const linked = testEnv({ app: cloud().app, grant: redeemed.grant, authorization, provider });
    assert.deepEqual(await complete(told, linked), { bucketName: 'mara-files', account: 'theo@example.org' });
    const config = googlecloud.parse({ ...info(), ...told }, provider);
    assert.equal(googlecloud.account(config), 'mara-files');
    assert.equal(googlecloud.identity(config), 'mara-files theo@example.org');
    await authorization.revoke?.(redeemed.grant, provider, env, signal);
    await assert.rejects(async () => authorization.renew?.(redeemed.grant, provider, env, signal), { kind: 'needsAuthorization' });
  });

  test('a grant without the requested scope is forbidden', async () => {
    const redeemed = { grant: { accessToken: 'any' }, extra: { scope: 'openid email' } };
    await assert.rejects(async () => authorization.identify(redeemed, provider, { dialer: envOf().dialer, app: {} }, signal), {
      kind: 'forbidden',
    });
  });

  test("a service account's key opens the bucket without a user's grant, and its token is requested once", async () => {
    const serviceAccountKey = cloud().serviceAccountKey;
    assert.deepEqual(await complete({ serviceAccountKey }, keyOnly()), {
      ...info({ serviceAccountKey }),
      account: 'backup@simulated.iam.gserviceaccount.com',
    });
    const connector = open(info({ serviceAccountKey }), keyOnly());
    await write(connector, '/from a service.txt', 'backup');
    assert.equal(await textOf(connector, '/from a service.txt'), 'backup');
    const tokens = () => cloud().requests.filter(({ operation }) => operation === 'POST /token').length;
    const before = tokens();
    await namesIn(connector, '/');
    assert.equal(tokens(), before);
    cloud().oauth.expireAll();
    await namesIn(connector, '/');
    assert.equal(tokens(), before + 1);
  });

  test("a service account's key that is malformed is reported by field name, without quoting any of it", () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const elliptic = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    for (const serviceAccountKey of [
      'no JSON',
      '{}',
      changedKey({ private_key: 'no PEM' }),
      changedKey({ private_key: elliptic }),
      changedKey({ type: 'user' }),
    ])
      assert.throws(
        () => parseCloudConfig(info({ serviceAccountKey })),
        (error: Error & { kind?: string; details?: object }) => {
          assert.equal(error.kind, 'badConfig');
          assert.deepEqual(error.details, { field: 'serviceAccountKey' });
          assert.equal(error.cause, undefined);
          return true;
        },
      );
    assert.throws(() => parseCloudConfig({ bucketName: ' ' }), { kind: 'badConfig', details: { field: 'bucketName' } });
  });

  test('a key that Google does not know, or whose signature is wrong, is a wrong key', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const other = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    for (const serviceAccountKey of [changedKey({ private_key: other }), changedKey({ client_email: 'nobody@simulated.example' })])
      await assert.rejects(complete({ serviceAccountKey }, keyOnly()), { kind: 'wrongKey' });
  });

  test("a missing bucket, a name that no bucket has and another user's bucket are distinguished", async () => {
    await assert.rejects(complete({ bucketName: 'missing-bucket' }), { kind: 'noBucket' });
    await assert.rejects(complete({ bucketName: 'Not a bucket/name' }), { kind: 'noBucket' });
    await assert.rejects(complete({ bucketName: newBucket(['theo@example.org']) }), { kind: 'forbidden' });
    await assert.rejects(complete({}, keyOnly()), { kind: 'needsAuthorization' });
    await assert.rejects(complete({}, envOf('mara@example.org', ['openid'])), { kind: 'needsAuthorization' });
    await assert.rejects(write(open({ bucketName: 'missing-bucket' }), '/file', 'x'), { kind: 'noBucket' });
  });

  test('two links are the same when bucket and account are', () => {
    const identity = (more: Record<string, string>) => googlecloud.identity(parseCloudConfig(info(more)));
    assert.equal(
      identity({ account: 'mara@example.org' }),
      identity({ account: 'mara@example.org', directoryStructure: directoryStructures.enhanced }),
    );
    assert.notEqual(identity({ account: 'mara@example.org' }), identity({ account: 'theo@example.org' }));
    assert.notEqual(identity({ account: 'mara@example.org' }), identity({ account: 'mara@example.org', bucketName: 'other' }));
  });
});
