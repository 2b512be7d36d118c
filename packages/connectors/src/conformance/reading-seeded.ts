import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Connector } from '../core/connector.ts';
import { type Operation, capabilitiesOf } from '../core/operations.ts';
import { collect } from '../kit/body/body.ts';
import { joinPath } from '../kit/names/path.ts';
import { ask, createSetting } from './setting.ts';

/** Content of the source: folders contain trees, files are bytes. */
export interface SeededTree {
  readonly [name: string]: SeededTree | Uint8Array;
}

interface SeededTraits {
  /** Supported ones among thumbnail, search, usage and changes. */
  readonly offers?: readonly Operation[];
  /** Path of a file of which the source has a thumbnail. */
  readonly picture?: string;
}

/**
 * Promises of {@link Connector} for read-only sources: `tree` must return everything that the source contains. `open` is called once,
 * before the first test; `tree` is called afterwards. The tree must contain a folder with a file of ten bytes or more.
 */
export function seededConformance(id: string, open: () => Promise<Connector>, tree: () => SeededTree, traits: SeededTraits = {}): void {
  let opened: Connector | undefined;
  const connector = (): Connector => opened ?? assert.fail(`${id} is not open`);
  const { get, listed } = createSetting(id, connector, {});

  const isFile = (node: SeededTree | Uint8Array): node is Uint8Array => node instanceof Uint8Array;
  const walk = (node: SeededTree, path = '/'): { readonly path: string; readonly node: SeededTree | Uint8Array }[] =>
    Object.entries(node).flatMap(([name, child]) => {
      const here = joinPath(path, name);
      return [{ path: here, node: child }, ...(isFile(child) ? [] : walk(child, here))];
    });
  const files = () => walk(tree()).flatMap(({ path, node }) => (isFile(node) ? [{ path, bytes: Buffer.from(node) }] : []));
  const folders = () => walk(tree()).flatMap(({ path, node }) => (isFile(node) ? [] : [{ path, node }]));
  const aFile = () =>
    files().find(({ path, bytes }) => bytes.length >= 10 && path.lastIndexOf('/') > 0) ?? assert.fail('no file of ten bytes');

  describe(`${id} keeps the promises of a connector that reads`, () => {
    before(async () => {
      opened = await open();
    });
    after(() => opened?.close());

    test('it can do exactly what it advertises', () => {
      assert.deepEqual(capabilitiesOf(connector()), ['list', 'stat', 'read', ...(traits.offers ?? [])]);
    });

    test('list returns each folder completely, each entry once, files distinguished from folders', async () => {
      for (const { path, node } of [{ path: '/', node: tree() }, ...folders()]) {
        const entries = await listed(path);
        assert.deepEqual([...entries.keys()].sort(), Object.keys(node).sort(), path);
        for (const [name, child] of Object.entries(node)) {
          const entry = entries.get(name);
          assert.equal(entry?.kind, isFile(child) ? 'file' : 'folder', name);
          if (isFile(child) && entry?.size !== undefined) assert.equal(entry.size, child.byteLength, name);
        }
      }
    });

    test('stat describes each item as its listing does, and the root as a folder without a name', async () => {
      const root = await connector().stat('/', ask());
      assert.deepEqual({ name: root.name, kind: root.kind }, { name: '', kind: 'folder' });
      for (const { path } of walk(tree())) {
        const cut = path.lastIndexOf('/');
        const entries = await listed(path.slice(0, cut) || '/');
        assert.deepEqual(await connector().stat(path, ask()), entries.get(path.slice(cut + 1)));
      }
    });

    test('stat finds items that were never listed', async () => {
      const fresh = await open();
      try {
        for (const { path } of walk(tree())) assert.equal((await fresh.stat(path, ask())).name, path.slice(path.lastIndexOf('/') + 1));
      } finally {
        await fresh.close();
      }
    });

    test('a missing item is notFound, in a folder and in none; a file is no folder and a folder no file', async () => {
      const { path: file } = aFile();
      const folder = file.slice(0, file.lastIndexOf('/'));
      for (const path of ['/missing', `${folder}/missing`, `${folder}/missing/deeper`, `${file}/deeper`]) {
        await assert.rejects(connector().stat(path, ask()), { kind: 'notFound' }, path);
        await assert.rejects(get(path), { kind: 'notFound' }, path);
        await assert.rejects(listed(path), { kind: 'notFound' }, path);
      }
      await assert.rejects(listed(file), { kind: 'notAFolder' });
      await assert.rejects(get(folder), { kind: 'isAFolder' });
    });

    test('an item is not found in another folder than its own', async () => {
      for (const { path } of files())
        for (const other of ['/', ...folders().map((folder) => folder.path)]) {
          const name = path.slice(path.lastIndexOf('/') + 1);
          const place = joinPath(other, name);
          if (!files().some((file) => file.path === place))
            await assert.rejects(connector().stat(place, ask()), { kind: 'notFound' }, place);
        }
    });

    test('read returns the bytes of every file, and announces how many', async () => {
      for (const { path, bytes } of files()) {
        const body = await connector().read(path, ask());
        assert.ok(body.size === undefined || body.size === bytes.length, `${path}: ${body.size}`);
        assert.ok((await collect(body)).equals(bytes), path);
      }
    });

    test('read returns ranges, and badRange past the end', async () => {
      const { path, bytes } = aFile();
      assert.ok((await get(path, { start: 4 })).equals(bytes.subarray(4)));
      assert.ok((await get(path, { start: 0, end: 1 })).equals(bytes.subarray(0, 1)));
      assert.ok((await get(path, { start: 2, end: 5 })).equals(bytes.subarray(2, 5)));
      assert.ok((await get(path, { start: bytes.length - 1, end: bytes.length + 1000 })).equals(bytes.subarray(-1)));
      await assert.rejects(get(path, { start: bytes.length }), { kind: 'badRange' });
      await assert.rejects(get(path, { start: bytes.length + 5, end: bytes.length + 9 }), { kind: 'badRange' });
    });

    test('30 reads cancelled before their bytes, one cancelled in the middle and one whose consumer fails leave the source usable', async () => {
      const { path, bytes } = aFile();
      for (let round = 0; round < 30; round += 1) {
        const body = await connector().read(path, ask());
        body.cancel();
        body.cancel();
      }
      const given = new AbortController();
      const body = await connector().read(path, { signal: given.signal });
      given.abort();
      await assert.rejects(
        body.drain(async () => undefined),
        { kind: 'aborted' },
      );
      const gone = new Error('the reader went away');
      const drained = (await connector().read(path, ask())).drain(() => Promise.reject(gone));
      await assert.rejects(drained, (error) => error === gone || (error instanceof Error && error.cause === gone));
      assert.ok((await get(path)).equals(bytes));
    });

    test('a call whose signal has fired is aborted', async () => {
      const { path } = aFile();
      const signal = AbortSignal.abort();
      await assert.rejects(Array.fromAsync(connector().list('/', { signal })), { kind: 'aborted' });
      await assert.rejects(connector().stat(path, { signal }), { kind: 'aborted' });
      await assert.rejects(connector().read(path, { signal }), { kind: 'aborted' });
    });

    if (traits.offers?.includes('thumbnail'))
      test('a thumbnail of a picture is a picture; of a missing file notFound', async () => {
        const picture = traits.picture ?? files().find(({ path }) => /\.(jpg|png)$/.test(path))?.path ?? assert.fail('no picture');
        const thumbnail = (await connector().thumbnail?.(picture, { ...ask(), size: 200 })) ?? assert.fail('no thumbnail');
        assert.match(thumbnail.entry.mimeType ?? '', /^image\//);
        assert.ok((await collect(thumbnail)).length > 0);
        await assert.rejects(async () => connector().thumbnail?.('/missing.jpg', { ...ask(), size: 200 }), { kind: 'notFound' });
      });
  });
}
