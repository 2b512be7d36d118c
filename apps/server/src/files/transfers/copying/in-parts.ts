import type { Readable } from 'node:stream';
import {
  type Entry,
  type HashName,
  type ResumableUploads,
  type SentPart,
  createHashSet,
  resumableUploadsOf,
  nameOf,
} from '@sheaf/connectors';
import { appError } from '@sheaf/contract';
import { entryAt, isRow } from '#/files/items/entry-at.ts';
import { mediaTypeOf } from '#/files/items/media-type.ts';
import type { Vault } from '#/secrets/vault.ts';
import { type CopiedFile, type FileJob, countTaken, isUnchanged } from './file-job.ts';
import { type PartMemory, createPartMemory } from './part-memory.ts';
import { rangedSource, streamedSource } from './part-source.ts';
import { alreadyThere, mayDigest, prove, wantedHashes } from './proof.ts';

/** Smaller files are sent whole: sending one again costs less than the requests of an upload in parts. */
export const inPartsFrom = 32 * 1024 * 1024;

/** What is stored of an upload, besides its sealed session. */
interface Stored {
  readonly partSize: number;
  readonly parallel: number;
  readonly needs: readonly HashName[];
  /** The source as it was when the upload began. */
  readonly source: Partial<Entry>;
  readonly size: number;
  /** Where it was begun; a file that replaces another is sent under another name first. */
  readonly path: string;
  readonly parts: readonly SentPart[];
}

const sealedAt = (transferId: string, seq: number) => ({ table: 'transferItem', recordId: `${transferId}:${seq}`, field: 'session' });

