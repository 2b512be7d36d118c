import type { Readable } from 'node:stream';
import { type Entry, createHashSet, joinPath, nameOf, parentOf, serviceCopiesOf } from '@sheaf/connectors';
import { appError, foldName } from '@sheaf/contract';
import { entryAt, isRow } from '#/files/items/entry-at.ts';
import { mediaTypeOf } from '#/files/items/media-type.ts';
import { numbered } from '../decide.ts';
import { baseNameOf } from '../planning/base-name.ts';
import type { ItemRow } from '../rows/item-store.ts';
import { streamOf } from './body-stream.ts';
import { type CopiedFile, type FileJob, countTaken, isUnchanged } from './file-job.ts';
import type { InParts } from './in-parts.ts';
import { alreadyThere, prove, proveByService, wantedHashes } from './proof.ts';
import { createRefusals } from './refusals.ts';
import { spooled } from './spool.ts';

/** Files up to this size are read so quickly that asking whether they have changed meanwhile would take longer. */
const quick = 1024 * 1024;
/** The source itself copied or moved the file. */
const bySource = { proof: 'server_side', sourceHash: null, computedHash: null, destinationHash: null, by: 'service' } as const;
/** Most names tried when the planned one was taken meanwhile. */
const mostNames = 100;

/** Copies or moves single files, and proves each. */
export function createFileCopier({ inParts }: { readonly inParts: InParts }) {
  const refusals = createRefusals();

  async function wholeCopy(job: FileJob): Promise<CopiedFile> {
    const { ends, transfer, item, toPath, ifExists, seenFree = false, signal, bandwidth, isAlone } = job;
    const { from, to } = ends;
    const { write } = to.connector;
    if (!write) throw appError('SOURCE_CANNOT', { provider: to.provider });
    const known = item.size === null ? {} : { known: { size: item.size } };
    const body = await from.connector.read(item.fromPath, { signal, ...known });
    const hashes = createHashSet(wantedHashes(ends, transfer.verify), body.size);
    let bytes = 0;
    const see = (chunk: Uint8Array): Promise<void> | undefined => {
      bytes += chunk.byteLength;
      const waits = [hashes.update(chunk), bandwidth.take(chunk.byteLength, signal)].filter((wait) => wait !== undefined);
      return waits.length === 0 ? undefined : Promise.all(waits).then(() => undefined);
    };
    const isSmall = body.size !== undefined && body.size <= quick;
    const stream = streamOf(body, see, isSmall ? job.sourceDone : undefined);
    // A small file is read at once: its connection is free for the next one while the destination prepares.
    if (isSmall) stream.read(0);
    const modified = body.entry.modified ?? item.modified ?? undefined;
    try {
      const ask = {
        signal,
        ifExists,
        seenFree,
        mimeType: mediaTypeOf(toPath),
        ...(body.size !== undefined && { size: body.size }),
        ...(modified !== undefined && { modified: Math.trunc(modified) }),
      };
      const store = (bytesOf: Readable) => countTaken(job.count, body.size, () => write(toPath, bytesOf, ask));
      const entry = await (isAlone ? spooled(stream, body.size, store) : store(stream));
      const computed = await hashes.digest();
      const sent = {
        ends,
        transfer,
        fromPath: item.fromPath,
        toPath,
        ifExists,
        bytes,
        computed,
        source: body.entry,
        made: { entry },
        signal,
      };
      const proven = await prove(sent);
      return { ...proven, entry, read: body.entry };
    } catch (error) {
      if (bytes > 0) job.sentTwice(bytes);
      throw error;
    } finally {
      stream.destroy();
      hashes.cancel();
    }
  }

  /** Lets the source itself copy or move within one link; undefined where it cannot. */
  async function atSource(job: FileJob): Promise<CopiedFile | undefined> {
    const { ends, transfer, item, toPath, ifExists, signal } = job;
    const { connector } = ends.to;
    const act = transfer.kind === 'move' ? connector.move : connector.copy;
    if (!ends.isSameLink || ifExists === 'replace' || !act || ends.from.userLinkId !== ends.to.userLinkId) return undefined;
    try {
      const before = transfer.kind === 'move' ? undefined : await connector.stat(item.fromPath, { signal });
      const entry = await act(item.fromPath, toPath, { signal });
      const proven = before
        ? await proveByService({ ends, transfer, fromPath: item.fromPath, toPath, original: before, entry, signal })
        : bySource;
      job.count(entry.size ?? item.size ?? 0);
      return { entry, ...proven, by: 'service' };
    } catch (error) {
      if (isRow(error, 'SOURCE_CANNOT')) return undefined;
      throw error;
    }
  }

  /** Lets the service of both links copy between them; undefined where they have none, or it cannot replace. */
  async function byService(job: FileJob): Promise<CopiedFile | 'refused' | undefined> {
    const { ends, transfer, item, toPath, ifExists, signal } = job;
    const { serviceFile } = ends.from.connector;
    const to = serviceCopiesOf(ends.to.connector);
    const pair = `${ends.from.userLinkId} ${ends.to.userLinkId}`;
    if (!serviceFile || !to || ends.from.connector.service !== to.service || ifExists === 'replace') return undefined;
    if (refusals.has(pair)) return 'refused';
    try {
      const file = await serviceFile(item.fromPath, { signal, forAccount: to.account });
      const entry = await to.copyFrom(file, toPath, { signal });
      const proven = await proveByService({ ends, transfer, fromPath: item.fromPath, toPath, original: file.entry, entry, signal });
      job.count(entry.size ?? item.size ?? 0);
      refusals.copied(pair);
      return { entry, ...proven, read: file.entry, by: 'service' };
    } catch (error) {
      if (!isRow(error, 'SOURCE_CANNOT')) throw error;
      refusals.refused(pair);
      return 'refused';
    }
  }

  /** What an interrupted run may have finished without storing that it did. */
  async function finishedEarlier(job: FileJob): Promise<CopiedFile | undefined> {
    const { ends, item, toPath, signal } = job;
    if (item.state !== 'running' && item.attempts === 0) return undefined;
    const entry = await entryAt(ends.to.connector, toPath, signal);
    if (!entry || item.action === 'replace') return undefined;
    const source = await entryAt(ends.from.connector, item.fromPath, signal);
    if (!source) {
      // Only a source that moves by itself removes a file before its copy is proven.
      const isMoved = job.transfer.kind === 'move' && ends.isSameLink;
      return isMoved ? { entry, ...bySource } : undefined;
    }
    const proven = await alreadyThere(ends, item.fromPath, toPath, entry, signal);
    return proven && { ...proven, entry, read: source };
  }

  async function copyTo(job: FileJob): Promise<CopiedFile> {
    const copied = (await finishedEarlier(job)) ?? (await atSource(job)) ?? (await betweenLinks(job));
    await refuseChanged(job, copied);
    return copied;
  }

  async function betweenLinks(job: FileJob): Promise<CopiedFile> {
    const served = await byService(job);
    if (served !== undefined && served !== 'refused') return served;
    const copied = (await inParts.copy(job)) ?? (await wholeCopy(job));
    return { ...copied, by: served === 'refused' ? 'sheaf_after_refusal' : 'sheaf' };
  }

  /** A file that was written while it was read may be a mixture of both. */
  async function refuseChanged({ ends, item, signal }: FileJob, { read, sourceHash }: CopiedFile): Promise<void> {
    if (!read || sourceHash !== null || (read.size ?? 0) <= quick) return;
    const now = await ends.from.connector.stat(item.fromPath, { signal });
    if (!isUnchanged(read, now)) throw appError('CHANGED_MEANWHILE', { name: nameOf(item.fromPath) });
  }

  /** Removes a moved file at its source, unless it has changed since it was read. */
  async function removeSource({ ends, item, signal }: FileJob, read: Partial<Entry>): Promise<void> {
    const now = await entryAt(ends.from.connector, item.fromPath, signal);
    if (!now) return;
    if (!isUnchanged(read, now)) throw appError('CHANGED_MEANWHILE', { name: nameOf(item.fromPath) });
    await ends.from.connector.remove?.(item.fromPath, { signal });
  }

  async function endMove(job: FileJob, read: Partial<Entry>): Promise<void> {
    if (job.transfer.kind === 'move' && !job.leavesSource) await removeSource(job, read);
  }

  /** Copies the file under the planned name, or the next number where both are to be kept and that name was taken meanwhile. */
  async function copyToFree(job: FileJob): Promise<{ readonly copied: CopiedFile; readonly toPath: string }> {
    let { toPath } = job;
    for (let tries = 0; ; tries += 1) {
      const attempt = { ...job, toPath, ...(tries > 0 && { seenFree: false }) };
      try {
        return { copied: await copyTo(attempt), toPath };
      } catch (error) {
        // A service goes on with a copy whose run was interrupted: the file may have appeared after it was looked for.
        const late = isRow(error, 'NAME_TAKEN') ? await finishedEarlier(attempt) : undefined;
        if (late) return { copied: late, toPath };
        // A name that the destination forces stays what it is: a later copy has to find it.
        if (job.item.reason !== 'name_taken' || job.item.action !== 'rename' || tries >= mostNames || !isRow(error, 'NAME_TAKEN'))
          throw error;
        toPath = nextName(toPath, job);
      }
    }
  }

  return {
    /** Copies the file and stores how it was proven; for a move, only then removes it at the source. Returns the new entry and its path. */
    async run(job: FileJob): Promise<{ readonly entry: Entry; readonly toPath: string }> {
      const { item, ends, signal } = job;
      if (item.made !== null) {
        // An earlier run has proven the copy and ended before it removed the source.
        const { read, made } = JSON.parse(item.made) as Made;
        const entry = await entryAt(ends.to.connector, job.toPath, signal);
        if (entry && isUnchanged(entry, made)) {
          if (read) await endMove(job, read);
          return { entry, toPath: job.toPath };
        }
      }
      const { copied, toPath } = await copyToFree(job);
      const { entry, read, by: _, ...proven } = copied;
      const end: Partial<ItemRow> = job.endsItem ? doneWith(entry) : {};
      // Where nothing follows, the next worker would find the file of a running item, and prove it again. A move deletes its source after this.
      await job.store({ ...proven, toPath, made: JSON.stringify(madeOf(copied)), session: null, parts: null, ...end }, job.endsItem);
      if (read) await endMove(job, read);
      return { entry, toPath };
    },

    /** Removes the source of a move whose copy has been proven, where `run` has left it. */
    async removeSource(job: FileJob, made: string): Promise<void> {
      const { read } = JSON.parse(made) as Made;
      if (read) await removeSource(job, read);
    },
  };
}
export type FileCopier = ReturnType<typeof createFileCopier>;

