import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import type { Connector } from '../../core/connector.ts';
import { resumableUploadsOf } from '../../core/operations.ts';
import { patterned } from '../large-files.ts';
import { type Stage as WithFiles, notebook } from '../leftovers.ts';

interface Line {
  readonly port: number;
  bytesUp(): number;
  cut(): void;
  stop(): Promise<void>;
}

interface Stage extends Omit<WithFiles, 'open' | 'proxy'> {
  proxy(): Promise<Line>;
  open(...args: Parameters<WithFiles['open']>): Connector | Promise<Connector>;
}

interface Traits {
  /** Whether the connector records a leftover note; otherwise the server cleans up by itself. */
  readonly notes?: boolean;
}

const ask = () => ({ signal: AbortSignal.timeout(60_000) });
const pieceSize = 64 * 1024;
/** Bytes that requests and encryption add to those of the file. */
const overhead = 2 * 1024 * 1024;

/** Promises about resumable uploads into a hidden file of the target's folder, when the connection or the process ends. */
export function resumesInPlace(id: string, start: () => Promise<Stage>, { notes: hasNotes = true }: Traits = {}): void {
  describe(`${id}: resumable uploads`, () => {
    let stage: Stage;
    before(async () => {
      stage = await start();
    });
    after(() => stage.stop());
    const open = async (port: number, { leftovers } = notebook()) => {
      const connector = await stage.open(port, leftovers);
      return { close: () => connector.close(), clearUp: connector.clearUp, ...(resumableUploadsOf(connector) ?? assert.fail(id)) };
    };
    const files = async () => (await readdir(stage.home)).filter((name) => name !== '.DAV').sort();

    test('a connection that breaks in a part costs at most that part', async (t) => {
      const line = await stage.proxy();
      t.after(() => line.stop());
      const first = await open(line.port);
      const begun = await first.beginUpload('/file', { ...ask(), size: 40 * 1024 * 1024, ifExists: 'fail' });
      begun.kept();
      const { session, partSize } = begun;
      const bytes = patterned(2 * partSize + 12_345);
      const part = (from: number, onPiece: (at: number) => void = () => undefined): Readable => {
        function* pieces(): Generator<Uint8Array> {
          const end = Math.min(bytes.length, from + partSize);
          for (let at = from; at < end; at += pieceSize) {
            onPiece(at);
            yield bytes.subarray(at, Math.min(end, at + pieceSize));
          }
        }
        return Readable.from(pieces(), { objectMode: false });
      };
      await first.sendPart('/file', part(0), { ...ask(), session, offset: 0, size: partSize });
      const halfway = 1.5 * partSize;
      const cutting = part(partSize, (at) => {
        if (at >= halfway && at < halfway + pieceSize) line.cut();
      });
      await assert.rejects(first.sendPart('/file', cutting, { ...ask(), session, offset: partSize, size: partSize }));
      await first.close();

      const second = await open(line.port);
      t.after(() => second.close());
      assert.deepEqual(await second.uploadState('/file', { ...ask(), session }), { offset: partSize });
      for (let offset = partSize; offset < bytes.length; offset += partSize)
        await second.sendPart('/file', part(offset), { ...ask(), session, offset, size: Math.min(partSize, bytes.length - offset) });
      const { entry } = await second.finishUpload('/file', {
        ...ask(),
        session,
        size: bytes.length,
        ifExists: 'fail',
        parts: [],
        hashes: {},
      });
      assert.equal(entry.size, bytes.length);
      assert.ok((await readFile(join(stage.home, 'file'))).equals(bytes));
      assert.deepEqual(await files(), ['file']);
      assert.ok(line.bytesUp() < bytes.length + partSize + overhead, `${line.bytesUp()} bytes were sent for ${bytes.length}`);
    });

    test('a cleaned up upload is ended, through its note while its session is not stored', async (t) => {
      const { notes, leftovers } = notebook();
      const uploads = await open(stage.port, { notes, leftovers });
      t.after(() => uploads.close());
      const call = { ...ask(), size: 10, ifExists: 'replace' as const };
      const before = await files();
      const upload = await uploads.beginUpload('/lost', call);
      const { session } = upload;
      assert.deepEqual(
        notes.map(({ end }) => end),
        hasNotes ? [undefined] : [],
      );
      if (hasNotes) await uploads.clearUp?.(notes[0]?.text ?? '', ask());
      else await uploads.abandonUpload('/lost', { ...ask(), session });
      assert.deepEqual(await files(), before);
      await assert.rejects(uploads.uploadState('/lost', { ...ask(), session }), { kind: 'notFound' });
      const part = uploads.sendPart('/lost', Readable.from([Buffer.alloc(10)]), { ...ask(), session, offset: 0, size: 10 });
      await assert.rejects(part, { kind: 'notFound' });
      await assert.rejects(uploads.finishUpload('/lost', { ...call, session, parts: [], hashes: {} }), { kind: 'notFound' });
      await assert.rejects(uploads.uploadState('/lost', { ...ask(), session: 'of nobody' }), { kind: 'notFound' });
      upload.kept();
      assert.deepEqual(
        notes.map(({ end }) => end),
        hasNotes ? ['gone'] : [],
      );
      assert.deepEqual(await files(), before);
    });

    test('an upload with missing bytes is not finished, and a part cannot leave a hole', async (t) => {
      const uploads = await open(stage.port);
      t.after(() => uploads.close());
      const before = await files();
      const { session, partSize } = await uploads.beginUpload('/short', { ...ask(), size: 20, ifExists: 'replace' });
      const far = uploads.sendPart('/short', Readable.from([Buffer.alloc(10)]), { ...ask(), session, offset: partSize, size: 10 });
      await assert.rejects(far, { kind: 'badRange' });
      await uploads.sendPart('/short', Readable.from([Buffer.alloc(10)]), { ...ask(), session, offset: 0, size: 10 });
      const finish = uploads.finishUpload('/short', { ...ask(), session, size: 20, ifExists: 'replace', parts: [], hashes: {} });
      await assert.rejects(finish, { kind: 'sizeDiffers' });
      await uploads.abandonUpload('/short', { ...ask(), session });
      assert.deepEqual(await files(), before);
    });
  });
}
