import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { type Instagram, startInstagram } from '@sheaf/testbed';
import { testEnv } from '../../../conformance/env.ts';
import { type SeededTree, seededConformance } from '../../../conformance/reading-seeded.ts';
import type { Connector, Entry } from '../../../core/connector.ts';
import { collect } from '../../../kit/body/body.ts';
import { openInstagram } from './connector.ts';
import { instagram } from './index.ts';

const ask = () => ({ signal: AbortSignal.timeout(20_000) });
const { authorization } = instagram;
const picture = (text: string) => Buffer.from(`a picture of ${text}`);

function open(server: Instagram): Connector {
  const { accessToken } = server.oauth.grant('mara@example.org');
  return openInstagram(testEnv({ app: server.app, grant: { accessToken }, ...(authorization && { authorization }) }));
}
const listed = async (connector: Connector, folder: string): Promise<Entry[]> =>
  (await Array.fromAsync(connector.list(folder, ask()))).flat();

describe('Instagram', () => {
  let server: Instagram;
  before(async () => {
    server = await startInstagram();
  });
  after(() => server.stop());
  afterEach(() => {
    server.assertClean();
    server.reset();
  });

  describe('on its simulator', () => {
    let tree: SeededTree = {};
    before(() => {
      const quay = server.publish({ caption: 'Quay 🏳️‍🌈 / morning', bytes: picture('the quay') });
      const plain = server.publish({ bytes: picture('something') });
      const video = server.publish({ caption: 'Ferry', type: 'VIDEO', timestamp: '2026-05-01T23:59:59-0200', bytes: 'no real video' });
      const album = server.publish({
        caption: 'Three days',
        type: 'CAROUSEL_ALBUM',
        children: [{ bytes: picture('day one') }, { type: 'VIDEO', bytes: 'day two moves' }],
      });
      const [one, two] = album.children;
      tree = {
        [`2026-03-01 Quay 🏳️‍🌈 morning ${quay.id}.jpg`]: picture('the quay'),
        [`2026-03-01 ${plain.id}.jpg`]: picture('something'),
        [`2026-05-02 Ferry ${video.id}.mp4`]: Buffer.from('no real video'),
        [`2026-03-01 Three days ${album.id}`]: {
          [`2026-03-01 ${one?.id}.jpg`]: picture('day one'),
          [`2026-03-01 ${two?.id}.mp4`]: Buffer.from('day two moves'),
        },
      };
    });
    seededConformance(
      'Instagram',
      async () => open(server),
      () => tree,
      { offers: ['thumbnail'] },
    );
  });

  describe('failures', () => {
    test('1,050 pictures come page by page, each once, although some pages are empty and new pictures appear', async () => {
      const other = await startInstagram();
      try {
        for (let index = 0; index < 1050; index += 1) other.publish({ caption: `Picture ${index}` });
        other.hollowPages(2);
        const names: string[] = [];
        for await (const batch of open(other).list('/', ask())) {
          if (names.length === 0) other.publish({ caption: 'New' });
          names.push(...batch.map(({ name }) => name));
        }
        assert.equal(names.length, 1050);
        assert.equal(new Set(names).size, 1050);
        other.assertClean();
      } finally {
        await other.stop();
      }
    });

    test('an expired media URL is requested again, for published items and for items of an album', async () => {
      const album = server.publish({ caption: 'Old', type: 'CAROUSEL_ALBUM', children: [{ bytes: picture('then') }] });
      const video = server.publish({ caption: 'Moving', type: 'VIDEO', bytes: 'pictures that move' });
      const connector = open(server);
      for (const [path, bytes] of [
        [`/2026-03-01 Old ${album.id}/2026-03-01 ${album.children[0]?.id}.jpg`, picture('then').toString()],
        [`/2026-03-01 Moving ${video.id}.mp4`, 'pictures that move'],
      ] as const) {
        await connector.stat(path, ask());
        server.expireAddresses();
        assert.equal((await collect(await connector.read(path, ask()))).toString(), bytes);
        server.expireAddresses();
        assert.match((await connector.thumbnail?.(path, { ...ask(), size: 100 }))?.entry.mimeType ?? '', /^image\//);
      }
    });

    test("media that Instagram withholds because of others' rights are listed and cannot be read", async () => {
      const held = server.publish({ caption: 'Song', isHeldBack: true });
      const connector = open(server);
      const path = `/2026-03-01 Song ${held.id}.jpg`;
      assert.ok((await listed(connector, '/')).some(({ name }) => `/${name}` === path));
      await assert.rejects(connector.read(path, ask()), { kind: 'unsupported' });
      await assert.rejects(async () => connector.thumbnail?.(path, { ...ask(), size: 100 }), { kind: 'unsupported' });
    });

    test('an expired token needs a new authorization', async () => {
      const connector = open(server);
      await listed(connector, '/');
      server.oauth.expireAll();
      await assert.rejects(listed(connector, '/'), { kind: 'needsAuthorization' });
    });

    test('too many requests are reported with the time until calls are accepted again', async () => {
      server.faults.next('GET /{ig-user-id}/media', 1, { kind: 'rateLimit', retryAfter: 300 });
      await assert.rejects(listed(open(server), '/'), { kind: 'rateLimited', retryable: true, retryAfter: 300_000 });
    });

    test('an incomplete download is interrupted', async () => {
      const big = server.publish({ caption: 'Big', bytes: Buffer.alloc(300_000, 'x') });
      server.faults.next('GET /{id}/{form}', 1, { kind: 'cut', afterBytes: 100_000 });
      await assert.rejects(async () => collect(await open(server).read(`/2026-03-01 Big ${big.id}.jpg`, ask())), { kind: 'interrupted' });
    });
  });
});
