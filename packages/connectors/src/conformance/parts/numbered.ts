import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { numberedUploadsOf } from '../../core/operations.ts';
import type { NumberedPart, NumberedUploads } from '../../core/upload.ts';
import { patterned } from '../large-files.ts';
import { type Setting, ask, assertHolds } from '../setting.ts';

/** Promises about uploads in numbered parts. */
export function numberedPromises(setting: Setting): void {
  const { traits, promise, folder, put, get } = setting;
  if (!traits.numbered) {
    test('takes no numbered parts', () => assert.equal(numberedUploadsOf(setting.connector()), undefined));
    return;
  }
  const uploadsOf = (): NumberedUploads => numberedUploadsOf(setting.connector()) ?? assert.fail('no numbered parts');

  async function begun(path: string, ifExists: 'fail' | 'replace') {
    const uploads = uploadsOf();
    const { session, smallest, kept } = await uploads.beginNumbered(path, { ...ask(), ifExists });
    kept();
    const send = async (number: number, bytes: Buffer) => {
      const size = bytes.length;
      return { number, size, receipt: await uploads.sendNumbered(path, Readable.from([bytes]), { ...ask(), session, number, size }) };
    };
    const finish = (parts: readonly (NumberedPart & { readonly receipt: string })[]) =>
      uploads.finishNumbered(path, { ...ask(), session, parts, ifExists, size: parts.reduce((sum, { size }) => sum + size, 0) });
    return { smallest, session, send, finish, abandon: () => uploads.abandonNumbered(path, { ...ask(), session }) };
  }

  promise('numbered parts may be sent in any order, of any size and repeatedly, and the file appears at the end', ['write'], async () => {
    const at = await folder();
    const path = `${at}/große Datei.bin`;
    await put(path, 'the old one');
    const { smallest, send, finish } = await begun(path, 'replace');
    const [first, third, last] = [patterned(smallest + 7), patterned(smallest + 1001), patterned(11)];
    const [sentLast, wrong] = [await send(9, last), await send(3, patterned(smallest + 5))];
    const [sentThird, sentFirst] = await Promise.all([send(3, third), send(1, first)]);
    assert.notEqual(wrong.size, sentThird.size);
    assert.equal((await get(path)).toString(), 'the old one');
    const { entry, proof } = await finish([sentFirst, sentThird, sentLast]);
    assert.equal(entry.size, first.length + third.length + last.length);
    assert.equal(proof?.computed, proof?.stored);
    assert.ok((await get(path)).equals(Buffer.concat([first, third, last])));
    await assertHolds(setting, at, ['große Datei.bin']);
  });

  promise('a numbered part that breaks off keeps the earlier one, and an abandoned upload leaves no parts', ['write'], async () => {
    const at = await folder();
    const path = `${at}/file`;
    const upload = await begun(path, 'fail');
    const whole = await upload.send(1, patterned(500));
    async function* half(): AsyncGenerator<Uint8Array> {
      yield patterned(100);
      throw new Error('the source broke off');
    }
    const broken = { ...ask(), session: upload.session, number: 1, size: 600 };
    await assert.rejects(uploadsOf().sendNumbered(path, Readable.from(half(), { objectMode: false }), broken));
    await upload.finish([whole]);
    assert.ok((await get(path)).equals(patterned(500)));
    const other = await begun(`${at}/other`, 'fail');
    const part = await other.send(1, patterned(10));
    await other.abandon();
    await other.abandon();
    await assert.rejects(other.finish([part]), { kind: 'notFound' });
    await assertHolds(setting, at, ['file']);
  });

  promise('numbered parts do not replace a file that was created in the meantime', ['write'], async () => {
    const at = await folder();
    const upload = await begun(`${at}/file`, 'fail');
    const part = await upload.send(1, patterned(300));
    await put(`${at}/file`, 'theirs');
    await assert.rejects(upload.finish([part]));
    assert.equal((await get(`${at}/file`)).toString(), 'theirs');
  });
}
