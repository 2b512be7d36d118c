import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { after, afterEach, before, describe, test } from 'node:test';
import { type Slack, eventually, startSlack } from '@sheaf/testbed';
import { testEnv } from '../../conformance/env.ts';
import { conformance } from '../../conformance/index.ts';
import type { Connector, Entry } from '../../core/connector.ts';
import { collect } from '../../kit/body/body.ts';
import { openSlack } from './connector.ts';
import { slack } from './index.ts';

const ask = () => ({ signal: AbortSignal.timeout(20_000) });
const [mara, noor] = ['U0MARA', 'U0NOOR'];
const config = { teamId: 'T0SHEAF', userId: mara, account: 'mara at sheaf.example' };
const { authorization } = slack;

/** Opens a link with Mara's grant. */
function open(server: Slack, scopes?: readonly string[], options = {}): Connector {
  const { accessToken, refreshToken, expiresIn } = server.oauth.grant(mara, scopes);
  const grant = { accessToken, ...(refreshToken && { refreshToken }), ...(expiresIn && { expiresAt: Date.now() + expiresIn * 1000 }) };
  return openSlack(config, testEnv({ app: server.app, grant, ...(authorization && { authorization }), provider: 'Slack' }), options);
}
const listed = async (connector: Connector, folder: string): Promise<Map<string, Entry>> =>
  new Map((await Array.fromAsync(connector.list(folder, ask()))).flat().map((entry) => [entry.name, entry]));
const put = (connector: Connector, path: string, bytes: string | Buffer, more: object = {}) =>
  connector.write?.(path, Readable.from([Buffer.from(bytes)]), {
    ...ask(),
    ifExists: 'replace',
    size: Buffer.byteLength(bytes),
    ...more,
  }) ?? assert.fail('no write');
const get = async (connector: Connector, path: string, range?: { start: number; end?: number }): Promise<string> =>
  (await collect(await connector.read(path, { ...ask(), ...(range && { range }) }))).toString();

