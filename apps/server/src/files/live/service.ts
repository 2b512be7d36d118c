import { PassThrough, type Readable } from 'node:stream';
import { type FolderEvents, appError, linkUriOf } from '@sheaf/contract';
import type { FolderNews, LinkNews } from './folder-news.ts';

interface Deps {
  readonly news: Pick<FolderNews, 'follow'>;
  /** Whether the user may open the link now. */
  readonly mayOpen: (userId: string, userLinkId: string) => Promise<boolean>;
  readonly onTrouble: (error: unknown) => void;
  /** Milliseconds between two signs of life. */
  readonly beat?: number;
}

/** Streams of one account and of all, in this process. */
const mostOfAccount = 20;
const mostOfAll = 10_000;
/** Bytes that a slow client may be behind; further events are dropped, and it is told so. */
const mostBehind = 64 * 1024;
/** Deliveries of one stream that wait for a look-up. */
const mostWaiting = 200;

export type LiveStreams = ReturnType<typeof createLiveStreams>;

/** Streams of events about folders. The session and the right to the link are checked for every event, not only at the beginning. */
export function createLiveStreams({ news, mayOpen, onTrouble, beat = 15_000 }: Deps) {
  const open = new Map<string, Set<PassThrough>>();
  let count = 0;

  function enter(userId: string, stream: PassThrough): void {
    const own = open.get(userId) ?? new Set();
    if (own.size >= mostOfAccount || count >= mostOfAll) throw appError('TOO_MANY_STREAMS', {});
    open.set(userId, own.add(stream));
    count++;
    stream.once('close', () => {
      own.delete(stream);
      count--;
      if (own.size === 0 && open.get(userId) === own) open.delete(userId);
    });
  }

  return {
    /** Opens a stream for a signed-in user; it ends when `isSignedIn` says so. Rejects with TOO_MANY_STREAMS. */
    open(userId: string, linkIds: readonly string[], isSignedIn: () => Promise<boolean>): Readable {
      const stream = new PassThrough({ highWaterMark: mostBehind });
      enter(userId, stream);
      const followed = new Map<string, () => void>();
      let waiting = 0;
      let last = Promise.resolve();
      let hasMissed = false;

      const send = (event: string, data: object): void => {
        if (stream.writableEnded || stream.destroyed) return;
        if (stream.writableNeedDrain) hasMissed = true;
        else stream.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
      };
      const end = (): void => {
        for (const unfollow of followed.values()) unfollow();
        followed.clear();
        stream.end();
      };
      /** Runs the deliveries of this stream one after the other. */
      const enqueue = (work: () => Promise<void>): void => {
        if (waiting >= mostWaiting) {
          hasMissed = true;
          return;
        }
        waiting++;
        last = last
          .then(work)
          .catch((error: unknown) => {
            // Without the look-up nothing may be sent.
            hasMissed = true;
            onTrouble(error);
          })
          .finally(() => waiting--);
      };
      /** Whether the link may still be followed; otherwise ends following it, or the whole stream. */
      const isAllowed = async (linkId: string): Promise<boolean> => {
        if (!(await isSignedIn())) {
          end();
          return false;
        }
        if (await mayOpen(userId, linkId)) return true;
        followed.get(linkId)?.();
        if (followed.delete(linkId)) send('folders', { changed: [], gone: [linkUriOf(linkId, '/')], all: [] } satisfies FolderEvents);
        return false;
      };
      const hear = (linkId: string, heard: LinkNews | undefined): void =>
        enqueue(async () => {
          if (!followed.has(linkId) || !(await isAllowed(linkId))) return;
          if (heard) send('folders', eventsOf(heard));
          else send('missed', {});
        });
      const makeUp = (): void => {
        if (!hasMissed) return;
        hasMissed = false;
        send('missed', {});
      };

      stream.write(`retry: ${1000 + Math.floor(Math.random() * 2000)}\n\n`);
      for (const linkId of new Set(linkIds)) {
        followed.set(linkId, () => undefined);
        followed.set(
          linkId,
          news.follow(linkId, (heard) => hear(linkId, heard)),
        );
      }
      const beats = setInterval(() => {
        enqueue(async () => {
          for (const linkId of followed.keys()) await isAllowed(linkId);
          if (followed.size === 0 && !(await isSignedIn())) end();
          makeUp();
          send('alive', {});
        });
      }, beat).unref();
      stream.on('drain', makeUp);
      stream.once('close', () => {
        clearInterval(beats);
        end();
      });
      return stream;
    },

    /** Ends every stream; their clients connect again. */
    close(): void {
      for (const streams of open.values()) for (const stream of streams) stream.end();
    },
  };
}

const eventsOf = ({ linkId, changed, gone, isCut }: LinkNews): FolderEvents => ({
  changed: changed.map((path) => linkUriOf(linkId, path)),
  gone: gone.map((path) => linkUriOf(linkId, path)),
  all: isCut ? [linkId] : [],
});
