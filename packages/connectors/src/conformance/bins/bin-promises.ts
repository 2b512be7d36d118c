import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { Bin } from '../../core/bin.ts';
import type { Connector } from '../../core/connector.ts';
import { binOf } from '../../core/operations.ts';
import { hiddenBin } from '../../kit/bins/hidden-bin.ts';
import { type Setting, ask, assertHolds } from '../setting.ts';

const absent = ['binned', 'discard'] as const;

/** Promises of the bin: the source's own, or the hidden one that Sheaf gives to sources that can move items. */
export function binPromises(setting: Setting): void {
  const { traits, promise, folder, put, get } = setting;
  const connector = (): Connector => (traits.hasBin ? setting.connector() : hiddenBin(setting.connector()));
  const bin = (): Bin => binOf(connector()) ?? assert.fail('no bin');
  const day = '2026-11-25';

  async function discard(path: string, at: string): Promise<{ binId: string; told: string[] }> {
    const told: string[] = [];
    const key = randomUUID().replaceAll('-', '').slice(0, 16);
    const binId = await bin().discard(path, { ...ask(), folder: at, day, key, before: async (id) => void told.push(id) });
    return { binId, told };
  }
  /** Names in the folder; in an open link a layer hides the hidden bin. */
  const shown = async (at: string): Promise<string[]> =>
    [...(await setting.listed(at)).keys()].filter((name) => traits.hasBin || name !== '.sheaf-bin');

  if (traits.hasBin && !traits.bins) {
    test('its own bin cannot be opened', () => {
      for (const method of absent) assert.equal(setting.connector()[method], undefined);
    });
    return;
  }

  promise('a deleted file is in the bin and comes back as it was', ['remove', 'move', 'createFolder'], async () => {
    const at = await folder();
    await put(`${at}/Bücher & Co #1.txt`, 'kept');
    const { binId, told } = await discard(`${at}/Bücher & Co #1.txt`, at);
    assert.deepEqual(told, [binId], 'its id is told before it is deleted');
    assert.deepEqual(await shown(at), []);
    assert.equal((await bin().binned(binId, ask())).size, 4);
    const entry = await bin().restore(binId, `${at}/Bücher & Co #1.txt`, ask());
    assert.deepEqual([entry.name, entry.size], ['Bücher & Co #1.txt', 4]);
    assert.equal((await get(`${at}/Bücher & Co #1.txt`)).toString(), 'kept');
    await assert.rejects(bin().binned(binId, ask()), { kind: 'notFound' });
    await assert.rejects(bin().restore(binId, `${at}/again.txt`, ask()), { kind: 'notFound' });
  });

  promise('a deleted folder comes back with all it holds', ['remove', 'move', 'createFolder'], async () => {
    const at = await folder();
    await setting.createFolder(`${at}/album`);
    await setting.createFolder(`${at}/album/inner`);
    await put(`${at}/album/inner/one`, '1');
    await put(`${at}/album/two`, '22');
    const { binId } = await discard(`${at}/album`, at);
    await assertHolds(setting, at, traits.hasBin ? [] : ['.sheaf-bin']);
    await bin().restore(binId, `${at}/album`, ask());
    assert.equal((await get(`${at}/album/inner/one`)).toString(), '1');
    assert.equal((await get(`${at}/album/two`)).toString(), '22');
  });

  promise('the bin never replaces what has taken the name', ['remove', 'move', 'createFolder'], async () => {
    const at = await folder();
    await put(`${at}/name`, 'old');
    const { binId } = await discard(`${at}/name`, at);
    await put(`${at}/name`, 'newer');
    await assert.rejects(bin().restore(binId, `${at}/name`, ask()), { kind: 'alreadyExists' });
    assert.equal((await get(`${at}/name`)).toString(), 'newer');
    assert.equal((await bin().binned(binId, ask())).size, 3);
  });

  promise('nothing is deleted when its id cannot be noted, or when it is missing', ['remove', 'move', 'createFolder'], async () => {
    const at = await folder();
    await put(`${at}/stays`, 'x');
    const refuse = () => Promise.reject(new Error('not noted'));
    await assert.rejects(bin().discard(`${at}/stays`, { ...ask(), folder: at, day, key: 'aaaaaaaa', before: refuse }), /not noted/);
    assert.deepEqual(await shown(at), ['stays']);
    await assert.rejects(discard(`${at}/missing`, at), { kind: 'notFound' });
  });

  if (traits.bins?.purges !== false)
    promise('what is deleted for ever has left the bin', ['remove', 'move', 'createFolder'], async () => {
      const at = await folder();
      await put(`${at}/gone`, 'x');
      const { binId } = await discard(`${at}/gone`, at);
      await bin().purge?.(binId, ask());
      await assert.rejects(bin().binned(binId, ask()), { kind: 'notFound' });
      await bin().purge?.(binId, ask());
      if (!traits.hasBin) assert.deepEqual((await Array.fromAsync(setting.connector().list(`${at}/.sheaf-bin`, ask()))).flat(), []);
    });

  if (traits.bins?.lists)
    promise('the bin lists what was deleted', ['remove', 'createFolder'], async () => {
      const at = await folder();
      await put(`${at}/listed one.txt`, 'four');
      await setting.createFolder(`${at}/listed folder`);
      const file = await discard(`${at}/listed one.txt`, at);
      const whole = await discard(`${at}/listed folder`, at);
      const found = new Map<string, { name: string; kind: string }>();
      for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
        const page = (await bin().listBin?.(cursor, ask())) ?? assert.fail('the bin has no list');
        for (const item of page.items) found.set(item.id, item);
        cursor = page.cursor;
      }
      assert.deepEqual([found.get(file.binId)?.name, found.get(file.binId)?.kind], ['listed one.txt', 'file']);
      assert.deepEqual([found.get(whole.binId)?.name, found.get(whole.binId)?.kind], ['listed folder', 'folder']);
    });

  if (!traits.hasBin)
    promise('an id leads to nothing but an item of a hidden bin', ['remove', 'move', 'createFolder'], async () => {
      const at = await folder();
      await put(`${at}/secret`, 'x');
      await put(`${at}/other`, 'y');
      await discard(`${at}/secret`, at);
      for (const id of [`${at}/other`, `${at}/.sheaf-bin`, `${at}/.sheaf-bin/${day}`, `${at}/.sheaf-bin/${day}/../../other`])
        await assert.rejects(bin().restore(id, `${at}/taken`, ask()), { kind: 'notFound' }, id);
      assert.deepEqual(await shown(at), ['other']);
    });
}
