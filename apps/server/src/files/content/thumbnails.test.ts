import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { type Body, ConnectorError } from '@sheaf/connectors';
import { type Item, type Page, appError, getMore, thumbnail } from '@sheaf/contract';
import sharp from 'sharp';
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

test('pictures have a thumbnail address, and so do films where the source makes thumbnails [BRW-17]', async (t) => {
  const names = ['cat.jpg', 'scan.tiff', 'film.mp4', 'page.svg', 'notes.txt'];
  const pictured = async (fixture: ContentFixture): Promise<string[]> => {
    for (const name of [...names, 'album/inside.jpg']) fixture.source.put(`/${name}`, 'x');
    const items = await listed(fixture);
    return [...items.values()].filter(({ thumbnailUrl }) => thumbnailUrl?.startsWith(thumbnail.path)).map(({ name }) => name);
  };
  assert.deepEqual(await pictured(await testContent(t)), ['cat.jpg', 'scan.tiff']);
  const other = await testContent(t);
  other.extra.thumbnail = async () => picture(Buffer.from('small'), 'image/jpeg');
  assert.deepEqual(await pictured(other), ['cat.jpg', 'film.mp4', 'page.svg', 'scan.tiff']);
  const answer = await get(other, `${(await listed(other)).get('cat.jpg')?.thumbnailUrl}&size=128`);
  assert.equal(answer.body, 'small');
});

test('Sheaf makes the thumbnails that the source does not, and the address changes with the file', async (t) => {
  const fixture = await testContent(t);
  const photo = (width: number) =>
    sharp({ create: { width, height: 100, channels: 3, background: '#c8963e' } })
      .png()
      .toBuffer();
  const width = async (): Promise<number> => {
    const url = (await listed(fixture)).get('cat.png')?.thumbnailUrl;
    const { statusCode, headers, rawPayload } = await get(fixture, `${url}&size=512`);
    assert.deepEqual([statusCode, headers['content-type']], [200, 'image/webp']);
    return (await sharp(rawPayload).metadata()).width;
  };
  fixture.source.put('/cat.png', await photo(300));
  assert.equal(await width(), 300);
  fixture.source.put('/cat.png', await photo(200));
  await fixture.names('/');
  assert.equal(await width(), 200);
  fixture.extra.thumbnail = () => Promise.reject(appError('SOURCE_CANNOT', { provider: 'Memory' }));
  assert.equal(await width(), 200);
});

test('a picture is sent with its own type, cannot run as anything, and is cached by its user’s browser only', async (t) => {
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

test('an answer that is not a picture, or never ends, is not passed on', async (t) => {
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

test('a file that is not a picture, a missing picture, a folder, an invalid size and a stranger are refused', async (t) => {
  const fixture = await testContent(t);
  fixture.source.put('/cat.jpg', 'x');
  fixture.source.put('/page.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
  fixture.source.put('/album/inside.jpg', 'x');
  const url = addressed(fixture.uri('/cat.jpg'));
  assert.match((await get(fixture, url)).body, /NO_PICTURE/);
  assert.match((await get(fixture, addressed(fixture.uri('/page.svg')))).body, /NO_PICTURE/);
  assert.match((await get(fixture, addressed(fixture.uri('/album')))).body, /IS_A_FOLDER/);
  assert.match((await get(fixture, addressed(fixture.uri('/')))).body, /IS_A_FOLDER/);
  assert.match((await get(fixture, addressed(fixture.uri('/gone.jpg')))).body, /ITEM_NOT_FOUND/);
  fixture.extra.thumbnail = () => Promise.reject(new ConnectorError('notFound', 'gone'));
  assert.notEqual((await get(fixture, url)).statusCode, 200);
  fixture.extra.thumbnail = () => Promise.reject(appError('SOURCE_CANNOT', { provider: 'Memory' }));
  assert.match((await get(fixture, addressed(fixture.uri('/page.svg')))).body, /SOURCE_CANNOT/);
  assert.equal((await get(fixture, `${url}&size=100000`)).statusCode, 400);
  assert.match((await get(fixture, url, 'user2')).body, /INVALID_LINK_URI/);
});