describe('Slack', () => {
  let server: Slack;
  let channels = 0;
  before(async () => {
    server = await startSlack();
  });
  after(async () => {
    await server.stop();
  });

  const freshChannel = () => {
    channels += 1;
    return server.addChannel(`channel-${channels}`);
  };
  const reallyIn = (folder: string) => {
    const channel = [...server.state.conversations.values()].find(({ name }) => `/${name}` === folder);
    return [...server.state.files.values()].filter(({ places }) => places.has(channel?.id ?? '')).map(({ name }) => name);
  };

  describe('on its simulator', () => {
    after(() => server.assertClean());
    conformance('Slack', async () => open(server), {
      lacks: ['createFolder', 'rename', 'move', 'copy'],
      offers: ['thumbnail', 'search'],
      picture: { bytes: Buffer.from('any bytes'), extension: '.png' },
      freshFolder: async () => `/${freshChannel().name}`,
      reallyIn: async (folder) => reallyIn(folder),
      noEmptyFiles: true,
      many: 1200,
    });
  });

  describe('failures', () => {
    afterEach(() => {
      server.assertClean();
      server.reset();
      server.sharingTakes(0);
      server.offerRanges(false);
      server.oauth.refuseRefresh(false);
    });

    test('conversations are folders: channels by name, direct messages by their members', async () => {
      const other = await startSlack();
      try {
        other.seed();
        const connector = open(other);
        assert.deepEqual(
          [...(await listed(connector, '/')).keys()].sort(),
          ['Files without a channel', 'Noor Haddad', 'general', 'harbour-trip', 'mara, noor, ida', 'old-project'].sort(),
        );
        assert.deepEqual([...(await listed(connector, '/Noor Haddad')).keys()], ['Evening.png']);
        assert.deepEqual([...(await listed(connector, '/Files without a channel')).keys()], ['draft.txt']);
        await put(connector, '/Files without a channel/mine.txt', 'shared nowhere');
        assert.equal(await get(connector, '/Files without a channel/mine.txt'), 'shared nowhere');
        assert.deepEqual([...(await listed(connector, '/Files without a channel')).keys()].sort(), ['draft.txt', 'mine.txt']);
        await assert.rejects(put(connector, '/lost.txt', 'x'), { kind: 'unsupported' });
        await assert.rejects(async () => connector.remove?.('/general', ask()), { kind: 'unsupported' });
        other.assertClean();
      } finally {
        await other.stop();
      }
    });

    test('files of one name appear together, each with its own bytes, and keep their paths when the other is deleted', async () => {
      const { id, name } = freshChannel();
      for (const bytes of ['first', 'second']) server.addFile({ name: 'notes.txt', bytes, user: mara, channels: [id] });
      const connector = open(server);
      const [one = '', two = ''] = [...(await listed(connector, `/${name}`)).keys()];
      assert.match(one, /^notes \(~[0-9a-f]{8}\)\.txt$/);
      const bytes = [await get(connector, `/${name}/${one}`), await get(connector, `/${name}/${two}`)];
      assert.deepEqual(bytes.sort(), ['first', 'second']);
      const kept = await get(connector, `/${name}/${two}`);
      await connector.remove?.(`/${name}/${one}`, ask());
      assert.equal(await get(open(server), `/${name}/${two}`), kept);
      assert.equal(await get(open(server), `/${name}/notes.txt`), kept);
    });

    test('a token that expires in the middle of twenty listings is renewed once', async () => {
      const { id, name } = freshChannel();
      server.addFile({ name: 'a.txt', bytes: 'a', user: mara, channels: [id] });
      const connector = open(server);
      await listed(connector, `/${name}`);
      server.oauth.expireAll();
      const before = server.oauth.refreshes();
      const all = await Promise.all(Array.from({ length: 20 }, () => listed(connector, `/${name}`)));
      assert.ok(all.every((entries) => entries.has('a.txt')));
      assert.equal(server.oauth.refreshes(), before + 1);
    });

    test('a refused renewal and a revoked token need a new authorization', async () => {
      const [expired, revoked] = [open(server), open(server)];
      server.oauth.expireAll();
      server.oauth.refuseRefresh();
      await assert.rejects(listed(expired, '/'), { kind: 'needsAuthorization' });
      server.oauth.revokeAccount(mara);
      await assert.rejects(listed(revoked, '/'), { kind: 'needsAuthorization' });
    });

    test('too many requests are reported with the requested wait', async () => {
      server.faults.next('GET /users.conversations', 1, { kind: 'rateLimit', retryAfter: 7 });
      await assert.rejects(listed(open(server), '/'), { kind: 'rateLimited', retryable: true, retryAfter: 7000 });
    });

    test('5,000 files come in concurrent pages, each file once', async () => {
      const { id, name } = freshChannel();
      for (let index = 0; index < 5000; index += 1) server.addFile({ name: `file ${index}`, bytes: 'x', user: mara, channels: [id] });
      server.faults.next('GET /files.list', 5, { kind: 'slow', ms: 30 });
      const entries = (await Array.fromAsync(open(server).list(`/${name}`, ask()))).flat();
      assert.equal(new Set(entries.map((entry) => entry.name)).size, 5000);
      assert.equal(entries.length, 5000);
      assert.equal(server.requests.filter(({ operation }) => operation === 'GET /files.list').length, 5);
      assert.ok(server.peak() >= 3, `${server.peak()} at once`);
    });

    test('files that appear or disappear while pages are read are neither lost nor listed twice', async () => {
      const { id, name } = freshChannel();
      for (let index = 0; index < 2500; index += 1) server.addFile({ name: `file ${index}`, bytes: 'x', user: mara, channels: [id] });
      const newest = [...server.state.files.values()].at(-1) ?? assert.fail('no file');
      server.faults.next(/files\.list\?.*page=[23]/, 2, { kind: 'slow', ms: 80 });
      const listing = Array.fromAsync(open(server).list(`/${name}`, ask()));
      await eventually(
        () => server.requests.filter(({ operation }) => operation === 'GET /files.list').length === 3,
        'all pages are asked for',
      );
      server.state.files.delete(newest.id);
      const names = (await listing).flat().map((entry) => entry.name);
      assert.deepEqual(names.sort(), Array.from({ length: 2499 }, (_, index) => `file ${index}`).sort());
    });

    test('a write ends when the file has appeared in its conversation, and the old one is deleted by then', async () => {
      const { name } = freshChannel();
      const connector = open(server);
      await put(connector, `/${name}/report.txt`, 'old');
      server.sharingTakes(250);
      await put(connector, `/${name}/report.txt`, 'new');
      assert.deepEqual(reallyIn(`/${name}`), ['report.txt']);
      assert.equal(await get(open(server), `/${name}/report.txt`), 'new');
    });

    test('an upload waits as long as Slack requests, unless that is too long', async () => {
      const { name } = freshChannel();
      const connector = open(server);
      server.faults.next('POST /files.getUploadURLExternal', 1, { kind: 'rateLimit', retryAfter: 1 });
      server.faults.next('POST /files.completeUploadExternal', 2, { kind: 'rateLimit', retryAfter: 0 });
      const start = performance.now();
      await put(connector, `/${name}/patient.txt`, 'kept');
      assert.ok(performance.now() - start >= 990);
      assert.equal(await get(connector, `/${name}/patient.txt`), 'kept');
      server.faults.next('POST /files.getUploadURLExternal', 1, { kind: 'rateLimit', retryAfter: 600 });
      await assert.rejects(put(connector, `/${name}/late.txt`, 'x'), { kind: 'rateLimited', retryAfter: 600_000 });
    });

    test('files of other users are neither replaced nor deleted', async () => {
      const { id, name } = freshChannel();
      server.addFile({ name: 'theirs.txt', bytes: 'theirs', user: noor, channels: [id] });
      const connector = open(server);
      await assert.rejects(put(connector, `/${name}/theirs.txt`, 'mine'), { kind: 'forbidden' });
      // Refused before the upload, so that it never appears in the conversation.
      assert.ok(!server.requests.some(({ operation }) => operation === 'POST /files.getUploadURLExternal'));
      await assert.rejects(async () => connector.remove?.(`/${name}/theirs.txt`, ask()), { kind: 'forbidden' });
      assert.deepEqual(reallyIn(`/${name}`), ['theirs.txt']);
      assert.equal(await get(connector, `/${name}/theirs.txt`), 'theirs');
    });

    test('where the old file cannot be deleted, the new one is deleted again', async () => {
      const { name } = freshChannel();
      const connector = open(server);
      await put(connector, `/${name}/kept.txt`, 'old');
      server.faults.next('POST /files.delete', 1, { kind: 'reply', reply: { json: { ok: false, error: 'cant_delete_file' } } });
      await assert.rejects(put(connector, `/${name}/kept.txt`, 'new'), { kind: 'forbidden' });
      assert.deepEqual(reallyIn(`/${name}`), ['kept.txt']);
      assert.equal(await get(open(server), `/${name}/kept.txt`), 'old');
    });

    test('an upload that is interrupted, or of which fewer bytes arrive, leaves only the old file', async () => {
      const { name } = freshChannel();
      const connector = open(server);
      await put(connector, `/${name}/kept.txt`, 'old');
      server.faults.next('POST /upload/v1/{id}', 1, { kind: 'cutUpload', afterBytes: 100_000 });
      await assert.rejects(put(connector, `/${name}/kept.txt`, randomBytes(400_000)));
      server.loseBytes(1);
      await assert.rejects(put(connector, `/${name}/kept.txt`, 'longer'), { kind: 'damaged' });
      server.loseBytes(0);
      server.faults.next('POST /files.completeUploadExternal', 1, { kind: 'reply', reply: { json: { ok: false, error: 'is_archived' } } });
      await assert.rejects(put(connector, `/${name}/kept.txt`, 'longer'), { kind: 'forbidden' });
      assert.deepEqual(reallyIn(`/${name}`), ['kept.txt']);
      assert.equal(await get(open(server), `/${name}/kept.txt`), 'old');
    });

    test('an upload whose last response is lost, or that is cancelled while Slack processes the file, leaves no file', async () => {
      const { name } = freshChannel();
      const connector = open(server);
      await put(connector, `/${name}/kept.txt`, 'old');
      server.faults.next('POST /files.completeUploadExternal', 1, { kind: 'lost' });
      await assert.rejects(put(connector, `/${name}/kept.txt`, 'new'), { kind: 'interrupted' });
      assert.deepEqual(reallyIn(`/${name}`), ['kept.txt']);
      server.sharingTakes(60_000);
      const given = new AbortController();
      const written = put(connector, `/${name}/kept.txt`, 'new', { signal: given.signal });
      await eventually(
        () => server.requests.filter(({ operation }) => operation === 'GET /files.info').length > 2,
        'the file is looked for',
      );
      const files = server.state.files.size;
      given.abort();
      await assert.rejects(written, { kind: 'aborted' });
      assert.equal(server.state.files.size, files - 1);
      assert.equal(await get(open(server), `/${name}/kept.txt`), 'old');
    });

    test('a body of unknown length is accepted up to the memory limit', async () => {
      const { name } = freshChannel();
      const connector = open(server, undefined, { held: 1000 });
      const unknown = (size: number) => ({ body: Readable.from([Buffer.alloc(size, 'x')]), ask: { ...ask(), ifExists: 'fail' as const } });
      const [fits, tooLong] = [unknown(1000), unknown(1001)];
      assert.equal((await connector.write?.(`/${name}/fits`, fits.body, fits.ask))?.size, 1000);
      await assert.rejects(async () => connector.write?.(`/${name}/too long`, tooLong.body, tooLong.ask), { kind: 'unsupported' });
      assert.deepEqual(reallyIn(`/${name}`), ['fits']);
    });

    test('an incomplete download is interrupted, one of another length than Slack reports is damaged', async () => {
      const { id, name } = freshChannel();
      const bytes = randomBytes(500_000);
      server.addFile({ name: 'big', bytes, user: mara, channels: [id] });
      const connector = open(server);
      server.faults.next('GET /files-pri/{id}/download/{name}', 1, { kind: 'cut', afterBytes: 200_000 });
      await assert.rejects(get(connector, `/${name}/big`), { kind: 'interrupted' });
      server.faults.next('GET /files-pri/{id}/download/{name}', 1, { kind: 'lieAboutSize', by: -10 });
      await assert.rejects(get(connector, `/${name}/big`), { kind: 'damaged' });
      assert.ok((await collect(await connector.read(`/${name}/big`, ask()))).equals(bytes));
    });

    test('ranges of a file are requested, and cut out where Slack sends the whole', async () => {
      const { id, name } = freshChannel();
      server.addFile({ name: 'digits', bytes: '0123456789', user: mara, channels: [id] });
      const connector = open(server);
      for (const offers of [false, true]) {
        server.offerRanges(offers);
        assert.equal(await get(connector, `/${name}/digits`, { start: 3, end: 6 }), '345');
        assert.equal(await get(connector, `/${name}/digits`, { start: 8 }), '89');
        await assert.rejects(get(connector, `/${name}/digits`, { start: 10 }), { kind: 'badRange' });
      }
      assert.ok(server.requests.some(({ status }) => status === 206));
    });

    test('a sign-in page is never mistaken for the file', async () => {
      const { id, name } = freshChannel();
      server.addFile({ name: 'page.html', bytes: '<p>mine</p>', user: mara, channels: [id] });
      server.addFile({ name: 'text.txt', bytes: 'text', user: mara, channels: [id] });
      const connector = open(server);
      const signIn = { kind: 'reply', reply: { redirect: `${server.url}/files-host/signin` } } as const;
      for (const [file, content] of [
        ['page.html', '<p>mine</p>'],
        ['text.txt', 'text'],
      ] as const) {
        server.faults.next('GET /files-pri/{id}/download/{name}', 1, signIn);
        assert.equal(await get(connector, `/${name}/${file}`), content);
        server.faults.next('GET /files-pri/{id}/download/{name}', 2, signIn);
        await assert.rejects(get(connector, `/${name}/${file}`), { kind: 'forbidden' });
      }
      server.oauth.expireAll();
      const before = server.oauth.refreshes();
      assert.equal(await get(connector, `/${name}/text.txt`), 'text');
      assert.equal(server.oauth.refreshes(), before + 1);
    });

    test("files stored elsewhere are listed and cannot be read; the short form of another workspace's file is looked up", async () => {
      const { id, name } = freshChannel();
      server.addFile({ name: 'Budget', user: noor, channels: [id] });
      const short = server.addFile({ name: 'shared.txt', bytes: 'from afar', user: noor, channels: [id], isShort: true });
      server.addFile({ name: 'gone.txt', bytes: 'x', user: noor, channels: [id], mode: 'tombstone' });
      const connector = open(server);
      const entries = await listed(connector, `/${name}`);
      assert.deepEqual([...entries.keys()].sort(), ['Budget', short.id].sort());
      assert.equal(entries.get('Budget')?.size, undefined);
      await assert.rejects(get(connector, `/${name}/Budget`), { kind: 'unsupported' });
      assert.equal(await get(connector, `/${name}/${short.id}`), 'from afar');
    });

    test('a listing tolerates missing and empty fields, and documents have one thumbnail of unknown size', async () => {
      const { name } = freshChannel();
      const thumb = `${server.url}/files-host/files-tmb/F1/360`;
      const files = [
        { id: 'F1', name: 'plan.pdf', title: null, size: null, updated: null, channels: null, is_external: null, thumb_pdf: thumb },
        { id: 'F2' },
      ];
      server.faults.next('GET /files.list', 1, { kind: 'reply', reply: { json: { ok: true, files } } });
      const connector = open(server);
      assert.deepEqual(
        [...(await listed(connector, `/${name}`)).values()],
        [
          { name: 'plan.pdf', kind: 'file' },
          { name: 'F2', kind: 'file' },
        ],
      );
      server.faults.next('GET /files-tmb/{id}/{size}', 1, {
        kind: 'reply',
        reply: { bytes: Buffer.from('a picture'), headers: { 'content-type': 'image/png' } },
      });
      server.faults.next('GET /files.info', 1, { kind: 'reply', reply: { json: { ok: true, file: files[0] } } });
      const picture = (await connector.thumbnail?.(`/${name}/plan.pdf`, { ...ask(), size: 200 })) ?? assert.fail('no thumbnail');
      assert.equal((await collect(picture)).toString(), 'a picture');
    });

    test("the token is sent to Slack's hosts only", async () => {
      const { name } = freshChannel();
      const files = [{ id: 'F1', name: 'trap.txt', mode: 'hosted', url_private_download: 'http://slack.elsewhere.example/trap.txt' }];
      server.faults.next('GET /files.list', 1, { kind: 'reply', reply: { json: { ok: true, files } } });
      const connector = open(server);
      await listed(connector, `/${name}`);
      await assert.rejects(get(connector, `/${name}/trap.txt`), { kind: 'unexpected' });
    });

    test('a missing scope is reported by its name', async () => {
      const connector = open(server, ['files:read', 'channels:read', 'groups:read', 'im:read', 'mpim:read', 'users:read']);
      await listed(connector, '/');
      const found = async () => Array.fromAsync(connector.search?.('/', { ...ask(), query: 'zebra' }) ?? []);
      await assert.rejects(found(), { kind: 'forbidden', details: { scope: 'search:read' } });
    });

    test('a search finds conversations by name, and a file in each conversation that has it', async () => {
      const [one, two] = [server.addChannel('otters'), server.addChannel('badgers')];
      server.addFile({ name: 'otter count.txt', bytes: '7', user: mara, channels: [one.id, two.id] });
      server.addFile({ name: 'otter count.txt', bytes: '8', user: mara, channels: [two.id] });
      const connector = open(server);
      const paths = (await Array.fromAsync(connector.search?.('/', { ...ask(), query: 'otter' }) ?? [])).flat().map(({ path }) => path);
      assert.deepEqual(paths.filter((path) => !path.startsWith('/badgers/')).sort(), ['/otters', '/otters/otter count.txt']);
      const twins = paths.filter((path) => path.startsWith('/badgers/'));
      assert.deepEqual((await Promise.all(twins.map((path) => get(connector, path)))).sort(), ['7', '8']);
    });

    test('many unknown users are looked up together', async () => {
      for (let index = 0; index < 30; index += 1) {
        server.addPerson(`U0PERSON${index}`, `Person ${index}`);
        server.addChannel('', 'im', [mara, `U0PERSON${index}`]);
      }
      server.addChannel('', 'im', [mara, 'U0STRANGER']);
      const connector = open(server);
      const names = [...(await listed(connector, '/')).keys()];
      assert.ok(names.includes('Person 0') && names.includes('Person 29') && names.includes('U0STRANGER'));
      await listed(connector, '/');
      const asked = (operation: string) => server.requests.filter((request) => request.operation === operation).length;
      assert.deepEqual([asked('GET /users.list'), asked('GET /users.info')], [1, 1]);
    });

    test('two writers of one new name lose no file', async () => {
      const { name } = freshChannel();
      await Promise.all(['one', 'two'].map((bytes) => put(open(server), `/${name}/same.txt`, bytes)));
      const connector = open(server);
      const names = [...(await listed(connector, `/${name}`)).keys()];
      const bytes = await Promise.all(names.map((one) => get(connector, `/${name}/${one}`)));
      assert.deepEqual(bytes.sort(), ['one', 'two']);
    });
  });
});
