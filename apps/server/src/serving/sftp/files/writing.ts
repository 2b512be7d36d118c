import { Readable } from 'node:stream';
import { type Entry, lendChunks, markHandled, nameOf, parentOf } from '@sheaf/connectors';
import { linkUriOf } from '@sheaf/contract';
import type { OpenItem } from '#/files/items/open-item.ts';
import { streamOf } from '#/files/transfers/copying/body-stream.ts';
import type { Window } from '#/serving/programs/windows.ts';
import { type Room, costOfPiece } from '../account-rooms.ts';
import { SftpError, status } from '../wire/codec.ts';

/** Bytes that may arrive before those that come first in the file. */
const mostAhead = 8 * 1024 * 1024;

/** The bytes of a stored file, then those of the stream. Throws when the file is no longer as it was. */
async function* continued({ connector, path }: OpenItem, before: Entry, body: Readable, signal: AbortSignal): AsyncGenerator<Buffer> {
  const stored = await connector.read(path, { signal, known: before });
  let count = 0;
  for await (const chunk of streamOf(stored, () => undefined) as AsyncIterable<Buffer>) {
    count += chunk.length;
    yield chunk;
  }
  if (count !== before.size) throw new SftpError(status.failure, 'The file has changed meanwhile.');
  yield* body as AsyncIterable<Buffer>;
}

export type FileWriter = ReturnType<typeof openWriter>;

interface Options {
  readonly window: Window;
  readonly item: OpenItem;
  readonly ifExists: 'fail' | 'replace';
  readonly room: Room;
  readonly signal: AbortSignal;
  /** A stored file whose bytes stay, and which the new ones follow. */
  readonly before?: Entry;
}

/**
 * Writes a file for requests that arrive nearly in order. The storage shows the file, whole, when it is closed; a broken upload leaves what was there.
 * The bytes of a file that is continued pass through Sheaf, as few storages append. That begins with the first new byte: clients open files without
 * writing to them.
 */
export function openWriter({ window, item, ifExists, room, signal, before }: Options) {
  const given = new AbortController();
  const ending = AbortSignal.any([signal, given.signal]);
  let position = before?.size ?? 0;
  let ended = false;
  let failure: unknown;
  const ahead = new Map<number, Buffer>();
  /** What the pieces ahead count for. */
  let aheadCost = 0;
  let wake: (() => void) | undefined;
  let pushed = Promise.resolve();
  function forgetAhead(): void {
    ahead.clear();
    room.give('bytes', aheadCost);
    aheadCost = 0;
  }
  const body = lendChunks(
    new Readable({
      highWaterMark: 1024 * 1024,
      read() {
        wake?.();
        wake = undefined;
      },
      destroy(error, done) {
        wake?.();
        wake = undefined;
        forgetAhead();
        done(error);
      },
    }),
  );
  body.on('error', () => undefined);
  let storing: Promise<Entry> | undefined;
  const store = (): Promise<Entry> =>
    (storing ??= markHandled(
      window.content
        .storeFile(
          item.userId,
          { parentLinkUri: linkUriOf(item.userLinkId, parentOf(item.path)), name: nameOf(item.path), conflict: ifExists },
          before ? Readable.from(continued(item, before, body, ending), { objectMode: false }) : body,
          ending,
        )
        .catch((error: unknown) => {
          failure = error;
          body.destroy();
          throw error;
        }),
    ));
  // The name is taken, and the storage is reached, before the first byte arrives.
  if (!before) void store();

  /** Resolves when there is room for more; the client's next requests wait for the answer. */
  function push(bytes: Buffer): void {
    position += bytes.length;
    if (body.destroyed) return;
    if (body.push(bytes)) return;
    // Several requests may wait for the same room.
    if (wake) return;
    pushed = new Promise((resolve) => {
      wake = resolve;
    });
  }

  return {
    /** Takes bytes at an offset, which nobody else uses; resolves when the client may send more. */
    async write(at: number, bytes: Buffer): Promise<void> {
      if (failure !== undefined) throw failure;
      if (ended) throw new SftpError(status.failure, 'The file has been stored already.');
      if (at < (before?.size ?? 0))
        throw new SftpError(status.unsupported, 'A stored file is continued, or replaced as a whole: a part of it cannot be changed.');
      if (at < position) throw new SftpError(status.unsupported, 'Bytes that were written cannot be changed before the file is closed.');
      if (bytes.length === 0) return;
      void store();
      if (at > position) {
        const cost = costOfPiece(bytes);
        if (body.destroyed || ahead.has(at) || aheadCost + cost > mostAhead || !room.take('bytes', cost))
          throw new SftpError(status.unsupported, 'Files are written from their beginning to their end.');
        ahead.set(at, bytes);
        aheadCost += cost;
        return;
      }
      push(bytes);
      for (let next = ahead.get(position); next; next = ahead.get(position)) {
        ahead.delete(position);
        aheadCost -= costOfPiece(next);
        room.give('bytes', costOfPiece(next));
        push(next);
      }
      await pushed;
      if (failure !== undefined) throw failure;
    },
    size: (): number => position,
    /** Whether more bytes may follow those that have arrived. */
    canContinue: (): boolean => !ended && failure === undefined && position > 0,
    /** Drops bytes ahead of the position: after a broken connection the client does not know which of them arrived. */
    interrupt: forgetAhead,
    /** Stores the file. May be called repeatedly. */
    async finish(): Promise<Entry> {
      if (before && !storing) {
        ended = true;
        return before;
      }
      if (!ended && failure === undefined) {
        if (ahead.size > 0) {
          body.destroy(new Error('bytes in the middle of the file are missing'));
          throw new SftpError(status.failure, 'Bytes in the middle of the file are missing.');
        }
        ended = true;
        body.push(null);
      }
      return store();
    },
    /** Gives the file up, unless it is stored or being stored. */
    abandon(): void {
      if (ended) return;
      body.destroy(new Error('the connection was closed before the file'));
      given.abort();
    },
  };
}
