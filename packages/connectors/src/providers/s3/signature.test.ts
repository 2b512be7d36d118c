import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodePath, sha256, signatureHeaders } from './signature.ts';

/** The account, date and bucket of the examples on https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html */
const signer = { key: 'AKIAIOSFODNN7EXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', region: 'us-east-1' };
const at = new Date('2013-05-24T00:00:00Z');
const host = 'examplebucket.s3.amazonaws.com';
const empty = sha256('');

const signatureOf = (headers: Record<string, string>) => headers['authorization']?.split('Signature=')[1];

test("a signed download has the signature of Amazon's example", () => {
  const headers = signatureHeaders(
    { method: 'GET', path: '/test.txt', query: {}, headers: { host, range: 'bytes=0-9' }, payloadHash: empty },
    signer,
    at,
  );
  assert.equal(
    headers['authorization'],
    'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,' +
      'SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  );
});

test("a signed upload has the signature of Amazon's example", () => {
  const headers = signatureHeaders(
    {
      method: 'PUT',
      path: encodePath('/test$file.text'),
      query: {},
      headers: { host, date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
      payloadHash: sha256('Welcome to Amazon S3.'),
    },
    signer,
    at,
  );
  assert.equal(signatureOf(headers), '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd');
});

test("signed queries about a bucket have the signatures of Amazon's examples", () => {
  const ask = (query: Record<string, string>) =>
    signatureOf(signatureHeaders({ method: 'GET', path: '/', query, headers: { host }, payloadHash: empty }, signer, at));
  assert.equal(ask({ lifecycle: '' }), 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543');
  assert.equal(ask({ prefix: 'J', 'max-keys': '2' }), '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7');
});
