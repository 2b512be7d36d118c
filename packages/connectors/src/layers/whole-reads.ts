import type { Body, Connector, ReadOptions } from '../core/connector.ts';
import { ConnectorError, type ConnectorErrorKind, isKind, looksLikePage, wrongSize } from '../core/error.ts';
import { pause, waitAfter } from '../kit/concurrency/backoff.ts';
import { continuingBatches } from './batch-reads.ts';
import { createLifeline } from './lifeline.ts';
import { unlessPage } from './page-instead.ts';
import { isPause } from './resuming.ts';

interface Options {
  /** How often an interrupted body is resumed without much progress in between. */
  readonly times?: number;
  /** Wait in ms before the first resumption; it doubles each time. */
  readonly delay?: number;
  readonly wait?: typeof pause;
}

/**
 * Bytes of progress after which all attempts are available again, so that a large file arrives even over a connection that breaks every few
 * minutes.
 */
const progress = 1024 * 1024;

/** Network faults, which say nothing about the file. */
const passing: readonly ConnectorErrorKind[] = ['interrupted', 'rateLimited', 'timeout', 'unreachable'];

/**
 * Reads that return the complete file or fail. Compares the size that a body reports, and the bytes received, with what the caller knows of
 * the file; where they differ or nothing is known, with what the source reports on request. Resumes an interrupted body where it ended, as
 * long as the source still has the same file. Place it around the layers that limit and retry calls: it releases the body before it sends
 * another request.
 */
export function wholeReads(inner: Connector, { times = 3, delay = 250, wait = pause }: Options = {}): Connector {
  async function sizeAtSource(path: string, { signal }: ReadOptions): Promise<number | undefined> {
    const entry = await inner.stat(path, { signal });
    if (entry.kind === 'folder') throw new ConnectorError('isAFolder', 'a folder has no bytes');
    return entry.size;
  }

  /** Opens the body, and checks the size at the source where it differs from the known one. */
  async function open(path: string, ask: ReadOptions): Promise<{ readonly body: Body; readonly size: number | undefined }> {
    const body = await inner.read(path, ask);
    const size = ask.known?.size;
    const told = sizeToldBy(body, ask);
    const isCertain = size === undefined ? !looksLikePage(path, body.entry) : told === undefined || told === size;
    if (isCertain) return { body, size: size ?? told };
    body.cancel();
    const now = await sizeAtSource(path, ask);
    const again = await inner.read(path, ask);
    const toldAgain = sizeToldBy(again, ask);
    if (now === undefined || toldAgain === undefined || toldAgain === now) return { body: again, size: now ?? toldAgain };
    again.cancel();
    throw wrongSize(toldAgain, now, looksLikePage(path, again.entry));
  }

  async function read(path: string, ask: ReadOptions): Promise<Body> {
    const { range, signal } = ask;
    const { body: opened, size } = await open(path, ask);
    const start = range?.start ?? 0;
    const lengthOf = (total: number | undefined) =>
      total === undefined ? undefined : Math.max(0, Math.min(range?.end ?? total, total) - start);
    const lifeline = createLifeline(signal);
    const wanted = lengthOf(size);
    const mayBePage = opened.size === undefined && wanted !== undefined && looksLikePage(path, opened.entry);
    const sizeNow = async (): Promise<number | undefined> => lengthOf(await sizeAtSource(path, { signal: lifeline.signal }));
    const first = mayBePage ? unlessPage(opened, wanted, sizeNow) : opened;
    let current = first;
    let cancelled = false;
    let arrived = 0;
    let takerFailed = false;

    /** Passes on the bytes of one body. */
    async function drainOne(body: Body, take: Parameters<Body['drain']>[0]): Promise<void> {
      await body.drain((chunk) => {
        arrived += chunk.byteLength;
        try {
          const taken = take(chunk);
          return taken?.catch((error: unknown) => {
            takerFailed = true;
            throw error;
          });
        } catch (error) {
          takerFailed = true;
          throw error;
        }
      });
      const expected = first.size ?? wanted;
      if (arrived === expected) return;
      // The file may have changed since the caller saw it, or its size is known only on request.
      const now = first.size ?? (await sizeNow());
      if (now === undefined || arrived === now) return;
      if (arrived > now) throw new ConnectorError('unexpected', `${arrived} bytes came for ${now}`);
      throw new ConnectorError('interrupted', `${arrived} of ${now} bytes came`);
    }

    /** Opens the rest of the same file; rejects when that is impossible. */
    async function rest(): Promise<Body> {
      const from = { start: start + arrived, ...(range?.end !== undefined && { end: range.end }) };
      const body = await inner.read(path, { signal: lifeline.signal, range: from, known: first.entry });
      if (isSameFile(first, body)) return body;
      body.cancel();
      throw new ConnectorError('unexpected', 'the file has changed meanwhile');
    }

    async function drain(take: Parameters<Body['drain']>[0]): Promise<void> {
      let failure: unknown;
      let hasBegun = false;
      for (let time = 0, silences = 0, tried = 0; ;) {
        try {
          if (hasBegun) current = await rest();
          hasBegun = true;
          await drainOne(current, take);
          return;
        } catch (error) {
          if (takerFailed || cancelled || signal.aborted) throw error;
          const expected = first.size ?? wanted;
          // The request for the rest waits for the next permit.
          if (isPause(error)) {
            if (arrived === expected) return;
            continue;
          }
          if (arrived - tried >= progress && expected !== undefined && arrived < expected) [time, silences, failure] = [0, 0, undefined];
          tried = arrived;
          failure ??= error;
          // A silent source is asked once more only: each attempt may take minutes.
          if (isKind(error, 'timeout')) silences += 1;
          if (time >= times || silences > 1 || !isKind(error, ...passing)) throw failure;
        }
        await wait(waitAfter(time + 1, { first: delay }), lifeline.signal);
        time += 1;
      }
    }

    return {
      ...(first.size !== undefined && { size: first.size }),
      entry: first.entry,
      drain: (take) => drain(take).finally(() => lifeline.release()),
      cancel() {
        cancelled = true;
        lifeline.abort();
        lifeline.release();
        current.cancel();
      },
    };
  }

  const readMany = inner.readMany?.bind(inner);
  return { ...inner, read, ...(readMany && { readMany: continuingBatches(readMany) }) };
}

/** Size of the whole file as reported with its body. */
const sizeToldBy = (body: Body, { range }: ReadOptions): number | undefined => body.entry.size ?? (range ? undefined : body.size);

/**
 * Whether a body continues another one's file. Different tags mean different files, and equal strong tags the same file; otherwise size and
 * time decide. The weak mark is ignored, because Apache gives a new file a weak tag at first.
 */
function isSameFile({ entry: one }: Body, { entry: other }: Body): boolean {
  if (one.size !== undefined && other.size !== undefined && one.size !== other.size) return false;
  const [tag, otherTag] = [one.etag, other.etag];
  if (tag !== undefined && otherTag !== undefined) {
    if (opaqueTag(tag) !== opaqueTag(otherTag)) return false;
    if (tag === otherTag && !tag.startsWith('W/')) return true;
  }
  return one.size !== undefined && one.size === other.size && one.modified !== undefined && one.modified === other.modified;
}

/** The part of a tag that is compared (RFC 9110, section 8.8.3.2). */
const opaqueTag = (tag: string): string => tag.replace(/^W\//, '');
