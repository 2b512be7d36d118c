import assert from 'node:assert/strict';
import { test } from 'node:test';
import { directoryStructures } from '@sheaf/contract';
import { addressOf } from './address.ts';
import { parseS3Config } from './config.ts';
import { s3 } from './index.ts';

const info = { bucketName: 'photos', key: 'AKID', secret: 'secret' };

test('each missing or malformed field is named', () => {
  for (const field of ['bucketName', 'key', 'secret'])
    assert.throws(() => parseS3Config({ ...info, [field]: ' '.repeat(field === 'secret' ? 0 : 1) }, 'S3'), {
      kind: 'badConfig',
      details: { field },
    });
  for (const host of ['ftp://host', 'host/path', 'user@host', 'host?query', ':'])
    assert.throws(() => parseS3Config({ ...info, host }, 'S3Compat'), { kind: 'badConfig', details: { field: 'host' } }, host);
});

test('a bucket name with a slash, and a key that no header can contain, have their own error kinds', () => {
  for (const bucketName of ['photos/', 'photos/2026', 's3://photos'])
    assert.throws(() => parseS3Config({ ...info, bucketName }, 'S3'), { kind: 'noBucket' });
  for (const key of ['ключ', 'two words', 'two\nlines', 'a,b'])
    assert.throws(() => parseS3Config({ ...info, key }, 'S3'), { kind: 'wrongKey' });
  for (const key of ['AKID', 'test:tester', 'a/b+c=', 'me@example.com']) assert.equal(parseS3Config({ ...info, key }, 'S3').key, key);
});

test('an empty host means Amazon, or the known address of the provider, and is missing elsewhere', () => {
  const originOf = (provider: string, host = '') => addressOf(parseS3Config({ ...info, host }, provider), 'eu-west-1').origin;
  assert.equal(originOf('S3'), 'https://photos.s3.eu-west-1.amazonaws.com');
  assert.equal(originOf('Wasabi'), 'https://s3.wasabisys.com');
  assert.equal(originOf('DreamHost', 'elsewhere.example'), 'https://objects-us-east-1.dream.io');
  for (const provider of ['S3Compat', 'MinIO', 'DigitalOcean'])
    assert.throws(() => originOf(provider), { kind: 'badConfig', details: { field: 'host' } }, provider);
});

test('a host may be a name, a name and a port, or a whole address', () => {
  const addresses = ['minio.example', 'minio.example:9000', 'http://minio.example:9000', 'https://minio.example/'].map(
    (host) => addressOf(parseS3Config({ ...info, host }, 'MinIO'), 'us-east-1').origin,
  );
  assert.deepEqual(addresses, [
    'https://minio.example',
    'https://minio.example:9000',
    'http://minio.example:9000',
    'https://minio.example',
  ]);
});

test("Amazon's bucket is part of the path when its name is not one label of a host name", () => {
  const config = parseS3Config({ ...info, bucketName: 'photos.2026' }, 'S3');
  assert.deepEqual(addressOf(config, 'us-east-1', 'a/b'), {
    origin: 'https://s3.us-east-1.amazonaws.com',
    host: 's3.us-east-1.amazonaws.com',
    path: '/photos.2026/a/b',
  });
});

test("a region in the host's name is used for signing, whichever region was entered", () => {
  assert.equal(parseS3Config({ ...info, host: 's3.eu-central-2.wasabisys.com' }, 'Wasabi').region, 'eu-central-2');
  assert.equal(parseS3Config({ ...info, host: 'https://s3.ap-south-1.amazonaws.com' }, 'S3').region, 'ap-south-1');
  assert.equal(parseS3Config({ ...info, host: 'minio.example' }, 'MinIO').region, undefined);
});

test('the two directory structures are distinguished, and types with an X are always enhanced', () => {
  const isEnhanced = (provider: string, directoryStructure = '') =>
    parseS3Config({ ...info, host: 'host.example', directoryStructure }, provider).enhanced;
  assert.deepEqual([isEnhanced('S3'), isEnhanced('S3X'), isEnhanced('S3Compat'), isEnhanced('S3XCompat')], [false, true, false, true]);
  assert.equal(isEnhanced('S3', directoryStructures.enhanced), true);
  assert.equal(isEnhanced('S3X', directoryStructures.simple), false);
});

test('two links are the same when service, bucket and key are equal, whatever the spelling of the host', () => {
  const identity = (more: Record<string, string>) => s3.identity(parseS3Config({ ...info, ...more }, 'S3Compat'));
  assert.equal(identity({ host: 'HOST.example' }), identity({ host: 'https://host.example:443/' }));
  assert.notEqual(identity({ host: 'host.example' }), identity({ host: 'host.example', bucketName: 'other' }));
});
