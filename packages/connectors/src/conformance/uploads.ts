import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import type { Connector } from '../core/connector.ts';
import type { Hashes } from '../core/hashes.ts';
import { resumableUploadsOf } from '../core/operations.ts';
import type { FinishedUpload, ResumableUploads, SentPart, Upload } from '../core/upload.ts';
import { createHashSet, namedHash } from '../kit/hash/named-hash.ts';
import { nameOf } from '../kit/names/path.ts';
import { patterned } from './large-files.ts';
import { type Setting, ask, assertHolds } from './setting.ts';

/** Promises about hashes that a source reports, and about uploads that another process continues. */
export function uploadPromises(setting: Setting): void {
  const { traits, promise, folder, put, get, listed } = setting;

  test(traits.hashes ? `reports ${traits.hashes.join(', ')}` : 'reports no hashes', () =>
    assert.deepEqual(setting.connector().hashes, traits.hashes),
  );

  if (traits.hashes)
    promise('the hashes of a file are those of its bytes', ['write'], async () => {
      const at = await folder();
      const bytes = patterned(300_001);
      const written = await put(`${at}/hashed`, bytes);
      const body = await setting.connector().read(`${at}/hashed`, ask());
      body.cancel();
      const seen = [
        written.hashes,
        body.entry.hashes,
        (await setting.connector().stat(`${at}/hashed`, ask())).hashes,
        (await listed(at)).get('hashed')?.hashes,
      ].filter((hashes) => hashes !== undefined);
      assert.ok(seen.length > 0, 'no answer has a hash');
      for (const hashes of seen) assertHashes(bytes, hashes);
    });

  if (!traits.resumes) {
    test('cannot continue uploads', () => assert.equal(resumableUploadsOf(setting.connector()), undefined));
    return;
  }
  const { reopen, partSize = 16 * 1024 * 1024 } = traits.resumes;

  /** Runs the steps with a second connector, as another process would. */
  async function elsewhere<T>(run: (uploads: ResumableUploads) => Promise<T>): Promise<T> {
    const connector = await reopen();
    try {
      return await run(uploadsOf(connector));
    } finally {
      await connector.close();
    }
  }

  promise('an upload continues in another process, and its file appears at the end', ['write'], async () => {
    const at = await folder();
    const path = `${at}/große Datei.bin`;
    await put(path, 'the old one');
    const bytes = patterned(2 * partSize + 1000);
    const upload = await begun(setting, path, bytes, 'replace');
    const uploads = uploadsOf(setting.connector());
    const first = await sent(uploads, path, upload, bytes, 0);
    assert.equal((await get(path)).toString(), 'the old one');
    await elsewhere(async (others) => {
      const parts = await withRest(others, path, upload, bytes, [first]);
      assert.equal((await get(path)).toString(), 'the old one');
      const { entry, proof } = await finished(others, path, upload, bytes, { parts, ifExists: 'replace' });
      assert.equal(entry.name, nameOf(path));
      assert.equal(entry.size, bytes.length);
      assert.equal(proof?.computed, proof?.stored);
      if (entry.hashes) assertHashes(bytes, entry.hashes);
      if (traits.keepsModified) assert.equal(entry.modified, fileTime);
    });
    assert.ok((await get(path)).equals(bytes));
    await assertHolds(setting, at, [nameOf(path)]);
    const again = finished(uploads, path, upload, bytes, { parts: [first], ifExists: 'replace' });
    await assert.rejects(again, { kind: 'notFound' });
    assert.ok((await get(path)).equals(bytes));
  });

  promise("an interrupted part is resent from the source's offset", ['write'], async () => {
    const at = await folder();
    const path = `${at}/broken`;
    const bytes = patterned(partSize + 70_001);
    const upload = await begun(setting, path, bytes, 'fail');
    const uploads = uploadsOf(setting.connector());
    async function* half(): AsyncGenerator<Uint8Array> {
      yield bytes.subarray(0, Math.floor(upload.partSize / 2));
      throw new Error('the source broke off');
    }
    const broken = uploads.sendPart(path, Readable.from(half(), { objectMode: false }), {
      ...ask(),
      session: upload.session,
      offset: 0,
      size: upload.partSize,
    });
    await assert.rejects(broken);
    const short = uploads.sendPart(path, Readable.from([bytes.subarray(0, 10)]), {
      ...ask(),
      session: upload.session,
      offset: 0,
      size: upload.partSize,
    });
    await assert.rejects(short, { kind: 'sizeDiffers' });
    await elsewhere(async (others) => {
      const parts = await withRest(others, path, upload, bytes, []);
      await finished(others, path, upload, bytes, { parts, ifExists: 'fail' });
    });
    assert.ok((await get(path)).equals(bytes));
    await assertHolds(setting, at, ['broken']);
  });

  promise('parts sent concurrently and in any order are assembled into the file', ['write'], async () => {
    const at = await folder();
    const bytes = patterned(2 * partSize + 17);
    const upload = await begun(setting, `${at}/file`, bytes, 'fail');
    const uploads = uploadsOf(setting.connector());
    const offsets = [2 * upload.partSize, upload.partSize, 0];
    const parts: SentPart[] = [];
    if (upload.parallel > 1) {
      parts.push(...(await Promise.all(offsets.map((offset) => sent(uploads, `${at}/file`, upload, bytes, offset)))));
      parts.sort((one, other) => one.offset - other.offset);
    } else for (const offset of offsets.toReversed()) parts.push(await sent(uploads, `${at}/file`, upload, bytes, offset));
    await finished(uploads, `${at}/file`, upload, bytes, { parts, ifExists: 'fail' });
    assert.ok((await get(`${at}/file`)).equals(bytes));
  });

  promise('an abandoned upload leaves no parts', ['write'], async () => {
    const at = await folder();
    const bytes = patterned(partSize + 1);
    const upload = await begun(setting, `${at}/file`, bytes, 'fail');
    const uploads = uploadsOf(setting.connector());
    await sent(uploads, `${at}/file`, upload, bytes, 0);
    const call = { ...ask(), session: upload.session };
    await elsewhere(async (others) => others.abandonUpload(`${at}/file`, call));
    await uploads.abandonUpload(`${at}/file`, call);
    await assert.rejects(uploads.uploadState(`${at}/file`, call), { kind: 'notFound' });
    await assertHolds(setting, at, []);
  });

  promise('an upload never replaces an item that has taken its name, unless allowed', ['write'], async () => {
    const at = await folder();
    const path = `${at}/file`;
    await put(path, 'taken');
    const bytes = patterned(partSize + 1);
    await assert.rejects(async () => begun(setting, path, bytes, 'fail'), { kind: 'alreadyExists' });
    const upload = await begun(setting, `${at}/other`, bytes, 'fail');
    const uploads = uploadsOf(setting.connector());
    const parts: SentPart[] = [];
    for (const offset of [0, partSize]) parts.push(await sent(uploads, `${at}/other`, upload, bytes, offset));
    await put(`${at}/other`, 'meanwhile');
    await assert.rejects(finished(uploads, `${at}/other`, upload, bytes, { parts, ifExists: 'fail' }), { kind: 'alreadyExists' });
    assert.equal((await get(`${at}/other`)).toString(), 'meanwhile');
    await uploads.abandonUpload(`${at}/other`, { ...ask(), session: upload.session });
    await assertHolds(setting, at, ['file', 'other']);
  });
}

