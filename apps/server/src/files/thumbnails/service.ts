import { hash } from 'node:crypto';
import { type Body, createWholeBody } from '@sheaf/connectors';
import { AppError, appError } from '@sheaf/contract';
import { makePicture } from './make-picture.ts';
import { createPictureCache } from './picture-cache.ts';
import { createSharedWork } from './shared-work.ts';
import { createSlots, createSlotsByKey } from './slots.ts';

/** Bytes of the largest original. */
const largestOriginal = 64 << 20;
/** Bytes on disk. */
const cacheSize = 1 << 30;
/** Pictures that are made at the same time: bounds memory to this many originals. */
const atOnce = 4;
/** Of these from one source: its other connections are for those who browse. */
const atOncePerSource = 2;
/** Milliseconds for reading one original. */
const readingDeadline = 60_000;
/** Pixels of the longer side; a wish is rounded up to one of these, so that there are few of each picture. */
const sides = [128, 256, 512, 1024, 2048] as const;
/** Originals that could not be made into pictures and are remembered. */
const mostFailures = 1000;

/** A file that a picture is wanted of. */
export interface Original {
  /** What is told to the user. */
  readonly name: string;
  /** Id of the link it belongs to. */
  readonly source: string;
  /** The file and its content: different for other content. */
  readonly identity: string;
  /** Whether another content has another identity for sure; otherwise nothing is kept. */
  readonly isVersioned: boolean;
  readonly size?: number;
  read(signal: AbortSignal): Promise<Body>;
}

interface Options {
  readonly folder: string;
  readonly mostBytes?: number;
  /** Hears of a picture that could not be kept, or was kept and cannot be read; it is given all the same. */
  readonly onTrouble: (error: unknown) => void;
}

/** How the keys of a source's pictures begin. */
const beginningFor = (source: string): string => hash('sha256', source, 'hex').slice(0, beginningLength);
const beginningLength = 24;

export type Pictures = ReturnType<typeof createPictures>;

/** Small pictures that Sheaf makes itself: each once, some at the same time, kept on disk as far as there is room. */
export function createPictures({ folder, mostBytes = cacheSize, onTrouble }: Options) {
  const cache = createPictureCache({ folder, mostBytes, onTrouble });
  const share = createSharedWork<Buffer>();
  const slots = createSlots(atOnce);
  const bySource = createSlotsByKey(atOncePerSource);
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
  /** The source's slot first, so that a slow source does not keep the others waiting. */
  const inSlot = <T>(source: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> =>
    bySource.run(source, signal, () => slots.run(signal, work));
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
    /** Removes what is kept of a source. */
    async forget(source: string): Promise<void> {
      const beginning = beginningFor(source);
      await cache.remove((key) => key.startsWith(beginning));
    },
    /** Removes what is kept of all sources but these: of those that were forgotten elsewhere, or while a picture was being made. */
    async keepOnly(sources: readonly string[]): Promise<void> {
      const kept = new Set(sources.map(beginningFor));
      await cache.remove((key) => !kept.has(key.slice(0, beginningLength)));
    },
    /** The WebP picture, its longer side at least `size` pixels where the original has them; rejects with NO_PICTURE. */
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

/** All bytes of an original; rejects with NO_PICTURE when there are too many. */
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
