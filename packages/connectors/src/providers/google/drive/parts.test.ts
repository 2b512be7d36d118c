import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import { notebook } from '../../../conformance/leftovers.ts';
import { resumableUploadsOf } from '../../../core/operations.ts';
import { collect } from '../../../kit/body/body.ts';
import { namedHash } from '../../../kit/hash/named-hash.ts';
import { ask, namesIn, startDriveTest, textOf, write } from './testing/drive.ts';

const KiB = 1024;
const block = 256 * KiB;
const usualPart = 2 * block;
const bytes = randomBytes(2 * usualPart + 300 * KiB);
const sessionUrl = /^PUT \/upload/;

describe('Uploads in parts to Google Drive', () => {
  const { google, envOf, open } = startDriveTest();
  let count = 0;

  async function begin({ size = bytes.length, isNew = false } = {}) {
    const path = `/file ${++count}`;
    const { notes, leftovers } = notebook();
    const connector = open({ ...envOf(), leftovers }, { usualPart });
    if (!isNew) await write(connector, path, 'the old one');
    const call = { ...ask(), size, ifExists: isNew ? ('fail' as const) : ('replace' as const) };
    const uploads = resumableUploadsOf(connector) ?? assert.fail();
    const { session } = await uploads.beginUpload(path, call);
    const md5 = namedHash('md5');
    md5.update(bytes.subarray(0, size));
    const hashes = { md5: String(md5.digest()) };
    const where = async () => uploads.uploadState(path, { ...ask(), session });
    const send = async (offset: number, end = Math.min(size, offset + usualPart)) =>
      uploads.sendPart(path, Readable.from([bytes.subarray(offset, end)]), { ...ask(), session, offset, size: end - offset });
    const sendRest = async () => {
      for (let state = await where(); 'offset' in state && state.offset < size; state = await where())
        await send(state.offset, Math.min(size, state.offset - (state.offset % usualPart) + usualPart));
    };
    const finish = async () => uploads.finishUpload(path, { ...call, ...ask(), session, parts: [], hashes });
    const content = async () => collect(await connector.read(path, ask()));
    /** The hidden files. */
    const tails = () => [...google().drive.nodes.values()].filter(({ name }) => name.startsWith('.sheaf-partial-'));
    return { path, connector, uploads, session, where, send, sendRest, finish, content, tails, notes };
  }

  test('a replaced file stays the same one, and the last bytes are never listed', async () => {
    const { path, connector, sendRest, finish, content, tails } = await begin();
    const idOf = () => [...google().drive.nodes.values()].find(({ name }) => name === path.slice(1))?.id;
    const before = idOf();
    const listed = await namesIn(connector, '/');
    await sendRest();
    assert.equal(tails().length, 1);
    assert.deepEqual(await namesIn(connector, '/'), listed);
    assert.equal(await textOf(connector, path), 'the old one');
    await finish();
    assert.equal(idOf(), before);
    assert.equal(tails().length, 0);
    assert.ok((await content()).equals(bytes));
  });

  test('a part whose connection breaks continues from the last block that Drive has', async () => {
    const { where, send, sendRest, finish, content } = await begin();
    await send(0);
    google().faults.next(sessionUrl, 1, { kind: 'cutUpload', afterBytes: 300 * KiB });
    await assert.rejects(send(usualPart));
    assert.deepEqual(await where(), { offset: usualPart + block });
    await sendRest();
    await finish();
    assert.ok((await content()).equals(bytes));
  });

  test('an upload of whole blocks, and one of less than a block, end when they are finished', async () => {
    for (const size of [block, 100, 2 * usualPart]) {
      const { path, connector, where, sendRest, finish, content } = await begin({ size });
      await sendRest();
      assert.deepEqual(await where(), { offset: size });
      assert.equal(await textOf(connector, path), 'the old one');
      await finish();
      assert.ok((await content()).equals(bytes.subarray(0, size)));
    }
  });

  test('last bytes that are sent twice are held back in one file', async () => {
    const { send, sendRest, finish, content, tails } = await begin();
    await sendRest();
    await send(2 * usualPart + block);
    assert.equal(tails().length, 1);
    await finish();
    assert.ok((await content()).equals(bytes));
  });

  test('an upload whose last bytes are missing is not finished', async () => {
    const { send, where, sendRest, finish } = await begin();
    await send(0);
    await assert.rejects(send(2 * usualPart + block), { kind: 'interrupted' });
    await assert.rejects(finish(), { kind: 'sizeDiffers' });
    assert.deepEqual(await where(), { offset: usualPart });
    await sendRest();
    await finish();
  });

  test('an upload whose last response is lost is finished', async () => {
    const { sendRest, finish, content } = await begin();
    await sendRest();
    google().faults.next(sessionUrl, 1, { kind: 'slow', ms: 0 });
    google().faults.next(sessionUrl, 1, { kind: 'lost' });
    assert.equal((await finish()).entry.size, bytes.length);
    assert.ok((await content()).equals(bytes));
    await assert.rejects(finish(), { kind: 'notFound' });
  });

  test('bytes damaged in transit are removed', async () => {
    for (const isNew of [false, true]) {
      const { path, connector, sendRest, finish } = await begin({ isNew });
      await sendRest();
      google().uploads.damage();
      await assert.rejects(finish(), { kind: 'damaged' });
      if (isNew) await assert.rejects(connector.stat(path, ask()), { kind: 'notFound' });
      else assert.equal(await textOf(connector, path), 'the old one');
    }
  });

  test('an expired session is unknown, and its last bytes are deleted', async () => {
    const { path, uploads, session, where, send, sendRest, finish, tails } = await begin();
    await sendRest();
    google().uploads.forget();
    await assert.rejects(where(), { kind: 'notFound' });
    await assert.rejects(send(0), { kind: 'notFound' });
    await assert.rejects(finish(), { kind: 'notFound' });
    assert.equal(tails().length, 0);
    await uploads.abandonUpload(path, { ...ask(), session });
  });

  test('an upload starts over when the file to replace is a different one by now, and replaces neither', async () => {
    const { path, connector, where, sendRest, finish, tails } = await begin();
    await sendRest();
    await connector.rename?.(path, `moved ${path.slice(1)}`, ask());
    await write(connector, path, 'another');
    await assert.rejects(finish(), { kind: 'notFound' });
    await assert.rejects(where(), { kind: 'notFound' });
    assert.equal(tails().length, 0);
    assert.equal(await textOf(connector, path), 'another');
    assert.equal(await textOf(connector, `/moved ${path.slice(1)}`), 'the old one');
  });

  test('last bytes that cannot be deleted now are deleted by their note', async () => {
    const { connector, sendRest, finish, tails, notes } = await begin();
    await sendRest();
    const json = { error: { code: 404, message: 'busy', errors: [{ reason: 'fileNotDownloadable' }] } };
    google().faults.next(/^DELETE \/drive/, 1, { kind: 'reply', reply: { status: 400, json } });
    await finish();
    assert.deepEqual(
      notes.map(({ end }) => end),
      ['stays'],
    );
    assert.equal(tails().length, 1);
    for (const { text } of notes) await connector.clearUp?.(text, ask());
    assert.equal(tails().length, 0);
    for (const { text } of notes) await connector.clearUp?.(text, ask());
  });
});