/** The path with the number after the present one. */
function nextName(toPath: string, { item, ends }: FileJob): string {
  const folder = parentOf(toPath);
  const { name } = baseNameOf(item, ends);
  let isNext = false;
  const isTaken = (folded: string): boolean => {
    if (isNext) return false;
    isNext = folded === foldName(nameOf(toPath));
    return true;
  };
  const next = numbered(name, 'file', { limits: ends.to.connector.limits, folder, isTaken });
  if (next === undefined) throw appError('NAME_TAKEN', { name });
  return joinPath(folder, next);
}

/** What is stored of a made file and its source, to see later whether they are still the same. */
export interface Made {
  readonly made: Partial<Entry>;
  readonly read?: Partial<Entry>;
  readonly by?: CopiedFile['by'];
}

export const factsOf = ({ size, modified, etag }: Partial<Entry>): Partial<Entry> => ({
  ...(size !== undefined && { size }),
  ...(modified !== undefined && { modified }),
  ...(etag !== undefined && { etag }),
});

/** What is stored of an item when nothing is left to do. */
export const doneWith = ({ size }: Pick<Entry, 'size'>): Partial<ItemRow> => ({
  state: 'done',
  error: null,
  ...(size !== undefined && { size }),
});

const madeOf = ({ entry, read, by }: CopiedFile): Made => ({
  made: factsOf(entry),
  ...(read && { read: factsOf(read) }),
  ...(by && { by }),
});
