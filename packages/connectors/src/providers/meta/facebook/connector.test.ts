import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, afterEach, before, describe, test } from 'node:test';
import { type Facebook, startFacebook } from '@sheaf/testbed';
import { testEnv } from '../../../conformance/env.ts';
import { type SeededTree, seededConformance } from '../../../conformance/reading-seeded.ts';
import type { Connector, Entry } from '../../../core/connector.ts';
import { collect } from '../../../kit/body/body.ts';
import { openFacebook } from './connector.ts';
import { facebook } from './index.ts';

const ask = () => ({ signal: AbortSignal.timeout(20_000) });
const { authorization } = facebook;
const jpeg = (text: string) => Buffer.from(`a picture of ${text}`);
/** The simulator's bytes for the largest version of a picture. */
const largest = (text: string) => Buffer.concat([jpeg(text), Buffer.from('960 wide')]);

function open(server: Facebook, scopes?: readonly string[]): Connector {
  const { accessToken } = server.oauth.grant('mara@example.org', scopes);
  return openFacebook(testEnv({ app: server.app, grant: { accessToken }, ...(authorization && { authorization }) }));
}
const listed = async (connector: Connector, folder: string): Promise<Entry[]> =>
  (await Array.fromAsync(connector.list(folder, ask()))).flat();

