import type { Body, Connector, ReadOptions } from '../core/connector.ts';
import { ConnectorError, type ConnectorErrorKind, isKind } from '../core/error.ts';
import { pause, waitAfter } from '../kit/concurrency/backoff.ts';
import { continuingBatches } from './batch-reads.ts';
import { createLifeline } from './lifeline.ts';
import { isPause } from './resuming.ts';

interface Options {
  /** How often a body that breaks off is taken up again without much progress in between. */
  readonly times?: number;
  /** ms before the first time; it doubles from time to time. */
  readonly delay?: number;
  readonly wait?: typeof pause;
}

/** Bytes after which the source has earned all its tries again: a large file over a line that breaks every few minutes arrives, too. */
const progress = 1024 * 1024;

/** Faults of the line, which say nothing about the file. */
const passing: readonly ConnectorErrorKind[] = ['interrupted', 'rateLimited', 'timeout', 'unreachable'];

/** Pages that stand in for a file, such as a login form, are HTML; a file that is a page itself has a name that says so. */
const looksLikePage = (path: string, { entry }: Body): boolean =>
  entry.mimeType?.toLowerCase().startsWith('text/html') === true && !/\.[a-z]?html?$/i.test(path);

/**
 * Reads that give a file whole or fail. What a body tells of the file's size, and the bytes that come, are compared with what the caller knows of the file and, where
 * that differs or nothing is known, with what the source says when it is asked. A body that breaks off is taken up where it ended, as long as the source still has the
 * same file. To be put around the layers that bound and repeat calls: the body is let go before the source is asked anything else.
 */
export function wholeReads(inner: Connector, { times = 3, delay = 250, wait = pause }: Options = {}): Connector {
  async function sizeAtSource(path: string, { signal }: ReadOptions): Promise<number | undefined> {
    const entry = await inner.stat(path, { signal });
    if (entry.kind === 'folder') throw new ConnectorError('isAFolder', 'a folder has no bytes');
    return entry.size;
  }

  /** Opens the body, and looks twice where it differs from what is known. */
  async function open(path: string, ask: ReadOptions): Promise<{ readonly body: Body; readonly size: number | undefined }> {
    const body = await inner.read(path, ask);
    const size = ask.known?.size;
    const told = sizeToldBy(body, ask);
    const isCertain = size === undefined ? !looksLikePage(path, body) : told === undefined || told === size;
    if (isCertain) return { body, size: size ?? told };
    body.cancel();
    const now = await sizeAtSource(path, ask);
    const again = await inner.read(path, ask);
    const toldAgain = sizeToldBy(again, ask);
    if (now === undefined || toldAgain === undefined || toldAgain === now) return { body: again, size: now ?? toldAgain };
    again.cancel();
    throw new ConnectorError('unexpected', `the source sends ${toldAgain} bytes for a file of ${now}`);
  }

  async function read(path: string, ask: ReadOptions): Promise<Body> {
    const { range, signal } = ask;
    const { body: first, size } = await open(path, ask);
    const start = range?.start ?? 0;
    const lengthOf = (total: number | undefined) =>
      total === undefined ? undefined : Math.max(0, Math.min(range?.end ?? total, total) - start);
    const lifeline = createLifeline(signal);
    let current = first;
    let cancelled = false;
    let arrived = 0;
    let takerFailed = false;

    /** Hands on the bytes of one body. */
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
      const expected = first.size ?? lengthOf(size);
      if (arrived === expected) return;
      // The file may have changed since the caller has heard of it, or tells its size only when asked.
      const now = first.size ?? lengthOf(await sizeAtSource(path, { signal: lifeline.signal }));
      if (now === undefined || arrived === now) return;
      if (arrived > now) throw new ConnectorError('unexpected', `${arrived} bytes came for ${now}`);
      throw new ConnectorError('interrupted', `${arrived} of ${now} bytes came`);
    }

    /** The rest of the same file; rejects where there is none to be had. */
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
          const expected = first.size ?? lengthOf(size);
          // Waits for its next turn when it asks for the rest.
          if (isPause(error)) {
            if (arrived === expected) return;
            continue;
          }
          if (arrived - tried >= progress && expected !== undefined && arrived < expected) [time, silences, failure] = [0, 0, undefined];
          tried = arrived;
          failure ??= error;
          // A source that stays silent is asked once more, not for minutes.
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

/** Bytes of the whole file, as its body tells them. */
const sizeToldBy = (body: Body, { range }: ReadOptions): number | undefined => body.entry.size ?? (range ? undefined : body.size);

/** Whether a body continues the file of another: by its tag where both have a strong one, else by size and time (and the weak tag: Apache gives one to a new file at first). */
function isSameFile({ entry: one }: Body, { entry: other }: Body): boolean {
  if (one.size !== undefined && other.size !== undefined && one.size !== other.size) return false;
  const [tag, otherTag] = [one.etag, other.etag];
  if (tag !== undefined && otherTag !== undefined) {
    if (opaqueTag(tag) !== opaqueTag(otherTag)) return false;
    if (tag === otherTag && !tag.startsWith('W/')) return true;
  }
  return one.size !== undefined && one.size === other.size && one.modified !== undefined && one.modified === other.modified;
}

/** What is compared of a tag (RFC 9110, section 8.8.3.2). */
const opaqueTag = (tag: string): string => tag.replace(/^W\//, '');
