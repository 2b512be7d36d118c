import { Readable } from 'node:stream';
import { type Entry, markHandled, nameOf, parentOf } from '@sheaf/connectors';
import { linkUriOf } from '@sheaf/contract';
import type { OpenItem } from '#/files/items/open-item.ts';
import type { Window } from '#/serving/programs/windows.ts';
import type { Room } from '../account-rooms.ts';
import { SftpError, status } from '../wire/codec.ts';

/** Bytes that may arrive before those that come first in the file. */
const mostAhead = 8 * 1024 * 1024;

export type FileWriter = ReturnType<typeof openWriter>;

/**
 * Writes a file for requests that arrive nearly in order. The storage shows the file, whole, when it is closed; a broken upload leaves what was there.
 */
export function openWriter(window: Window, item: OpenItem, ifExists: 'fail' | 'replace', room: Room, signal: AbortSignal) {
  const given = new AbortController();
  let position = 0;
  let ended = false;
  let failure: unknown;
  const ahead = new Map<number, Buffer>();
  let aheadBytes = 0;
  let wake: (() => void) | undefined;
  let pushed = Promise.resolve();
  const body = new Readable({
    highWaterMark: 1024 * 1024,
    read() {
      wake?.();
      wake = undefined;
    },
    destroy(error, done) {
      wake?.();
      wake = undefined;
      ahead.clear();
      room.give('bytes', aheadBytes);
      aheadBytes = 0;
      done(error);
    },
  });
  body.on('error', () => undefined);
  const stored = markHandled(
    window.content
      .storeFile(
        item.userId,
        { parentLinkUri: linkUriOf(item.userLinkId, parentOf(item.path)), name: nameOf(item.path), conflict: ifExists },
        body,
        AbortSignal.any([signal, given.signal]),
      )
      .catch((error: unknown) => {
        failure = error;
        body.destroy();
        throw error;
      }),
  );

  /** Resolves when there is room for more; the client's next requests wait for the answer. */
  function push(bytes: Buffer): void {
    position += bytes.length;
    if (body.destroyed) return;
    // Copied, because the packet shares its memory with others of its chunk.
    if (body.push(Buffer.from(bytes))) return;
    // Several requests may wait for the same room.
    if (wake) return;
    pushed = new Promise((resolve) => {
      wake = resolve;
    });
  }

  return {
    /** Takes bytes at an offset; resolves when the client may send more. */
    async write(at: number, bytes: Buffer): Promise<void> {
      if (failure !== undefined) throw failure;
      if (ended) throw new SftpError(status.failure, 'The file has been stored already.');
      if (at < position) throw new SftpError(status.unsupported, 'Bytes that were written cannot be changed before the file is closed.');
      if (bytes.length === 0) return;
      if (at > position) {
        if (body.destroyed || ahead.has(at) || aheadBytes + bytes.length > mostAhead || !room.take('bytes', bytes.length))
          throw new SftpError(status.unsupported, 'Files are written from their beginning to their end.');
        ahead.set(at, Buffer.from(bytes));
        aheadBytes += bytes.length;
        return;
      }
      push(bytes);
      for (let next = ahead.get(position); next; next = ahead.get(position)) {
        ahead.delete(position);
        aheadBytes -= next.length;
        room.give('bytes', next.length);
        push(next);
      }
      await pushed;
      if (failure !== undefined) throw failure;
    },
    size: (): number => position,
    /** Whether more bytes may follow those that have arrived. */
    canContinue: (): boolean => !ended && failure === undefined && position > 0,
    /** Drops bytes ahead of the position: after a broken connection the client does not know which of them arrived. */
    interrupt(): void {
      ahead.clear();
      room.give('bytes', aheadBytes);
      aheadBytes = 0;
    },
    /** Stores the file. May be called repeatedly. */
    async finish(): Promise<Entry> {
      if (!ended && failure === undefined) {
        if (ahead.size > 0) {
          body.destroy(new Error('bytes in the middle of the file are missing'));
          throw new SftpError(status.failure, 'Bytes in the middle of the file are missing.');
        }
        ended = true;
        body.push(null);
      }
      return stored;
    },
    /** Gives the file up, unless it is stored or being stored. */
    abandon(): void {
      if (ended) return;
      body.destroy(new Error('the connection was closed before the file'));
      given.abort();
    },
  };
}
