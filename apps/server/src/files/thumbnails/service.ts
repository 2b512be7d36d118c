import { hash } from 'node:crypto';
import { type Body, createKeyedLimiter, createLimiter, createSharedWork, createWholeBody } from '@sheaf/connectors';
import { AppError, appError } from '@sheaf/contract';
import { makePicture } from './make-picture.ts';
import { createPictureCache } from './picture-cache.ts';

/** Largest original in bytes. */
const largestOriginal = 64 << 20;
/** Size of the cache on disk in bytes. */
const cacheSize = 1 << 30;
/** Most thumbnails made concurrently: bounds memory to this many originals. */
const atOnce = 4;
/** Most of these from one source: its other connections are for browsing. */
const atOncePerSource = 2;
/** Timeout for reading one original, in milliseconds. */
const readingDeadline = 60_000;
/** Sizes of the longer side in pixels; a wish is rounded up to one of these, so that there are few per picture. */
const sides = [128, 256, 512, 1024, 2048] as const;
/** Most failed originals remembered. */
const mostFailures = 1000;

/** The original of a thumbnail. */
export interface Original {
  /** Name for errors. */
  readonly name: string;
  /** Id of the link it belongs to. */
  readonly source: string;
  /** Identifies file and content: differs for other content. */
  readonly identity: string;
  /** Whether other content certainly has another identity; otherwise nothing is cached. */
  readonly isVersioned: boolean;
  readonly size?: number;
  read(signal: AbortSignal): Promise<Body>;
}

interface Options {
  readonly folder: string;
  readonly mostBytes?: number;
  /** Called when a picture could not be stored or read; it is returned anyway. */
  readonly onTrouble: (error: unknown) => void;
}

/** Prefix of the keys of a source's pictures. */
const beginningFor = (source: string): string => hash('sha256', source, 'hex').slice(0, beginningLength);
const beginningLength = 24;

export type Pictures = ReturnType<typeof createPictures>;

/** Thumbnails made by Sheaf: each once, some concurrently, cached on disk. */
export function createPictures({ folder, mostBytes = cacheSize, onTrouble }: Options) {
  const cache = createPictureCache({ folder, mostBytes, onTrouble });
  const share = createSharedWork<Buffer>();
  const limiter = createLimiter(atOnce);
  const bySource = createKeyedLimiter(atOncePerSource);
  const failed = new Set<string>();

  const make = (key: string, original: Original, side: number, signal: AbortSignal): Promise<Buffer> =>
    inSlot(original.source, signal, async () => {
      const bytes = await bytesOf(original, AbortSignal.any([signal, AbortSignal.timeout(readingDeadline)]));
      try {
        return await makePicture(bytes, side);
      } catch (error) {
        if (original.isVersioned) remember(key);
        throw appError('NO_PICTURE', { name: original.name }, error);
      }
    });
  /** Takes the source's slot first, so that a slow source does not delay the others. */
  const inSlot = <T>(source: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> =>
    bySource.run(source, signal, () => limiter.run(signal, work));
  const remember = (key: string): void => {
    failed.add(key);
    for (const oldest of failed) {
      if (failed.size <= mostFailures) return;
      failed.delete(oldest);
    }
  };

  const keptOf = async (key: string): Promise<Buffer | undefined> => {
    try {
      return await cache.get(key);
    } catch (error) {
      onTrouble(error);
      return undefined;
    }
  };

  return {
    /** Deletes the cached pictures of a source. */
    async forget(source: string): Promise<void> {
      const beginning = beginningFor(source);
      await cache.remove((key) => key.startsWith(beginning));
    },
    /** Deletes the cached pictures of all sources but these: of sources forgotten on other instances, or while a picture was being made. */
    async keepOnly(sources: readonly string[]): Promise<void> {
      const kept = new Set(sources.map(beginningFor));
      await cache.remove((key) => !kept.has(key.slice(0, beginningLength)));
    },
    /** The WebP thumbnail, its longer side at least `size` pixels if the original is large enough; rejects with NO_PICTURE. */
    async picture(original: Original, size: number, signal: AbortSignal): Promise<Buffer> {
      const { name, identity, isVersioned } = original;
      const side = sides.find((pixels) => pixels >= size) ?? 2048;
      const key = beginningFor(original.source) + hash('sha256', JSON.stringify([identity, side]), 'hex');
      if (failed.has(key) || (original.size ?? 0) > largestOriginal) throw appError('NO_PICTURE', { name });
      const kept = isVersioned ? await keptOf(key) : undefined;
      if (kept) return kept;
      return share(key, signal, async (shared) => {
        const made = await make(key, original, side, shared);
        if (isVersioned) await cache.put(key, made).catch(onTrouble);
        return made;
      });
    },
  };
}

/** Reads an original completely; rejects with NO_PICTURE when it is too large. */
async function bytesOf({ name, read }: Original, signal: AbortSignal): Promise<Buffer> {
  const body = await read(signal);
  const stop = (): void => body.cancel();
  signal.addEventListener('abort', stop, { once: true });
  const whole = createWholeBody(largestOriginal, () => appError('NO_PICTURE', { name }));
  try {
    await body.drain(async (chunk) => whole.add(chunk));
    return whole.bytes();
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof AppError ? error : appError('NO_PICTURE', { name }, error);
  } finally {
    signal.removeEventListener('abort', stop);
    body.cancel();
  }
}
