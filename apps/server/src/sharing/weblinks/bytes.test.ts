import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  archiveWeblink,
  createWeblink,
  downloadWeblink,
  familyCalls,
  linkUriOf,
  listWeblink,
  openWeblink,
  thumbnailWeblink,
} from '@sheaf/contract';
import { smallJpeg } from '@sheaf/testbed';
import { draftOf, linkApp, sftpInfo } from '#/testing/links.ts';

const view = { offset: 0, limit: 25, sort: 'name', order: 'asc' } as const;

async function setting(t: TestContext) {
  const app = await linkApp(t);
  const { userLinkId } = await app.user.ask(familyCalls.sftp.add, draftOf(sftpInfo, { serverName: 'NAS' }));
  return {
    ...app,
    async share(path: string, password?: string): Promise<string> {
      const { sharelinkurl } = await app.user.ask(createWeblink, {
        linkUri: linkUriOf(userLinkId, path),
        ...(password !== undefined && { password }),
      });
      return sharelinkurl.slice(sharelinkurl.lastIndexOf('/') + 1);
    },
  };
}

test('a shared file is served in ranges, described by HEAD, and not sent again while it is unchanged', async (t) => {
  const { source, share, visitor } = await setting(t);
  source.put('/Trip/Größe 1.txt', '0123456789');
  const weblinkId = await share('/Trip/Größe 1.txt');
  const url = `${downloadWeblink.path}?weblinkId=${weblinkId}`;
  const whole = await visitor().inject({ url });
  assert.deepEqual([whole.statusCode, whole.body], [200, '0123456789']);
  assert.equal(whole.headers['content-disposition'], `attachment; filename="Gr__e 1.txt"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%201.txt`);
  const part = await visitor().inject({ url, headers: { range: 'bytes=3-5' } });
  assert.deepEqual([part.statusCode, part.body, part.headers['content-range']], [206, '345', 'bytes 3-5/10']);
  assert.equal((await visitor().inject({ url, headers: { range: 'bytes=10-' } })).statusCode, 416);
  const head = await visitor().inject({ method: 'HEAD', url });
  assert.deepEqual([head.statusCode, head.headers['content-length'], head.body], [200, '10', '']);
  assert.equal((await visitor().inject({ url, headers: { 'if-none-match': String(whole.headers.etag) } })).statusCode, 304);
});

test('a shared folder is downloaded as a zip, whole or by items, and can be resumed', async (t) => {
  const { source, share, visitor } = await setting(t);
  source.put('/Trip/a.txt', 'first');
  source.put('/Trip/Deep/c.txt', 'third');
  source.put('/Trip2/secret.txt', 'secret');
  const weblinkId = await share('/Trip', 'right');
  const stranger = visitor();
  assert.equal((await stranger.refusal(archiveWeblink, { weblinkId })).messageCode, 'WEBLINK_PASSWORD_NEEDED');
  await stranger.ask(openWeblink, { weblinkId, password: 'right' });
  const whole = await stranger.send(archiveWeblink, { weblinkId });
  assert.deepEqual(
    [whole.statusCode, whole.headers['content-disposition'], whole.headers['content-length']],
    [200, 'attachment; filename="Trip.zip"', String(whole.rawPayload.length)],
  );
  for (const name of ['Trip/a.txt', 'Trip/Deep/c.txt']) assert.ok(whole.rawPayload.includes(name), name);
  assert.ok(!whole.rawPayload.includes('secret'));

  const some = await stranger.send(archiveWeblink, { weblinkId, path: ['a.txt', 'Deep'] });
  assert.ok(some.rawPayload.includes('Deep/c.txt') && !some.rawPayload.includes('Trip/'));
  const headers = { range: 'bytes=40-', 'if-range': String(whole.headers.etag) };
  const rest = await stranger.inject({ url: `${archiveWeblink.path}?weblinkId=${weblinkId}`, headers });
  assert.deepEqual([rest.statusCode, rest.rawPayload.equals(whole.rawPayload.subarray(40))], [206, true]);
});

test('pictures of a shared folder have thumbnails, under addresses that reveal nothing of the link', async (t) => {
  const { source, share, visitor, user } = await setting(t);
  source.put('/Trip/Deep/photo #1.jpg', Buffer.from(smallJpeg));
  source.put('/Trip/Deep/note.txt', 'text');
  const weblinkId = await share('/Trip');
  const { items } = await visitor().ask(listWeblink, { weblinkId, path: 'Deep', ...view });
  assert.deepEqual(
    items.map(({ path, thumbnailUrl }) => [path, thumbnailUrl !== undefined]),
    [
      ['Deep/note.txt', false],
      ['Deep/photo #1.jpg', true],
    ],
  );
  const url = items[1]?.thumbnailUrl ?? '';
  assert.ok(url.startsWith(`${thumbnailWeblink.path}?weblinkId=${weblinkId}&path=Deep%2Fphoto+%231.jpg&v=`), url);
  const picture = await visitor().inject({ url: `${url}&size=64` });
  assert.equal(picture.statusCode, 200);
  assert.match(String(picture.headers['content-type']), /^image\//);
  const none = await visitor().refusal(thumbnailWeblink, { weblinkId, path: 'Deep/note.txt' });
  assert.ok(none.status >= 400 && none.status < 500, none.messageCode);
  assert.doesNotMatch(JSON.stringify(items), new RegExp(user.userId));
});

test('a shared folder is listed in pages, sorted and filtered like any other', async (t) => {
  const { source, share, visitor } = await setting(t);
  for (let number = 0; number < 60; number++) source.put(`/Trip/${String(number).padStart(2, '0')}.txt`, 'x'.repeat(number));
  const weblinkId = await share('/Trip');
  const stranger = visitor();
  const names = async (ask: { offset: number; sort?: 'name' | 'size'; order?: 'asc' | 'desc'; filter?: string }) => {
    const { items, total, hasMore } = await stranger.ask(listWeblink, { weblinkId, ...view, ...ask });
    return [items[0]?.name, items.length, total, hasMore];
  };
  assert.deepEqual(await names({ offset: 0 }), ['00.txt', 25, 60, true]);
  assert.deepEqual(await names({ offset: 50 }), ['50.txt', 10, 60, false]);
  assert.deepEqual(await names({ offset: 0, sort: 'size', order: 'desc' }), ['59.txt', 25, 60, true]);
  assert.deepEqual(await names({ offset: 0, filter: '3' }), ['03.txt', 15, 15, false]);
});
