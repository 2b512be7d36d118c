import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { directoryStructures } from '@sheaf/contract';
import { type Azurite, startAzurite } from '@sheaf/testbed';
import { conformance } from '../../conformance/index.ts';
import type { Connector, Entry } from '../../core/connector.ts';
import { serviceCopiesOf } from '../../core/operations.ts';
import { collect } from '../../kit/body/body.ts';
import { createDialer } from '../../kit/net/dialer.ts';
import { createAzureClient } from './client.ts';
import { parseAzureConfig } from './config.ts';
import { openAzure } from './connector.ts';
import type { StoreOptions } from './store.ts';
import { blobOptions, blobTraits } from './testing/account.ts';

const MiB = 1024 * 1024;
const dialer = createDialer({ privateNetworks: 'allow' });
const ask = () => ({ signal: AbortSignal.timeout(20_000) });

describe('Azure on Azurite', () => {
  let azurite: Azurite | undefined;
  before(async () => {
    azurite = await startAzurite();
  });
  after(() => azurite?.stop());

  const server = (): Azurite => azurite ?? assert.fail('Azurite is not running');
  const open = (more: Record<string, string>, options: StoreOptions = {}): Connector => {
    const info = { host: server().endpoint, bucketName: 'none', key: server().account, secret: server().key };
    return openAzure(parseAzureConfig({ ...info, ...more }), { dialer }, options);
  };
  const openFresh = async (more: Record<string, string> = {}, options: StoreOptions = {}): Promise<Connector> => {
    const bucketName = randomUUID();
    await server().createContainer(bucketName);
    return open({ bucketName, ...more }, options);
  };
  const listed = async (connector: Connector, folder: string): Promise<Entry[]> =>
    (await Array.fromAsync(connector.list(folder, ask()))).flat();

  const bucketName = randomUUID();
  const reopen = async (): Promise<Connector> => open({ bucketName, directoryStructure: directoryStructures.enhanced }, blobOptions);
  const openNew = async (): Promise<Connector> => {
    await server().createContainer(bucketName);
    return reopen();
  };
  conformance('Azure, enhanced structure', openNew, blobTraits(reopen));

  test('the service copies between two accounts by a URL that grants access to that one blob, and never replaces', async () => {
    const [bucketName, otherName] = [randomUUID(), randomUUID()];
    await server().createContainer(bucketName);
    const { other } = server();
    await other.createContainer(otherName);
    const [one, two] = [open({ bucketName }), open({ host: other.endpoint, key: other.account, secret: other.key, bucketName: otherName })];
    const [from, to] = [serviceCopiesOf(one) ?? assert.fail(), serviceCopiesOf(two) ?? assert.fail()];
    const name = 'Bücher & Co #1.bin';
    await one.write?.(`/${name}`, Readable.from([Buffer.from('for the other')]), { ...ask(), size: 13, ifExists: 'fail' });
    assert.equal(from.service, to.service);
    const file = await from.serviceFile(`/${name}`, { ...ask(), forAccount: to.account });
    const entry = await to.copyFrom(file, '/copy', ask());
    assert.deepEqual([entry.size, entry.hashes], [13, file.entry.hashes]);
    assert.equal((await collect(await two.read('/copy', ask()))).toString(), 'for the other');
    await assert.rejects(to.copyFrom(file, '/copy', ask()), { kind: 'alreadyExists' });
    // Without the signature the other account may not read the blob.
    const unsigned = { ...file, location: file.location.replace(/\?.*/, '') };
    await assert.rejects(to.copyFrom(unsigned, '/second', ask()), { kind: 'unsupported' });
    assert.ok(!(await from.serviceFile(`/${name}`, ask())).location.includes('sig='));
  });

  test('an upload whose name is taken while it arrives gets the next name offered', async () => {
    const bucketName = randomUUID();
    await server().createContainer(bucketName);
    const [connector, other] = [open({ bucketName }), open({ bucketName })];
    const names = ['a 2.txt', 'a 3.txt'];
    const body = Readable.from(
      (async function* () {
        yield Buffer.from('my ');
        for (const name of ['a.txt', 'a 2.txt'])
          await other.write?.(`/${name}`, Readable.from([Buffer.from('theirs')]), { ...ask(), size: 6, ifExists: 'fail' });
        yield Buffer.from('own');
      })(),
    );
    const entry = await connector.write?.('/a.txt', body, { ...ask(), size: 6, ifExists: 'fail', otherName: async () => names.shift() });
    assert.deepEqual([entry?.name, entry?.size], ['a 3.txt', 6]);
    const texts = await Promise.all(
      ['a.txt', 'a 2.txt', 'a 3.txt'].map(async (name) => (await collect(await connector.read(`/${name}`, ask()))).toString()),
    );
    assert.deepEqual(texts, ['theirs', 'theirs', 'my own']);
  });

  test('a wrong account, key and container are distinguished', async () => {
    const bucketName = randomUUID();
    await server().createContainer(bucketName);
    const wrongSecret = Buffer.from('not the key').toString('base64');
    await assert.rejects(listed(open({ bucketName, secret: wrongSecret }), '/'), { kind: 'wrongSignature' });
    for (const host of [server().endpoint, `http://${server().host}:${server().port}`])
      await assert.rejects(listed(open({ bucketName, host, key: 'nobody' }), '/'), { kind: 'wrongKey' });
    for (const key of ['ключ', 'two\nlines', 'a/b'])
      await assert.rejects(async () => listed(open({ bucketName, key }), '/'), { kind: 'wrongKey' });
    await assert.rejects(async () => listed(open({ bucketName: `${bucketName}/` }), '/'), { kind: 'noBucket' });
    await assert.rejects(listed(open({ bucketName: 'missing' }), '/'), { kind: 'noBucket' });
    await assert.rejects(listed(open({ bucketName: 'Not_a_name' }), '/'), { kind: 'noBucket' });
    assert.deepEqual(await listed(open({ bucketName }), '/'), []);
  });

  test('a listing of many pages returns each blob and each folder once', async () => {
    const connector = await openFresh({}, { pageSize: 3 });
    const names = Array.from({ length: 11 }, (_, index) => `file ${index}`);
    for (const name of names) await connector.write?.(`/${name}`, Readable.from([]), { ...ask(), size: 0, ifExists: 'replace' });
    await connector.createFolder?.('/file 1 folder', ask());
    const entries = await listed(connector, '/');
    assert.deepEqual(entries.map(({ name }) => name).sort(), [...names, 'file 1 folder'].sort());
    await connector.close();
  });

  test('a folder for which another program made a stub exists, and is deleted with all its stubs', async () => {
    const bucketName = randomUUID();
    await server().createContainer(bucketName);
    const info = { host: server().endpoint, bucketName, key: server().account, secret: server().key };
    const client = createAzureClient(parseAzureConfig(info), dialer, 2);
    for (const [blob, stub] of [
      ['dir', true],
      ['dir/sub', true],
      ['dir/sub/file', false],
    ] as const) {
      const headers = { 'x-ms-blob-type': 'BlockBlob', ...(stub && { 'x-ms-meta-hdi_isfolder': 'true' }) };
      await (await client.send({ method: 'PUT', blob, headers, ...ask() })).discard();
    }
    client.close();
    const connector = open({ bucketName });
    assert.equal((await connector.stat('/dir', ask())).kind, 'folder');
    await connector.write?.('/dir/new', Readable.from([]), { ...ask(), size: 0, ifExists: 'fail' });
    assert.deepEqual((await listed(connector, '/dir')).map(({ name, kind }) => `${kind} ${name}`).sort(), ['file new', 'folder sub']);
    await connector.rename?.('/dir', 'moved', ask());
    assert.deepEqual(await listed(connector, '/moved/sub'), [await connector.stat('/moved/sub/file', ask())]);
    await connector.remove?.('/moved', ask());
    assert.deepEqual(await listed(connector, '/'), []);
    await connector.close();
  });

  test('a body longer than one request is stored from blocks, whether its length is known or not', async () => {
    const sizes = { single: MiB, knownPart: MiB, unknownPart: MiB, mostParts: 50_000 };
    const connector = await openFresh({}, { sizes });
    const bytes = Buffer.from(Array.from({ length: 3.5 * MiB }, (_, index) => (index * 7) % 251));
    for (const size of [bytes.length, undefined]) {
      const path = `/size ${size ?? 'unknown'}`;
      const entry = await connector.write?.(path, Readable.from([bytes.subarray(0, 100), bytes.subarray(100)]), {
        ...ask(),
        ifExists: 'fail',
        ...(size !== undefined && { size }),
      });
      assert.equal(entry?.size, bytes.length);
      assert.ok((await collect(await connector.read(path, ask()))).equals(bytes));
    }
    await connector.close();
  });
});
