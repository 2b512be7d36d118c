import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ByteRange, Connector, Entry } from '../../core/connector.ts';
import { resumableUploadsOf, versionsOf } from '../../core/operations.ts';
import { hiddenBin } from '../../kit/bins/hidden-bin.ts';
import { collect } from '../../kit/body/body.ts';
import { type Setting, ask } from '../setting.ts';

const day = '2020-11-25';

/** Promises about replaced files: they go to the hidden bin, or the source keeps them as versions. */
export function replacedPromises(setting: Setting): void {
  if (setting.traits.bin === 'hidden' && !setting.traits.losesReplaced) binnedPromises(setting);
  if (setting.traits.versions) versionPromises(setting);
}

function binnedPromises({ promise, folder, put, get, traits, listed, ...setting }: Setting): void {
  const connector = (): Connector => hiddenBin(setting.connector());
  const keeping = () => {
    const told: { binId: string; old: Entry }[] = [];
    let dropped = 0;
    const keep = {
      day,
      key: randomUUID().replaceAll('-', '').slice(0, 16),
      before: async (binId: string, old: Entry) => void told.push({ binId, old }),
      dropped: async () => void dropped++,
    };
    return { keep, told, dropped: () => dropped };
  };
  const replace = (path: string, text: string, { keep }: ReturnType<typeof keeping>, size = Buffer.byteLength(text)): Promise<Entry> =>
    connector().write?.(path, Readable.from([Buffer.from(text)]), { ...ask(), ifExists: 'replace', size, keep }) ?? assert.fail('no write');

  promise(
    'a file that is replaced is in the bin, and nothing is there for a new one',
    ['write', 'move', 'remove', 'createFolder'],
    async () => {
      const at = await folder();
      const fresh = keeping();
      await replace(`${at}/Bücher #1.txt`, 'old words', fresh);
      assert.deepEqual(fresh.told, []);
      const kept = keeping();
      await replace(`${at}/Bücher #1.txt`, 'new', kept);
      assert.equal((await get(`${at}/Bücher #1.txt`)).toString(), 'new');
      assert.deepEqual([kept.told.length, kept.told[0]?.old.size, kept.dropped()], [1, 9, 0]);
      const binId = kept.told[0]?.binId ?? '';
      assert.equal((await connector().binned?.(binId, ask()))?.size, 9);
      await connector().restore?.(binId, `${at}/back.txt`, ask());
      assert.equal((await get(`${at}/back.txt`)).toString(), 'old words');
    },
  );

  promise('a write that fails leaves the old file under its name, and no copy of it in the bin', ['write', 'move', 'remove'], async () => {
    const at = await folder();
    await put(`${at}/stays`, 'as it was');
    const short = keeping();
    await assert.rejects(replace(`${at}/stays`, 'short', short, 10), { kind: 'sizeDiffers' });
    const unnoted = keeping();
    unnoted.keep.before = () => Promise.reject(new Error('not noted'));
    await assert.rejects(replace(`${at}/stays`, 'never', unnoted), /not noted/);
    assert.equal((await get(`${at}/stays`)).toString(), 'as it was');
    assert.equal(short.told.length, short.dropped());
    assert.deepEqual([...(await listed(at)).keys()], ['stays']);
    if (traits.reallyIn) assert.deepEqual([...(await traits.reallyIn(at))], ['stays']);
  });

  if (traits.resumes)
    promise('an upload in parts puts the replaced file into the bin', ['write', 'move', 'remove'], async () => {
      const at = await folder();
      await put(`${at}/large`, 'small before');
      const uploads = resumableUploadsOf(connector()) ?? assert.fail('no uploads in parts');
      const bytes = Buffer.alloc(300_000, 'x');
      const begun = await uploads.beginUpload(`${at}/large`, { ...ask(), size: bytes.length, ifExists: 'replace' });
      begun.kept();
      const { session } = begun;
      const part = { ...ask(), session, offset: 0, size: bytes.length };
      const receipt = await uploads.sendPart(`${at}/large`, Readable.from([bytes]), part);
      const kept = keeping();
      const parts = begun.parallel > 1 ? [{ offset: 0, size: bytes.length, receipt }] : [];
      const finish = { ...ask(), session, size: bytes.length, ifExists: 'replace', parts, hashes: {}, keep: kept.keep } as const;
      await uploads.finishUpload(`${at}/large`, finish);
      assert.equal((await get(`${at}/large`)).length, bytes.length);
      assert.equal((await connector().binned?.(kept.told[0]?.binId ?? '', ask()))?.size, 12);
    });
}

