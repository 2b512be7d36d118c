import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Bin, BinItem } from '../../core/bin.ts';
import type { Connector } from '../../core/connector.ts';
import { binOf } from '../../core/operations.ts';
import { hiddenBin } from '../../kit/bins/hidden-bin.ts';
import { type Setting, ask, assertHolds } from '../setting.ts';

const needs = ['remove', 'move', 'createFolder'] as const;

/** Promises of the bin: the source's own, or the hidden one that Sheaf gives to sources that move a folder in one step. */
export function binPromises(setting: Setting): void {
  const { traits, promise, folder, put, get } = setting;
  if (!traits.bin) return;
  const own = traits.bin === 'hidden' ? undefined : traits.bin;
  const connector = (): Connector => (own ? setting.connector() : hiddenBin(setting.connector()));
  const bin = (): Bin => binOf(connector()) ?? assert.fail('no bin');
  // Long ago, so that the folder of the day is removed with its last item.
  const day = '2020-11-25';

  async function discard(path: string): Promise<{ binId: string; told: string[] }> {
    const told: string[] = [];
    const key = randomUUID().replaceAll('-', '').slice(0, 16);
    const binId = await bin().discard(path, { ...ask(), day, key, before: async (id) => void told.push(id) });
    return { binId, told };
  }
  const shown = async (at: string): Promise<string[]> => [...(await setting.listed(at)).keys()];

  promise('a deleted file is in the bin and is restored unchanged', needs, async () => {
    const at = await folder();
    await put(`${at}/Bücher & Co #1.txt`, 'kept');
    const { binId, told } = await discard(`${at}/Bücher & Co #1.txt`);
    assert.equal(told.at(-1), binId, 'its id is told');
    assert.deepEqual(await shown(at), []);
    assert.equal((await bin().binned(binId, ask())).size, 4);
    const entry = await bin().restore(binId, `${at}/Bücher & Co #1.txt`, ask());
    assert.deepEqual([entry.name, entry.size], ['Bücher & Co #1.txt', 4]);
    assert.equal((await get(`${at}/Bücher & Co #1.txt`)).toString(), 'kept');
    await assert.rejects(bin().binned(binId, ask()), { kind: 'notFound' });
    await assert.rejects(bin().restore(binId, `${at}/again.txt`, ask()), { kind: 'notFound' });
  });

  promise('a deleted folder is restored with all its content', needs, async () => {
    const at = await folder();
    await setting.createFolder(`${at}/album`);
    await setting.createFolder(`${at}/album/inner`);
    await put(`${at}/album/inner/one`, '1');
    await put(`${at}/album/two`, '22');
    const { binId } = await discard(`${at}/album`);
    await assertHolds(setting, at, []);
    await bin().restore(binId, `${at}/album`, ask());
    assert.equal((await get(`${at}/album/inner/one`)).toString(), '1');
    assert.equal((await get(`${at}/album/two`)).toString(), '22');
  });

  promise('a restored item never replaces one that has taken its name', needs, async () => {
    const at = await folder();
    await put(`${at}/name`, 'old');
    const { binId } = await discard(`${at}/name`);
    await put(`${at}/name`, 'newer');
    await assert.rejects(bin().restore(binId, `${at}/name`, ask()), { kind: 'alreadyExists' });
    assert.equal((await get(`${at}/name`)).toString(), 'newer');
    assert.equal((await bin().binned(binId, ask())).size, 3);
  });

  promise('an item is not deleted when its id cannot be recorded, and a missing item is notFound', needs, async () => {
    const at = await folder();
    await put(`${at}/stays`, 'x');
    const refuse = () => Promise.reject(new Error('not noted'));
    await assert.rejects(bin().discard(`${at}/stays`, { ...ask(), day, key: 'aaaaaaaa', before: refuse }), /not noted/);
    assert.deepEqual(await shown(at), ['stays']);
    await assert.rejects(discard(`${at}/missing`), { kind: 'notFound' });
  });

  if (!own || own.purges)
    promise('a permanently deleted item is no longer in the bin', needs, async () => {
      const at = await folder();
      await put(`${at}/gone`, 'x');
      const { binId } = await discard(`${at}/gone`);
      await bin().purge?.(binId, ask());
      await assert.rejects(bin().binned(binId, ask()), { kind: 'notFound' });
      await bin().purge?.(binId, ask());
    });

  async function inBin(): Promise<ReadonlyMap<string, BinItem>> {
    const found = new Map<string, BinItem>();
    for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
      const page = (await bin().listBin?.(cursor, ask())) ?? assert.fail('the bin has no list');
      for (const item of page.items) found.set(item.id, item);
      cursor = page.cursor;
    }
    return found;
  }

  if (own?.lists === 'files')
    promise('the bin lists the files that were deleted, and each is restored by its id there', ['remove', 'createFolder'], async () => {
      const at = await folder();
      await put(`${at}/listed one.txt`, 'four');
      await setting.createFolder(`${at}/listed folder`);
      await put(`${at}/listed folder/inner.txt`, 'five5');
      await discard(`${at}/listed one.txt`);
      await discard(`${at}/listed folder`);
      const found = [...(await inBin()).values()].filter(({ path }) => path?.startsWith(`${at}/`));
      const facts = found.map(({ name, kind, size }) => `${name} ${kind} ${size}`).toSorted();
      assert.deepEqual(facts, ['inner.txt file 5', 'listed one.txt file 4']);
      for (const { deleted } of found) assert.ok(Math.abs((deleted ?? 0) - Date.now() / 1000) < 24 * 60 * 60);
      const item = found.find(({ name }) => name === 'listed one.txt');
      await bin().restore(item?.id ?? '', undefined, ask());
      assert.equal((await get(`${at}/listed one.txt`)).toString(), 'four');
      // Its folder comes back with it.
      await bin().restore(found.find(({ name }) => name === 'inner.txt')?.id ?? '', undefined, ask());
      assert.equal((await get(`${at}/listed folder/inner.txt`)).toString(), 'five5');
    });

  if (own?.lists === true)
    promise('the bin lists deleted items', ['remove', 'createFolder'], async () => {
      const at = await folder();
      await put(`${at}/listed one.txt`, 'four');
      await setting.createFolder(`${at}/listed folder`);
      const file = await discard(`${at}/listed one.txt`);
      const whole = await discard(`${at}/listed folder`);
      const found = await inBin();
      assert.deepEqual([found.get(file.binId)?.name, found.get(file.binId)?.kind], ['listed one.txt', 'file']);
      assert.deepEqual([found.get(whole.binId)?.name, found.get(whole.binId)?.kind], ['listed folder', 'folder']);
    });

  if (!own)
    promise('only ids of items in a hidden bin are accepted', needs, async () => {
      const at = await folder();
      await put(`${at}/secret`, 'x');
      await put(`${at}/other`, 'y');
      const { binId } = await discard(`${at}/secret`);
      for (const id of [`${at}/other`, '/.sheaf-bin', `/.sheaf-bin/${day}`, `/.sheaf-bin/${day}/../..${at}/other`, `${binId}/in it`])
        await assert.rejects(bin().restore(id, `${at}/taken`, ask()), { kind: 'notFound' }, id);
      assert.deepEqual(await shown(at), ['other']);
    });
}
