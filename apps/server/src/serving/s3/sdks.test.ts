import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import {
  type ChecksumAlgorithm,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { createAppPassword } from '@sheaf/contract';
import { Client as MinioClient } from 'minio';
import { addSftp, linkApp } from '#/testing/links.ts';

const mib = 1024 * 1024;
const bytesOf = (length: number): Buffer => Buffer.from(Array.from({ length }, (_, index) => (index * 7 + (index >> 8)) % 251));

async function served(t: TestContext) {
  const app = await linkApp(t);
  await addSftp(app.user, 'NAS');
  const { accessKeyId, secretAccessKey } = await app.user.ask(createAppPassword, { name: 'SDK', linkUri: [], rights: 'write' });
  const url = await app.app.listen({ host: '127.0.0.1', port: 0 });
  t.after(() => app.app.close());
  return { url, accessKeyId, secretAccessKey };
}

test("Amazon's SDK stores objects with checksums before and after their bytes, checks what it reads, and uploads in parts", async (t) => {
  const { url, ...credentials } = await served(t);
  const client = new S3Client({ endpoint: `${url}/s3`, region: 'us-east-1', forcePathStyle: true, credentials });
  t.after(() => client.destroy());
  const bytes = bytesOf(200_000);
  const keys: string[] = [];
  for (const algorithm of ['CRC32', 'CRC32C', 'SHA1', 'SHA256'] satisfies ChecksumAlgorithm[])
    for (const form of ['whole', 'stream']) {
      const Key = `sdk/${algorithm} ${form} größe+1.bin`;
      keys.push(Key);
      // The checksum of a stream is known at its end only, and is sent as a trailer.
      const Body = form === 'whole' ? bytes : Readable.from([bytes.subarray(0, 70_000), bytes.subarray(70_000)], { objectMode: false });
      const ask = { Bucket: 'nas', Key, Body, ContentLength: bytes.length, ChecksumAlgorithm: algorithm, Metadata: { who: 'me' } };
      const put = await client.send(new PutObjectCommand(ask));
      assert.equal(put.ETag, `"${createHash('md5').update(bytes).digest('hex')}"`);
      const got = await client.send(new GetObjectCommand({ Bucket: 'nas', Key, ChecksumMode: 'ENABLED' }));
      assert.ok(Buffer.from((await got.Body?.transformToByteArray()) ?? []).equals(bytes), Key);
      assert.equal(got.Metadata?.['who'], 'me');
    }
  const listed = await client.send(new ListObjectsV2Command({ Bucket: 'nas', Prefix: 'sdk/' }));
  assert.deepEqual(listed.Contents?.map(({ Key }) => Key).toSorted(), keys.toSorted());

  const place = { Bucket: 'nas', Key: 'sdk/parts.bin' };
  const { UploadId = '' } = await client.send(new CreateMultipartUploadCommand({ ...place, ChecksumAlgorithm: 'CRC32' }));
  const parts = [bytesOf(6 * mib), bytesOf(5 * mib + 1), bytesOf(9)];
  const sent = await Promise.all(
    parts.map(async (Body, index) => {
      const ask = { ...place, UploadId, PartNumber: index + 1, Body, ChecksumAlgorithm: 'CRC32' as const };
      const { ETag, ChecksumCRC32 } = await client.send(new UploadPartCommand(ask));
      return { PartNumber: index + 1, ETag, ChecksumCRC32 };
    }),
  );
  await client.send(new CompleteMultipartUploadCommand({ ...place, UploadId, MultipartUpload: { Parts: sent } }));
  const whole = await client.send(new GetObjectCommand(place));
  assert.ok(Buffer.from((await whole.Body?.transformToByteArray()) ?? []).equals(Buffer.concat(parts)));

  await client.send(new CopyObjectCommand({ Bucket: 'nas', Key: 'sdk/copy.bin', CopySource: 'nas/sdk/parts.bin' }));
  assert.equal((await client.send(new HeadObjectCommand({ Bucket: 'nas', Key: 'sdk/copy.bin' }))).ContentLength, 11 * mib + 10);
  const all = [...keys, 'sdk/copy.bin', 'sdk/parts.bin'];
  const deleted = await client.send(new DeleteObjectsCommand({ Bucket: 'nas', Delete: { Objects: all.map((Key) => ({ Key })) } }));
  assert.deepEqual([deleted.Deleted?.length, deleted.Errors ?? []], [all.length, []]);
});

test("MinIO's client stores, lists, reads and deletes objects in the bucket of all links", async (t) => {
  const { url, accessKeyId, secretAccessKey } = await served(t);
  const { hostname, port } = new URL(url);
  const client = new MinioClient({
    endPoint: hostname,
    port: Number(port),
    useSSL: false,
    accessKey: accessKeyId,
    secretKey: secretAccessKey,
    region: 'us-east-1',
    partSize: 5 * mib,
  });
  const objects = {
    'nas/minio/small 100%.txt': Buffer.from('small'),
    'nas/minio/empty': Buffer.alloc(0),
    'nas/minio/parts': bytesOf(11 * mib),
  };
  for (const [name, bytes] of Object.entries(objects)) {
    await client.putObject('sheaf', name, Readable.from([bytes], { objectMode: false }), bytes.length, { 'X-Amz-Meta-Who': 'me' });
    assert.equal((await client.statObject('sheaf', name)).size, bytes.length);
    assert.ok((await buffer(await client.getObject('sheaf', name))).equals(bytes), name);
  }
  const part = await buffer(await client.getPartialObject('sheaf', 'nas/minio/parts', 6 * mib, 100));
  assert.ok(part.equals(objects['nas/minio/parts'].subarray(6 * mib, 6 * mib + 100)));
  const shared = await fetch(await client.presignedGetObject('sheaf', 'nas/minio/small 100%.txt', 60));
  assert.equal(await shared.text(), 'small');
  const listed: string[] = [];
  for await (const { name } of client.listObjectsV2('sheaf', 'nas/minio/', true) as AsyncIterable<{ readonly name: string }>)
    listed.push(name);
  assert.deepEqual(listed.toSorted(), Object.keys(objects).toSorted());
  await client.removeObjects('sheaf', listed);
  assert.deepEqual(await Array.fromAsync(client.listObjectsV2('sheaf', 'nas/minio/', true)), []);
});