function versionPromises({ promise, folder, put, get, connector, traits }: Setting): void {
  promise('a replaced content can be restored, and so can the one that it then replaces', ['write'], async () => {
    const at = await folder();
    const { versionOf, restoreVersion } = versionsOf(connector()) ?? assert.fail('no versions');
    await put(`${at}/Bücher #1.txt`, 'first words');
    const first = (await versionOf(`${at}/Bücher #1.txt`, ask())) ?? assert.fail('no version');
    await put(`${at}/Bücher #1.txt`, 'second');
    const second = (await versionOf(`${at}/Bücher #1.txt`, ask())) ?? assert.fail('no version');
    assert.notEqual(first, second);
    const back = await restoreVersion(`${at}/Bücher #1.txt`, first, ask());
    assert.deepEqual([back.name, back.size], ['Bücher #1.txt', 11]);
    assert.equal((await get(`${at}/Bücher #1.txt`)).toString(), 'first words');
    await restoreVersion(`${at}/Bücher #1.txt`, second, ask());
    assert.equal((await get(`${at}/Bücher #1.txt`)).toString(), 'second');
  });

  promise('a missing file has no version, and an unknown version is not restored', ['write'], async () => {
    const at = await folder();
    const { versionOf, restoreVersion } = versionsOf(connector()) ?? assert.fail('no versions');
    await assert.rejects(versionOf(`${at}/missing`, ask()), { kind: 'notFound' });
    await put(`${at}/one`, '1');
    await put(`${at}/two`, '22');
    const other = (await versionOf(`${at}/two`, ask())) ?? assert.fail('no version');
    await assert.rejects(restoreVersion(`${at}/one`, other, ask()), { kind: 'notFound' });
    assert.equal((await get(`${at}/one`)).toString(), '1');
  });

  if (traits.versions === 'unlisted') return;
  promise('earlier contents of a file are listed, and each of them can be restored', ['write'], async () => {
    const at = await folder();
    const path = `${at}/Bücher #2.txt`;
    const { listVersions, restoreVersion } = versionsOf(connector()) ?? assert.fail('no versions');
    if (!listVersions) assert.fail('versions without a list');
    const sizes = async (): Promise<(number | undefined)[]> => (await listVersions(path, ask()))?.map(({ size }) => size) ?? [];
    await put(path, 'first words');
    await put(`${path}.longer`, 'another file');
    assert.deepEqual(await sizes(), []);
    await put(path, 'second');
    await put(path, 'third one');
    assert.deepEqual(await sizes(), [6, 11]);
    const [, first] = (await listVersions(path, ask())) ?? [];
    assert.ok(Math.abs((first?.modified ?? 0) - Date.now() / 1000) < 24 * 60 * 60);
    await restoreVersion(path, first?.id ?? '', ask());
    assert.equal((await get(path)).toString(), 'first words');
    assert.equal((await sizes())[0], 9, 'what it replaced is kept');
    await assert.rejects(listVersions(`${at}/missing`, ask()), { kind: 'notFound' });
  });

  promise('an earlier content can be read, whole and in part, and the present one stays', ['write'], async () => {
    const at = await folder();
    const path = `${at}/Bücher #3.txt`;
    const { listVersions, readVersion } = versionsOf(connector()) ?? assert.fail('no versions');
    if (!listVersions || !readVersion) assert.fail('versions that are not read');
    await put(path, 'first words');
    await put(path, 'second');
    const [first] = (await listVersions(path, ask())) ?? [];
    const read = async (range?: ByteRange): Promise<string> =>
      (await collect(await readVersion(path, first?.id ?? '', { ...ask(), ...(range && { range }) }))).toString();
    assert.equal(await read(), 'first words');
    assert.equal(await read({ start: 6 }), 'words');
    assert.equal(await read({ start: 0, end: 5 }), 'first');
    await assert.rejects(read({ start: 11 }), { kind: 'badRange' });
    await assert.rejects(readVersion(path, 'none of its versions', ask()), { kind: 'notFound' });
    assert.equal((await get(path)).toString(), 'second');
  });
}
