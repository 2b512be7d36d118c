import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { directoryStructures } from '@sheaf/contract';
import { type Swift, startSwift } from '@sheaf/testbed';
import { notebook } from '../../conformance/leftovers.ts';
import type { Connector, Entry, WriteOptions } from '../../core/connector.ts';
import type { Env } from '../../core/definition.ts';
import { collect } from '../../kit/body/body.ts';
import { createDialer } from '../../kit/net/dialer.ts';
import { createS3Client } from './client.ts';
import { parseS3Config } from './config.ts';
import { completeS3, openS3 } from './connector.ts';
import { uploadIdIn } from './errors.ts';
import type { StoreOptions } from './store.ts';

const MiB = 1024 * 1024;
const env: Env = {
  dialer: createDialer({ privateNetworks: 'allow' }),
  remember: () => Promise.resolve(),
  recall: () => Promise.resolve(undefined),
};
const ask = () => ({ signal: AbortSignal.timeout(60_000) });

describe('S3 on OpenStack Swift, beyond the conformance suite', () => {
  let swift: Swift | undefined;
  before(async () => {
    swift = await startSwift();
  });
  after(() => swift?.stop());
  const server = (): Swift => swift ?? assert.fail('Swift is not running');

  /** Creates a bucket; returns it as files and folders, and for raw requests. */
  async function freshBucket(more: Record<string, string> = {}, options: StoreOptions = {}) {
    const bucketName = randomUUID();
    await server().createBucket(bucketName);
    const info = { host: server().endpoint, bucketName, key: server().key, secret: server().secret, ...more };
    const config = parseS3Config(info, 'S3Compat');
    const client = createS3Client(config, {
      dialer: env.dialer,
      maxConnections: 4,
      recallRegion: async () => undefined,
      rememberRegion: async () => undefined,
    });
    const putKey = async (key: string, text: string, headers: Record<string, string> = {}): Promise<void> => {
      const answer = await client.send({ method: 'PUT', key, body: text, headers, ...ask() });
      await answer.discard();
    };
    return { info, putKey, client, connector: openS3(config, env, options) };
  }
  const listed = async (connector: Connector, folder: string): Promise<Entry[]> =>
    (await Array.fromAsync(connector.list(folder, ask()))).flat();
  const namesIn = async (connector: Connector, folder: string): Promise<string[]> =>
    (await listed(connector, folder)).map(({ name, kind }) => (kind === 'folder' ? `${name}/` : name)).sort();
  const textOf = async (connector: Connector, path: string): Promise<string> =>
    (await collect(await connector.read(path, ask()))).toString();
  const write = (connector: Connector, path: string, bytes: Buffer, more: Partial<WriteOptions> = {}) =>
    connector.write?.(path, Readable.from([bytes]), { ...ask(), ifExists: 'replace', ...more });

  test('wrong credentials are distinguished from a wrong bucket', async () => {
    const { info } = await freshBucket();
    const refusal = (more: Record<string, string>) => completeS3(parseS3Config({ ...info, ...more }, 'S3Compat'), env, ask().signal);
    // Swift does not distinguish an unknown key from a wrong secret; service.test.ts has a server that does.
    await assert.rejects(refusal({ key: 'test:nobody' }), { kind: 'wrongSignature' });
    await assert.rejects(refusal({ secret: 'wrong' }), { kind: 'wrongSignature' });
    await assert.rejects(refusal({ bucketName: 'missing-bucket' }), { kind: 'noBucket' });
    assert.deepEqual(await refusal({}), { ...info, region: 'us-east-1' });
  });

  test("a wrong region is corrected with the server's response", async () => {
    const { info } = await freshBucket();
    const completed = await completeS3(parseS3Config({ ...info, region: 'eu-west-3' }, 'S3Compat'), env, ask().signal);
    assert.equal(completed['region'], 'us-east-1');
  });

  test('keys that are not names are shown, each once, and can be read and deleted unless they lead to another folder', async () => {
    const { connector, putKey } = await freshBucket();
    const keys = ['a//b', '/first', './dot', '../dots', 'twin', 'twin/inside', 'twin!', 'data/', '\u241b:twin', '\u241b'];
    for (const key of keys) await putKey(key, key);
    assert.deepEqual(
      await namesIn(connector, '/'),
      ['a/', '\u241b/', '\u241b./', '\u241b../', 'twin', '\u241b:twin/', 'twin!', 'data/', '\u241b\u241b:twin', '\u241b\u241b'].sort(),
    );
    for (const path of ['/\u241b./dot', '/\u241b../dots', '/\u241b..', '/\u241b:..']) {
      await assert.rejects(connector.stat(path, ask()), { kind: 'badName' }, path);
      await assert.rejects(textOf(connector, path), { kind: 'badName' }, path);
      await assert.rejects(async () => connector.remove?.(path, ask()), { kind: 'badName' }, path);
      await assert.rejects(async () => connector.move?.('/twin', path, ask()), { kind: 'badName' }, path);
      await assert.rejects(async () => write(connector, path, Buffer.from('x')), { kind: 'badName' }, path);
    }
    const paths = ['/a/\u241b/b', '/\u241b/first', '', '', '/twin', '/\u241b:twin/inside', '/twin!', '/data/\u241b'];
    for (const [index, path] of [...paths, '/\u241b\u241b:twin', '/\u241b\u241b'].entries())
      if (path !== '') assert.equal(await textOf(connector, path), keys[index]);
    await connector.remove?.('/\u241b:twin', ask());
    assert.equal(await textOf(connector, '/twin'), 'twin');
    for (const { name } of await listed(connector, '/')) if (!/^\u241b\.+$/.test(name)) await connector.remove?.(`/${name}`, ask());
    assert.deepEqual(await namesIn(connector, '/'), ['\u241b../', '\u241b./']);
  });

  test('a listing of many pages returns each file and each folder once, also when one of the same name is on another page', async () => {
    const { connector, putKey } = await freshBucket({}, { pageSize: 3 });
    const files = Array.from({ length: 10 }, (_, index) => `file${index}`);
    for (const key of [...files, 'file3!', 'file3"', 'file3#', 'file3$', 'file3/inside', 'g/1', 'g/2', 'h/1']) await putKey(key, key);
    assert.deepEqual(await namesIn(connector, '/'), [...files, 'file3!', 'file3"', 'file3#', 'file3$', '\u241b:file3/', 'g/', 'h/'].sort());
  });

  test('a body longer than one request is stored in parts, of known or unknown length, and copied in parts', async () => {
    const sizes = { single: MiB, knownPart: 5 * MiB, unknownPart: 5 * MiB, mostParts: 10_000 };
    const { connector } = await freshBucket({}, { sizes, singleCopy: 5 * MiB, copyPart: 5 * MiB });
    const bytes = Buffer.from(Array.from({ length: 12 * MiB + 1 }, (_, index) => (index * 7) % 251));
    for (const size of [bytes.length, undefined]) {
      const entry = await write(connector, '/big', bytes, size === undefined ? {} : { size });
      assert.equal(entry?.size, bytes.length);
      assert.equal((await connector.copy?.('/big', `/copy of ${size}`, ask()))?.size, bytes.length);
      assert.ok((await collect(await connector.read(`/copy of ${size}`, ask()))).equals(bytes));
    }
  });

  test('a body preceded by its MD5, in one request or in parts, is stored by a service that verifies it', async () => {
    const sizes = { single: MiB, knownPart: 5 * MiB, unknownPart: 5 * MiB, mostParts: 10_000 };
    const { connector } = await freshBucket({}, { sizes, digests: { wanted: async () => true, learnFrom: async () => false } });
    for (const length of [10, 5 * MiB + 1]) {
      const bytes = randomBytes(length);
      await write(connector, '/digested', bytes, { size: length });
      assert.ok((await collect(await connector.read('/digested', ask()))).equals(bytes));
    }
  });

  test('an object longer than the first request is read completely, with its metadata, from any offset', async () => {
    const { connector } = await freshBucket({}, { firstPart: 1000 });
    const bytes = randomBytes(5_000_000);
    await write(connector, '/long', bytes, { mimeType: 'text/plain' });
    await write(connector, '/empty', Buffer.alloc(0));
    const { name: _, kind: __, ...facts } = await connector.stat('/long', ask());
    for (const range of [undefined, { start: 0 }, { start: 0, end: 2000 }, { start: 999 }]) {
      const body = await connector.read('/long', { ...ask(), ...(range && { range }) });
      const { start = 0, end = bytes.length } = range ?? {};
      assert.deepEqual([body.size, body.entry], [end - start, facts]);
      assert.ok((await collect(body)).equals(bytes.subarray(start, end)));
    }
    assert.equal(await textOf(connector, '/empty'), '');
  });

  test('a download of an object that is replaced in the meantime fails, and never mixes both', async () => {
    const { connector } = await freshBucket({}, { firstPart: 2_000_000 });
    await write(connector, '/file', Buffer.alloc(3_000_000, 'a'));
    const body = await connector.read('/file', ask());
    // Before half of the first part is read.
    await write(connector, '/file', Buffer.alloc(3_000_000, 'b'));
    const came: Buffer[] = [];
    await assert.rejects(
      body.drain(async (chunk) => void came.push(Buffer.from(chunk))),
      { kind: 'interrupted', retryable: true },
    );
    assert.ok(Buffer.concat(came).equals(Buffer.alloc(2_000_000, 'a')));
  });

  test('an upload in parts that breaks off leaves the existing file and no parts', async () => {
    const sizes = { single: MiB, knownPart: 5 * MiB, unknownPart: 5 * MiB, mostParts: 10_000 };
    const { notes, leftovers } = notebook();
    const { connector, client } = await freshBucket({}, { sizes, leftovers });
    await write(connector, '/file', Buffer.from('good'));
    for (const size of [9 * MiB, undefined])
      await assert.rejects(async () => {
        await connector.write?.('/file', Readable.from(breaking()), { ...ask(), ifExists: 'replace', ...(size !== undefined && { size }) });
      });
    assert.equal(await textOf(connector, '/file'), 'good');
    const kept = async () => (await client.send({ method: 'GET', query: { uploads: '' }, ...ask() })).text();
    assert.doesNotMatch(await kept(), /<Upload>/);
    assert.deepEqual(
      notes.map(({ end }) => end),
      ['gone', 'gone'],
    );

    // The state that a killed process leaves behind.
    const begun = await client.send({ method: 'POST', key: 'file', query: { uploads: '' }, ...ask() });
    const uploadId = uploadIdIn(await begun.text());
    await (await client.send({ method: 'PUT', key: 'file', query: { partNumber: '1', uploadId }, body: 'half', ...ask() })).discard();
    assert.match(await kept(), /<Upload>/);
    const note = JSON.stringify(['file', uploadId]);
    for (const leftover of [note, note, ...notes.map(({ text }) => text)]) await connector.clearUp?.(leftover, ask());
    assert.doesNotMatch(await kept(), /<Upload>/);
    assert.equal(await textOf(connector, '/file'), 'good');
  });

  test('the enhanced structure shows the time that other programs store with a file, in listings too', async ({ mock }) => {
    const { connector, putKey, client } = await freshBucket({ directoryStructure: directoryStructures.enhanced });
    for (let index = 0; index < 20; index++) await putKey(`folder/${index}`, 'x', { 'x-amz-meta-mtime': `${1_000_000_000 + index}.25` });
    const timeOf7 = async (): Promise<number | undefined> => {
      const entries = await listed(connector, '/folder');
      assert.equal(entries.length, 20);
      return entries.find(({ name }) => name === '7')?.modified;
    };
    assert.equal(await timeOf7(), 1_000_000_007.25);
    assert.equal(await timeOf7(), 1_000_000_007.25);
    await putKey('folder/7', 'x', { 'x-amz-meta-mtime': '5' });
    assert.equal(await timeOf7(), 5);
    // Only older writes are cached: the store's clock could not distinguish a second write of the same bytes.
    mock.timers.enable({ apis: ['Date'], now: Date.now() + 10_000 });
    assert.equal(await timeOf7(), 5);
    const kept = await client.send({ method: 'GET', key: 'folder/.sheaf-times', ...ask() });
    assert.equal((await kept.text()).trim().split('\n').length, 20);
    assert.equal(await timeOf7(), 5);
    await putKey('folder/.sheaf-times', 'not a line of ours\n["7","x"]\n');
    assert.equal(await timeOf7(), 5);
  });

  test('a folder outlives its last file in the enhanced structure, and disappears with it in the simple one', async () => {
    for (const directoryStructure of Object.values(directoryStructures)) {
      const { connector, putKey } = await freshBucket({ directoryStructure });
      await putKey('folder/file', 'x');
      await connector.remove?.('/folder/file', ask());
      assert.deepEqual(await namesIn(connector, '/'), directoryStructure === directoryStructures.enhanced ? ['folder/'] : []);
    }
  });
});

function* breaking(): Generator<Buffer> {
  yield Buffer.alloc(6 * MiB, 'x');
  throw new Error('the browser went away');
}