describe('Facebook', () => {
  let server: Facebook;
  before(async () => {
    server = await startFacebook();
  });
  after(() => server.stop());
  afterEach(() => {
    server.assertClean();
    server.reset();
  });

  describe('on its simulator', () => {
    let tree: SeededTree = {};
    before(() => {
      const [harbour, other, twin] = [server.state.addAlbum('Harbour'), server.state.addAlbum('A/B'), server.state.addAlbum('Harbour')];
      const quay = server.state.addPhoto(harbour, { name: 'Quay', bytes: jpeg('the quay') });
      const plain = server.state.addPhoto(harbour, { bytes: jpeg('something') });
      const ice = server.state.addPhoto(other, {
        name: ' Ice\nfar out',
        created: '2026-02-11T23:30:00-0200',
        bytes: jpeg('ice'),
        extension: 'png',
      });
      const tagged = server.state.addTagged({ name: 'With/Noor', bytes: jpeg('two people') });
      const video = server.state.addVideo('Ferry', 'no real video');
      tree = {
        [`Harbour (~${markOf(harbour.id)})`]: {
          [`2026-04-06 Quay ${quay.id}.jpg`]: largest('the quay'),
          [`2026-04-06 ${plain.id}.jpg`]: largest('something'),
        },
        [`Harbour (~${markOf(twin.id)})`]: {},
        'A\u29f8B': { [`2026-02-12 Ice ${ice.id}.png`]: largest('ice') },
        'Photos of me': { [`2026-04-06 With Noor ${tagged.id}.jpg`]: largest('two people') },
        Videos: { [`2026-05-01 Ferry ${video.id}.mp4`]: Buffer.from('no real video') },
      };
    });
    seededConformance(
      'Facebook',
      async () => open(server),
      () => tree,
      { offers: ['thumbnail'] },
    );
  });

  describe('failures', () => {
    test('an album of 1,050 photos comes page by page, each photo once, although some pages are empty', async () => {
      const album = server.state.addAlbum('Large');
      for (let index = 0; index < 1050; index += 1) server.state.addPhoto(album, { name: `Photo ${index}` });
      server.hollowPages(2);
      const batches = await Array.fromAsync(open(server).list('/Large', ask()));
      assert.ok(batches.length > 5, `${batches.length} batches`);
      assert.equal(new Set(batches.flat().map(({ name }) => name)).size, 1050);
      assert.equal(batches.flat().length, 1050);
    });

    test('a photo of a large album is found by its id, without the album', async () => {
      const album = server.state.addAlbum('Deep');
      const photo = server.state.addPhoto(album, { name: 'Needle', bytes: jpeg('a needle') });
      const connector = open(server);
      assert.ok((await collect(await connector.read(`/Deep/2026-04-06 Needle ${photo.id}.jpg`, ask()))).equals(largest('a needle')));
      assert.ok(!server.requests.some(({ path }) => path.endsWith(`/${album.id}/photos`)));
      await assert.rejects(connector.stat(`/Deep/2026-04-06 Another ${photo.id}.jpg`, ask()), { kind: 'notFound' });
    });

    test('an expired media URL is requested again', async () => {
      const album = server.state.addAlbum('Expiring');
      const photo = server.state.addPhoto(album, { bytes: jpeg('a moment') });
      const video = server.state.addVideo('Moving', 'pictures that move');
      const connector = open(server);
      await listed(connector, '/Expiring');
      await listed(connector, '/Videos');
      for (const [path, bytes] of [
        [`/Expiring/2026-04-06 ${photo.id}.jpg`, largest('a moment').toString()],
        [`/Videos/2026-05-01 Moving ${video.id}.mp4`, 'pictures that move'],
      ] as const) {
        server.expireAddresses();
        assert.equal((await collect(await connector.read(path, ask()))).toString(), bytes);
        server.expireAddresses();
        assert.ok((await collect((await connector.thumbnail?.(path, { ...ask(), size: 100 })) ?? assert.fail())).length > 0);
      }
    });

    test('a thumbnail is the smallest one that is large enough', async () => {
      const album = server.state.addAlbum('Forms');
      const photo = server.state.addPhoto(album, { bytes: jpeg('x') });
      const connector = open(server);
      const form = async (size: number) =>
        (await collect((await connector.thumbnail?.(`/Forms/2026-04-06 ${photo.id}.jpg`, { ...ask(), size })) ?? assert.fail())).toString();
      assert.match(await form(200), /320 wide$/);
      assert.match(await form(400), /480 wide$/);
      assert.match(await form(2000), /960 wide$/);
    });

    test('a video without bytes is listed and shown, but cannot be read', async () => {
      const video = server.state.addVideo(undefined, undefined);
      const connector = open(server);
      const path = `/Videos/2026-05-01 ${video.id}.mp4`;
      await listed(connector, '/Videos');
      await assert.rejects(connector.read(path, ask()), { kind: 'unsupported' });
      assert.match((await connector.thumbnail?.(path, { ...ask(), size: 100 }))?.entry.mimeType ?? '', /^image\//);
    });

    test('without the permission for videos there are none, without the one for photos it is requested again', async () => {
      const names = (await listed(open(server, ['public_profile', 'user_photos']), '/')).map(({ name }) => name);
      assert.ok(names.includes('Photos of me') && !names.includes('Videos'));
      await assert.rejects(listed(open(server, ['public_profile']), '/'), { kind: 'needsAuthorization' });
    });

    test('a token that expires in the middle of work is not exchanged: a new authorization is needed', async () => {
      const connector = open(server);
      await listed(connector, '/');
      server.oauth.expireAll();
      await assert.rejects(listed(connector, '/'), { kind: 'needsAuthorization' });
    });

    test('too many requests are reported with the time until calls are accepted again', async () => {
      server.faults.next('GET /{user-id}/permissions', 1, { kind: 'rateLimit', retryAfter: 120 });
      await assert.rejects(listed(open(server), '/'), { kind: 'rateLimited', retryable: true, retryAfter: 120_000 });
    });

    test('temporary failures may be retried, interruptions are reported as such', async () => {
      const album = server.state.addAlbum('Breaking');
      const photo = server.state.addPhoto(album, { bytes: Buffer.alloc(300_000, 'x') });
      const connector = open(server);
      const fails = { status: 500, json: { error: { message: 'Please retry', type: 'OAuthException', code: 2 } } };
      server.faults.next('GET /{user-id}/permissions', 1, { kind: 'reply', reply: fails });
      await assert.rejects(listed(connector, '/'), { kind: 'unreachable', retryable: true });
      server.faults.next('GET /{id}/{form}', 1, { kind: 'cut', afterBytes: 100_000 });
      await assert.rejects(async () => collect(await connector.read(`/Breaking/2026-04-06 ${photo.id}.jpg`, ask())), {
        kind: 'interrupted',
      });
    });

    test('a call without the app secret proof is refused', async () => {
      const { accessToken } = server.oauth.grant('mara@example.org');
      const { clientSecret: _, ...app } = server.app;
      await assert.rejects(listed(openFacebook(testEnv({ app, grant: { accessToken } })), '/'), { kind: 'unexpected' });
    });
  });
});

/** Returns the eight characters of the id's hash by which an id tree distinguishes items of one name. */
function markOf(id: string): string {
  return createHash('sha256').update(id).digest('hex').slice(0, 8);
}
