import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ConnectorError } from '../core/error.ts';
import { measured } from '../kit/body/upload-meter.ts';
import { type Setting, ask, assertHolds } from './setting.ts';

/** Promises of `write`. */
export function writingPromises(setting: Setting): void {
  const { folder, put, get } = setting;
  const promise = (title: string, run: () => Promise<void>) => setting.promise(title, ['write'], run);
  const stat = (path: string) => setting.connector().stat(path, ask());

  promise('write stores the bytes and returns the new entry', async () => {
    const at = await folder();
    const entry = await put(`${at}/new.txt`, 'hello');
    assert.deepEqual({ name: entry.name, kind: entry.kind, size: entry.size }, { name: 'new.txt', kind: 'file', size: 5 });
    assert.equal((await get(`${at}/new.txt`)).toString(), 'hello');
  });

  promise('write replaces a file by a shorter and by a longer one', async () => {
    const at = await folder();
    await put(`${at}/file`, 'the first');
    await put(`${at}/file`, 'short');
    assert.equal((await get(`${at}/file`)).toString(), 'short');
    await put(`${at}/file`, 'much longer than before');
    assert.equal((await get(`${at}/file`)).toString(), 'much longer than before');
    await assertHolds(setting, at, ['file']);
  });

  promise('write of a body of unknown length stores all of it', async () => {
    const at = await folder();
    const pieces = [Buffer.alloc(1), Buffer.alloc(70_000, 'a'), Buffer.alloc(3, 'b'), Buffer.alloc(300_000, 'c')];
    const entry = await put(`${at}/file`, Readable.from(pieces));
    assert.equal(entry.size, 370_004);
    assert.deepEqual(await get(`${at}/file`), Buffer.concat(pieces));
  });

  for (const size of [300_003, undefined])
    promise(`write of ${size === undefined ? 'unknown' : 'known'} length counts every byte that the source has taken`, async () => {
      const at = await folder();
      const body = Readable.from([Buffer.alloc(100_000, 'a'), Buffer.alloc(200_003, 'b')]);
      let taken = 0;
      await measured(
        (bytes) => (taken = bytes),
        () => put(`${at}/file`, body, size === undefined ? {} : { size }),
      );
      assert.ok(taken >= 300_003 && taken < 310_000, `${taken} bytes were counted`);
    });

  promise('write reports progress while bytes are sent, never backwards', async () => {
    const at = await folder();
    const size = 900_000;
    const counts: number[] = [];
    const body = Readable.from(Array.from({ length: 9 }, (_, index) => Buffer.alloc(size / 9, String(index))));
    await measured(
      (bytes) => counts.push(bytes),
      () => put(`${at}/file`, body, { size }),
    );
    assert.deepEqual(
      counts,
      counts.toSorted((one, other) => one - other),
    );
    assert.ok(counts.length > 2, `counted in steps: ${counts.join(', ')}`);
  });

  promise('write that must not replace is alreadyExists, ends the body and leaves the existing item', async () => {
    const at = await folder();
    await put(`${at}/file`, 'good');
    const taken = setting.can('createFolder') ? ['file', 'folder'] : ['file'];
    if (setting.can('createFolder')) await setting.createFolder(`${at}/folder`);
    for (const name of taken) {
      const body = Readable.from([Buffer.from('bad')]);
      await assert.rejects(put(`${at}/${name}`, body, { ifExists: 'fail', size: 3 }), { kind: 'alreadyExists' });
      assert.ok(body.destroyed || body.readableEnded, 'the body was left hanging');
    }
    // Another writer took the name after the caller had seen it free.
    const seenFree = { ifExists: 'fail', seenFree: true } as const;
    for (const size of [{ size: 3 }, {}])
      await assert.rejects(put(`${at}/file`, Readable.from([Buffer.from('bad')]), { ...seenFree, ...size }), { kind: 'alreadyExists' });
    assert.equal((await put(`${at}/seen`, 'new', seenFree)).name, 'seen');
    assert.equal((await get(`${at}/file`)).toString(), 'good');
    assert.equal((await put(`${at}/other`, 'new', { ifExists: 'fail' })).name, 'other');
    await assertHolds(setting, at, [...taken, 'other', 'seen']);
  });

  setting.promise('write over a folder is refused and leaves the folder', ['createFolder', 'write'], async () => {
    const at = await folder();
    await setting.createFolder(`${at}/folder`);
    await put(`${at}/folder/inside`, 'kept');
    await assert.rejects(put(`${at}/folder`, 'x'), (error) => isOneOf(error, 'isAFolder', 'alreadyExists'));
    assert.equal((await get(`${at}/folder/inside`)).toString(), 'kept');
    await assertHolds(setting, at, ['folder']);
  });

  promise('write into a missing folder is notFound, unless folders are implicit', async () => {
    const at = await folder();
    const attempt = put(`${at}/missing/file`, 'x');
    if (setting.traits.freeParents) {
      await attempt;
      await assertHolds(setting, at, ['missing']);
    } else {
      await assert.rejects(attempt, { kind: 'notFound' });
      await assertHolds(setting, at, []);
    }
  });

  for (const [what, size] of [
    ['shorter than announced', 12],
    ['longer than announced', 5],
    ['of bytes that is announced as empty', 0],
  ] as const)
    promise(`a body ${what} is sizeDiffers and leaves the old file`, async () => {
      const at = await folder();
      await put(`${at}/file`, 'the old one');
      await assert.rejects(put(`${at}/file`, Readable.from(late('nine byte')), { size }), { kind: 'sizeDiffers' });
      await assert.rejects(put(`${at}/new`, Readable.from(late('nine byte')), { size }), { kind: 'sizeDiffers' });
      assert.equal((await get(`${at}/file`)).toString(), 'the old one');
      await assertHolds(setting, at, ['file']);
    });

  for (const [what, size] of [
    ['known', 900_000],
    ['unknown', undefined],
  ] as const) {
    promise(`a body of ${what} length that breaks leaves the old file`, async () => {
      const at = await folder();
      await put(`${at}/file`, 'the old one');
      for (const name of ['file', 'new'])
        await assert.rejects(
          put(`${at}/${name}`, Readable.from(breaking()), size === undefined ? {} : { size }),
          (error) => error instanceof ConnectorError,
        );
      assert.equal((await get(`${at}/file`)).toString(), 'the old one');
      await assertHolds(setting, at, ['file']);
    });

    promise(`a write of ${what} length that is cancelled is aborted and leaves the old file`, async () => {
      const at = await folder();
      await put(`${at}/file`, 'the old one');
      for (const name of ['file', 'new']) {
        const given = new AbortController();
        const body = pausing(() => given.abort());
        await assert.rejects(put(`${at}/${name}`, body, { signal: given.signal, ...(size !== undefined && { size }) }), {
          kind: 'aborted',
        });
        assert.ok(body.destroyed, 'the body was left hanging');
      }
      assert.equal((await get(`${at}/file`)).toString(), 'the old one');
      await assertHolds(setting, at, ['file']);
    });
  }

  promise('write keeps the time it is given, where the source can', async () => {
    const at = await folder();
    const entry = await put(`${at}/file`, 'x', { modified: 1_000_000_000 });
    const { modified } = await stat(`${at}/file`);
    if (setting.traits.keepsModified) assert.deepEqual([entry.modified, modified], [1_000_000_000, 1_000_000_000]);
    else assert.ok(modified === undefined || Math.abs(modified - Date.now() / 1000) < 300, `modified ${modified}`);
  });
}

const isOneOf = (error: unknown, ...kinds: readonly string[]): boolean => error instanceof ConnectorError && kinds.includes(error.kind);

/** Yields the text late, so that a server that takes the request's head for the whole request would already have stored a file. */
async function* late(text: string): AsyncGenerator<Buffer> {
  for (let turn = 0; turn < 500; turn += 1) await nextTurn();
  yield Buffer.from(text);
}

async function* breaking(): AsyncGenerator<Buffer> {
  yield Buffer.alloc(300_000, 'x');
  yield Buffer.alloc(300_000, 'y');
  throw new Error('the browser went away');
}

/** Sends two thirds of 900,000 bytes, then calls `onPause` and stays silent, like a browser whose user presses Cancel. */
function pausing(onPause: () => void): Readable {
  let pieces = 2;
  return new Readable({
    read() {
      if (pieces > 0) this.push(Buffer.alloc(300_000, 'x'));
      else setImmediate(onPause);
      pieces -= 1;
    },
  });
}