const fileTime = 1_700_000_000;

function uploadsOf(connector: Connector): ResumableUploads {
  return resumableUploadsOf(connector) ?? assert.fail('the source cannot continue uploads, and its traits do not say so');
}

/** Begins an upload for these bytes. */
async function begun(setting: Setting, path: string, { length }: Uint8Array, ifExists: 'replace' | 'fail'): Promise<Upload> {
  const uploads = uploadsOf(setting.connector());
  const upload = await uploads.beginUpload(path, { ...ask(), size: length, ifExists, modified: fileTime });
  assert.equal(upload.partSize, setting.traits.resumes?.partSize ?? 16 * 1024 * 1024);
  upload.kept();
  return upload;
}

async function sent(uploads: ResumableUploads, path: string, upload: Upload, bytes: Uint8Array, offset: number): Promise<SentPart> {
  const end = Math.min(bytes.length, offset - (offset % upload.partSize) + upload.partSize);
  const part = bytes.subarray(offset, end);
  const receipt = await uploads.sendPart(path, Readable.from(inPieces(part), { objectMode: false }), {
    ...ask(),
    session: upload.session,
    offset,
    size: part.length,
  });
  return { offset, size: part.length, receipt };
}

/** Asks what the source has received, sends the rest, and returns all parts in order. */
async function withRest(
  uploads: ResumableUploads,
  path: string,
  upload: Upload,
  bytes: Uint8Array,
  known: readonly SentPart[],
): Promise<SentPart[]> {
  const state = await uploads.uploadState(path, { ...ask(), session: upload.session });
  if ('offset' in state) {
    assert.equal(upload.parallel, 1);
    for (const { offset, size } of known) assert.ok(offset + size <= state.offset, 'a confirmed part is missing');
    for (let at = state.offset; at < bytes.length;) at += (await sent(uploads, path, upload, bytes, at)).size;
    return [];
  }
  for (const part of known) assert.ok(state.parts.some((one) => one.offset === part.offset && one.receipt === part.receipt));
  const parts = [...state.parts];
  for (let offset = 0; offset < bytes.length; offset += upload.partSize)
    if (!parts.some((part) => part.offset === offset)) parts.push(await sent(uploads, path, upload, bytes, offset));
  return parts.sort((one, other) => one.offset - other.offset);
}

async function finished(
  uploads: ResumableUploads,
  path: string,
  { session, parallel, needs = [] }: Upload,
  bytes: Uint8Array,
  { parts, ifExists }: { readonly parts: readonly SentPart[]; readonly ifExists: 'replace' | 'fail' },
): Promise<FinishedUpload> {
  const set = createHashSet(needs, bytes.length);
  await set.update(bytes);
  const own = parallel > 1 ? parts : [];
  const call = { ...ask(), session, size: bytes.length, ifExists, modified: fileTime, parts: own, hashes: await set.digest() };
  return uploads.finishUpload(path, call);
}

function assertHashes(bytes: Uint8Array, hashes: Hashes): void {
  assert.ok(Object.keys(hashes).length > 0);
  for (const [name, value] of Object.entries(hashes)) {
    const hash = namedHash(name as keyof Hashes);
    hash.update(bytes);
    assert.equal(value, hash.digest(), name);
  }
}

function* inPieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 77_777) yield bytes.subarray(at, at + 77_777);
}
