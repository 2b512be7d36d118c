import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { type Body, ConnectorError } from '@sheaf/connectors';
import { type Item, type Page, getMore, thumbnail } from '@sheaf/contract';
import { type ContentFixture, testContent } from '#/testing/content.ts';

function picture(bytes: Buffer, mimeType: string | undefined, size = bytes.length): Body {
  const stream = Readable.from([bytes]);
  return {
    size,
    entry: mimeType === undefined ? {} : { mimeType },
    async drain(take) {
      for await (const chunk of stream as AsyncIterable<Uint8Array>) await take(chunk);
    },
    cancel: () => void stream.destroy(),
  };
}

const get = ({ app, userId }: ContentFixture, url: string, user = userId) =>
  app.inject({ method: 'GET', url, headers: { cookie: `sid=${user}` } });
const addressed = (linkUri: string, more = ''): string => `${thumbnail.path}?linkUri=${encodeURIComponent(linkUri)}${more}`;

async function listed({ app, userId, uri }: ContentFixture): Promise<Map<string, Item>> {
  const response = await app.inject({
    method: 'POST',
    url: getMore.path,
    headers: { cookie: `sid=${userId}`, 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ linkUri: uri('/') }).toString(),
  });
  return new Map(response.json<{ data: Page }>().data.items.map((item) => [item.name, item]));
}

test('pictures have the address of a small one where the source makes them, and it changes with the picture', async (t) => {
  const fixture = await testContent(t);
  fixture.source.put('/cat.jpg', 'x');
  fixture.source.put('/notes.txt', 'x');
  fixture.source.put('/album/inside.jpg', 'x');
  assert.equal((await listed(fixture)).get('cat.jpg')?.thumbnailUrl, undefined);

  const other = await testContent(t);
  other.extra.thumbnail = async () => picture(Buffer.from('small'), 'image/jpeg');
  other.source.put('/cat.jpg', 'x');
  other.source.put('/notes.txt', 'x');
  other.source.put('/album/inside.jpg', 'x');
  const items = await listed(other);
  assert.ok(items.get('cat.jpg')?.thumbnailUrl?.startsWith(thumbnail.path));
  assert.equal(items.get('notes.txt')?.thumbnailUrl, undefined);
  assert.equal(items.get('album')?.thumbnailUrl, undefined);
  const answer = await get(other, `${items.get('cat.jpg')?.thumbnailUrl}&size=128`);
  assert.equal(answer.body, 'small');
});

test('a picture comes as what it is, cannot run as anything, and is kept by its user’s browser only', async (t) => {
  const fixture = await testContent(t);
  const sizes: number[] = [];
  fixture.extra.thumbnail = async (_, { size }) => {
    sizes.push(size);
    return picture(Buffer.from('bytes'), 'image/png; charset=x');
  };
  fixture.source.put('/cat.jpg', 'x');
  const { statusCode, headers, body } = await get(fixture, addressed(fixture.uri('/cat.jpg'), '&size=320'));
  assert.deepEqual([statusCode, body, sizes], [200, 'bytes', [320]]);
  assert.equal(headers['content-type'], 'image/png');
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.match(String(headers['content-security-policy']), /^sandbox/);
  assert.match(String(headers['cache-control']), /^private/);
});

test('what is no picture is not passed on, nor one without end', async (t) => {
  const fixture = await testContent(t);
  fixture.source.put('/cat.jpg', 'x');
  for (const odd of [
    picture(Buffer.from('<svg onload="alert(1)"/>'), 'image/svg+xml'),
    picture(Buffer.from('<html>'), 'text/html'),
    picture(Buffer.from('x'), undefined),
    picture(Buffer.from('x'), 'image/jpeg', 100 << 20),
  ]) {
    fixture.extra.thumbnail = async () => odd;
    const { statusCode, body } = await get(fixture, addressed(fixture.uri('/cat.jpg')));
    assert.equal(statusCode, 502);
    assert.match(body, /SOURCE_CONFUSED/);
  }
});

test('a source without pictures, a picture that is gone, a size without sense and a stranger are refused', async (t) => {
  const fixture = await testContent(t);
  fixture.source.put('/cat.jpg', 'x');
  const url = addressed(fixture.uri('/cat.jpg'));
  assert.match((await get(fixture, url)).body, /SOURCE_CANNOT/);
  fixture.extra.thumbnail = () => Promise.reject(new ConnectorError('notFound', 'gone'));
  assert.notEqual((await get(fixture, url)).statusCode, 200);
  assert.equal((await get(fixture, `${url}&size=100000`)).statusCode, 400);
  assert.match((await get(fixture, url, 'user2')).body, /INVALID_LINK_URI/);
});