/** Copies large files in parts, so that another process can go on with the last one. */
export function createInParts(vault: Vault, memory: PartMemory = createPartMemory()) {
  /** Begins an upload and stores its session; undefined where the destination cannot, and takes the file whole instead. */
  async function begin(uploads: ResumableUploads, job: FileJob, source: Partial<Entry>, size: number): Promise<Going | undefined> {
    const { transfer, item, toPath, ifExists, signal } = job;
    const modified = source.modified === undefined ? {} : { modified: Math.trunc(source.modified) };
    try {
      const {
        session,
        partSize,
        parallel,
        needs = [],
        kept,
      } = await uploads.beginUpload(toPath, {
        signal,
        size,
        ifExists,
        ...modified,
        mimeType: mediaTypeOf(toPath),
      });
      const stored: Stored = { partSize, parallel, needs, source, size, path: toPath, parts: [] };
      await job.store({ session: vault.seal(sealedAt(transfer.id, item.seq), session), parts: JSON.stringify(stored), state: 'running' });
      kept();
      return { session, stored, has: () => false, offset: 0 };
    } catch (error) {
      if (isRow(error, 'SOURCE_CANNOT')) return undefined;
      throw error;
    }
  }

  /** Goes on with a stored upload; undefined where it has ended or the source has changed since. */
  async function resume(uploads: ResumableUploads, job: FileJob, source: Partial<Entry>): Promise<Going | undefined> {
    const { transfer, item, toPath, signal } = job;
    if (item.session === null || item.parts === null) return undefined;
    const session = vault.open(sealedAt(transfer.id, item.seq), item.session);
    const stored = JSON.parse(item.parts) as Stored;
    const forget = () => job.store({ session: null, parts: null });
    if (!isUnchanged(stored.source, source)) {
      await uploads.abandonUpload(toPath, { signal, session });
      job.sentTwice(stored.parts.reduce((sum, { size }) => sum + size, 0));
      await forget();
      return undefined;
    }
    try {
      const state = await uploads.uploadState(toPath, { signal, session });
      if ('offset' in state) {
        const { offset } = state;
        const sent = offset > 0 ? [{ offset: 0, size: offset, receipt: '' }] : [];
        return { session, stored: { ...stored, parts: sent }, has: () => false, offset };
      }
      const parts = new Map(state.parts.map((part) => [part.offset, part]));
      return { session, stored: { ...stored, parts: [...parts.values()] }, has: (offset) => parts.has(offset), offset: 0 };
    } catch (error) {
      if (!isRow(error, 'ITEM_NOT_FOUND')) throw error;
      await forget();
      return undefined;
    }
  }

  /** Sends what is missing. The whole source is read for the hashes; the bytes that the destination has are not sent again. */
  async function send(uploads: ResumableUploads, job: FileJob, going: Going): Promise<CopiedFile> {
    const { ends, transfer, item, toPath, ifExists, signal, bandwidth, isAlone } = job;
    const { session, stored } = going;
    const { size, partSize } = stored;
    const names = wantedHashes(ends, transfer.verify, stored.needs);
    const parts = [...stored.parts];
    job.count(parts.reduce((sum, part) => sum + part.size, 0));
    const hashes = createHashSet(names, size);
    const failed = new AbortController();
    const both = AbortSignal.any([signal, failed.signal]);
    const start = names.length === 0 ? firstMissing(going, size, partSize) : 0;
    const check = (entry: Partial<Entry>): void => {
      if (!isUnchanged(stored.source, entry)) throw appError('CHANGED_MEANWHILE', { name: nameOf(item.fromPath) });
    };
    const options = { job, start, size, hashes, signal: both, check };
    const source = isAlone ? rangedSource(options) : await streamedSource(options);
    const sending = new Set<Promise<void>>();

    /** Others are sent meanwhile: after a power cut the destination is asked what it has. */
    let keeping = Promise.resolve();
    const keep = (part: SentPart): void => {
      parts.push(part);
      parts.sort((one, other) => one.offset - other.offset);
      const sent = JSON.stringify({ ...stored, parts });
      keeping = keeping.then(() => job.store({ parts: sent }, true));
      keeping.catch((error: unknown) => failed.abort(error));
    };
    const sendPart = async (offset: number, bytes: number, piece: Readable): Promise<void> => {
      const send = () =>
        uploads.sendPart(toPath, piece, { signal: both, session, offset, size: bytes, digest: mayDigest(transfer.verify) });
      const receipt = await countTaken(job.count, bytes, send).catch(async (error: unknown) => {
        if (!isRow(error, 'ITEM_NOT_FOUND')) throw error;
        // The upload has ended at the destination, such as by the clearing up after a killed process: the next attempt begins another one.
        await keeping;
        await job.store({ session: null, parts: null });
        throw appError('TRANSFER_CUT', { provider: ends.to.provider }, error);
      });
      keep({ offset, size: bytes, receipt });
    };

    /** Reads a part while others are sent; waits until the destination takes one more. */
    const nextPart = async (bytes: number): Promise<Readable> => {
      const piece = await source.held(bytes);
      while (sending.size >= stored.parallel) await Promise.race(sending);
      return piece;
    };

    try {
      const canOverlap = stored.parallel > 1 && !isAlone;
      for (let offset = start; offset < size;) {
        const end = Math.min(size, (Math.floor(offset / partSize) + 1) * partSize);
        const skipped = going.has(offset) ? end : Math.min(end, going.offset);
        if (skipped > offset) {
          await source.skip(skipped - offset);
          offset = skipped;
          continue;
        }
        const bytes = end - offset;
        await bandwidth.take(bytes, both);
        if (canOverlap) {
          const giveBack = await memory.reserve(bytes, both);
          const piece = await nextPart(bytes).catch((error: unknown) => {
            giveBack();
            throw error;
          });
          const sent: Promise<void> = sendPart(offset, bytes, piece).finally(() => {
            giveBack();
            sending.delete(sent);
          });
          sent.catch((error: unknown) => failed.abort(error));
          sending.add(sent);
        } else {
          await sendPart(offset, bytes, await source.stream(bytes));
        }
        offset = end;
      }
      await Promise.all(sending);
      await keeping;
      await source.end();
      const computed = await hashes.digest();
      const modified = stored.source.modified === undefined ? {} : { modified: Math.trunc(stored.source.modified) };
      const finish = {
        signal,
        session,
        parts: stored.parallel > 1 ? parts : [],
        hashes: computed,
        size,
        ifExists,
        ...modified,
        mimeType: mediaTypeOf(toPath),
      };
      const made = await uploads.finishUpload(toPath, finish).catch(async (error: unknown) => {
        // The upload may have ended with an answer that was lost on its way.
        if (!isRow(error, 'ITEM_NOT_FOUND')) throw error;
        const entry = await entryAt(ends.to.connector, toPath, signal);
        const found = entry && (await alreadyThere(ends, item.fromPath, toPath, entry, signal));
        if (!found) throw appError('TRANSFER_CUT', { provider: ends.to.provider }, error);
        return { entry };
      });
      const proven = await prove({
        ends,
        transfer,
        fromPath: item.fromPath,
        toPath,
        ifExists,
        bytes: size,
        computed,
        source: source.entry(),
        made,
        signal,
      });
      return { ...proven, entry: made.entry, read: { ...stored.source, ...source.entry() } };
    } catch (error) {
      throw failed.signal.aborted && !signal.aborted ? failed.signal.reason : error;
    } finally {
      source.close();
      hashes.cancel();
      await Promise.allSettled([...sending, keeping]);
    }
  }

  return {
    /** Copies the file in parts, or goes on with it; undefined where the destination cannot do this. */
    async copy(job: FileJob): Promise<CopiedFile | undefined> {
      const uploads = resumableUploadsOf(job.ends.to.connector);
      if (!uploads) return undefined;
      // Costs a small file no request. Where it has grown since it was planned, it is sent whole all the same.
      const { size: planned, session } = job.item;
      if (session === null && planned !== null && planned < inPartsFrom / 2) return undefined;
      const source = await job.ends.from.connector.stat(job.item.fromPath, { signal: job.signal });
      if (source.size === undefined || source.size < inPartsFrom) return undefined;
      const { size, modified, etag } = source;
      const facts = { size, ...(modified !== undefined && { modified }), ...(etag !== undefined && { etag }) };
      const going = (await resume(uploads, job, facts)) ?? (await begin(uploads, job, facts, size));
      return going && send(uploads, job, going);
    },

    /** Removes the parts of an upload that nobody will continue. */
    async abandon(job: Pick<FileJob, 'transfer' | 'item' | 'ends' | 'signal'> & { readonly toPath: string }): Promise<void> {
      const { transfer, item, ends, signal, toPath } = job;
      if (item.session === null) return;
      const session = vault.open(sealedAt(transfer.id, item.seq), item.session);
      const path = item.parts === null ? toPath : ((JSON.parse(item.parts) as Partial<Stored>).path ?? toPath);
      await resumableUploadsOf(ends.to.connector)?.abandonUpload(path, { signal, session });
    },
  };
}
export type InParts = ReturnType<typeof createInParts>;

/** An upload under way. */
interface Going {
  readonly session: string;
  readonly stored: Stored;
  /** Whether the destination has the part that begins there. */
  readonly has: (offset: number) => boolean;
  /** Bytes that the destination has from the beginning; 0 for parts in any order. */
  readonly offset: number;
}

function firstMissing({ has, offset }: Going, size: number, partSize: number): number {
  if (offset > 0) return offset;
  let at = 0;
  while (at < size && has(at)) at += partSize;
  return at;
}
