import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deleteAppPassword, linkUriOf } from '@sheaf/contract';
import { addSftp } from '#/testing/links.ts';
import { nas, program } from './testing/nas.ts';

const statusOf = async (address: string, init: RequestInit = {}): Promise<number> => {
  const response = await fetch(address, init);
  await response.body?.cancel();
  return response.status;
};
const changed = (address: string, change: (url: URL) => void): string => {
  const url = new URL(address);
  change(url);
  return url.href;
};

test('a presigned address opens what it was made for, as it was made, and nothing else', async (t) => {
  const { client, source, user, app, url } = await nas(t);
  await addSftp(user, 'Other');
  source.put('/x.txt', 'x');
  source.put('/dir/x.txt', 'another x');
  const get = client.presign('/my-nas/x.txt');
  assert.equal(await statusOf(get), 200);
  assert.equal(await statusOf(get), 200, 'as often as one likes while it is valid');
  assert.equal(await statusOf(get, { headers: { range: 'bytes=0-0' } }), 206, 'a range is a part of the same file');

  const path = (to: string) => changed(get, (one) => (one.pathname = to));
  const query = (name: string, value: string) => changed(get, (one) => one.searchParams.set(name, value));
  const refused: Readonly<Record<string, [string, RequestInit?]>> = {
    'another key': [path('/s3/my-nas/dir/x.txt')],
    'another bucket': [path('/s3/other/x.txt')],
    'the other root': [path('/sheaf/my-nas/x.txt')],
    'the bucket': [path('/s3/my-nas')],
    'all buckets': [path('/s3/')],
    dots: [get.replace('/my-nas/x.txt', '/my-nas/dir/..%2Fx.txt')],
    'another case': [path('/s3/my-nas/X.txt')],
    'a longer life': [query('X-Amz-Expires', '604800')],
    'a later date': [query('X-Amz-Date', new Date(Date.now() + 60_000).toISOString().replace(/[-:]|\.\d+/g, ''))],
    'another key id': [query('X-Amz-Credential', `SHEAFOTHER${new URL(get).searchParams.get('X-Amz-Credential')?.slice(10)}`)],
    'fewer signed headers': [query('X-Amz-SignedHeaders', '')],
    'more signed headers': [query('X-Amz-SignedHeaders', 'host;range')],
    'another parameter': [query('acl', '')],
    'another type of answer': [query('response-content-type', 'text/html')],
    'an upload id': [query('uploadId', 'x')],
    'a second life': [`${get}&X-Amz-Expires=604800`],
    'a second signature': [query('X-Amz-Signature', '0'.repeat(64))],
    'an upper-case signature': [query('X-Amz-Signature', new URL(get).searchParams.get('X-Amz-Signature')?.toUpperCase() ?? '')],
    'no signature': [changed(get, (one) => one.searchParams.delete('X-Amz-Signature'))],
    'no end': [changed(get, (one) => one.searchParams.delete('X-Amz-Expires'))],
    PUT: [get, { method: 'PUT', body: 'mine' }],
    DELETE: [get, { method: 'DELETE' }],
    HEAD: [get, { method: 'HEAD' }],
    POST: [get, { method: 'POST', body: '' }],
    'another header of Amazon': [get, { headers: { 'x-amz-copy-source': '/my-nas/dir/x.txt' } }],
    'a header that overrides': [get, { headers: { 'x-amz-date': '20260101T000000Z' } }],
    'another authorization': [
      get,
      { headers: { authorization: 'AWS4-HMAC-SHA256 Credential=a/20261127/x/s3/aws4_request, SignedHeaders=host, Signature=0' } },
    ],
  };
  const passed: string[] = [];
  for (const [what, [address, init]] of Object.entries(refused)) {
    const answer = await statusOf(address, init);
    // After many wrong signatures a client is told to slow down; right ones are not held up.
    if (![400, 403, 503].includes(answer)) passed.push(`${what}: ${answer}`);
  }
  assert.deepEqual(passed, []);
  assert.equal(await statusOf(get), 200, 'the right address opens in spite of all the wrong ones');
  const hosts = await app.inject({ url: get.slice(url.length), headers: { host: 'localhost:1' } });
  assert.notEqual(hosts.statusCode, 200, 'another host');

  const put = client.presign('/my-nas/up.txt', { method: 'PUT' });
  assert.equal(
    await statusOf(put, { method: 'PUT', body: 'x', headers: { 'x-amz-copy-source': '/my-nas/dir/x.txt' } }),
    403,
    'no copy by an address to upload',
  );
  assert.equal(await statusOf(put, { method: 'PUT', body: 'x', headers: { 'x-amz-meta-a': 'b' } }), 403);
});

test('a presigned address ends with its time, with its app password and with the folders of that', async (t) => {
  const { client, source, user, url, userLinkId } = await nas(t);
  source.put('/x.txt', 'x');
  source.put('/open/x.txt', 'x');
  const limited = await program(user, url, [linkUriOf(userLinkId, '/open')], 'read');
  assert.equal(await statusOf(limited.presign('/my-nas/open/x.txt')), 200);
  assert.ok([403, 404].includes(await statusOf(limited.presign('/my-nas/x.txt'))));
  assert.equal(await statusOf(limited.presign('/my-nas/open/y.txt', { method: 'PUT' }), { method: 'PUT', body: 'x' }), 403);
  assert.equal(await statusOf(client.presign('/my-nas/x.txt', { skew: -70_000 })), 403, 'its minute is over');
  assert.equal(await statusOf(client.presign('/my-nas/x.txt', { skew: 3_600_000 })), 403, 'it begins later');
  const before = client.presign('/my-nas/x.txt');
  assert.equal(await statusOf(before), 200);
  await user.ask(deleteAppPassword, { appPasswordId: client.appPassword.appPasswordId });
  assert.equal(await statusOf(before), 403, 'its app password is gone');
});
