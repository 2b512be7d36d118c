import type { CallOptions, Connector, Entry, WriteOptions } from '../../core/connector.ts';
import { deadlines } from '../../core/deadlines.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import type { KeepOptions, SetAside } from '../../core/replacing.ts';

interface Deps {
  readonly inner: Connector;
  /**
   * Returns the id that an item would get in the bin, in the topmost folder that accepts one, and creates the bin's folder; undefined where
   * no folder accepts one.
   */
  readonly placeFor: (path: string, keep: KeepOptions, ask: CallOptions) => Promise<string | undefined>;
  /** Whether the source refused to put the file there. */
  readonly isRefusal: (error: unknown) => boolean;
}

type Replacing = Pick<WriteOptions, 'ifExists' | 'keep' | 'setAside' | 'signal'>;
type Kept = { readonly setAside?: SetAside };

/**
 * Moves the file that a write replaces into the hidden bin. Where possible, renames it right before the new file takes its name; otherwise
 * lets the source copy it before the write. When the write fails, the old file gets its name back, unless another item has taken it.
 */
export function createKeepReplaced({ inner, placeFor, isRefusal }: Deps) {
  async function old(path: string, ask: CallOptions): Promise<Entry | undefined> {
    try {
      const entry = await inner.stat(path, ask);
      return entry.kind === 'file' ? entry : undefined;
    } catch (error) {
      if (isKind(error, 'notFound')) return undefined;
      throw error;
    }
  }

  async function renaming<T>(path: string, entry: Entry, ask: Replacing, keep: KeepOptions, write: (kept: Kept) => Promise<T>): Promise<T> {
    const binId = await placeFor(path, keep, ask);
    if (binId === undefined) return write({});
    let isAway = false;
    const setAside: SetAside = async (moveTo) => {
      await keep.before(binId, entry);
      try {
        await moveTo(binId);
        isAway = true;
      } catch (error) {
        // After a lost response the file may be in the bin: the journal then has its id.
        if (!isRefusal(error)) throw error;
        await keep.dropped();
      }
    };
    try {
      return await write({ setAside });
    } catch (error) {
      if (isAway) await putBack(path, binId, keep);
      throw error;
    }
  }

  /**
   * Uses its own signal, because the caller's may be why the write failed. A file that cannot be put back stays in the bin and in the
   * journal.
   */
  async function putBack(path: string, binId: string, keep: KeepOptions): Promise<void> {
    const ask = { signal: AbortSignal.timeout(deadlines.aside) };
    try {
      if (await old(path, ask)) return;
      await inner.move?.(binId, path, ask);
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      return;
    }
    await keep.dropped();
  }

  async function copying<T>(path: string, entry: Entry, ask: Replacing, keep: KeepOptions, write: (kept: Kept) => Promise<T>): Promise<T> {
    const binId = await placeFor(path, keep, ask);
    if (binId === undefined) return write({});
    await keep.before(binId, entry);
    try {
      await inner.copy?.(path, binId, { signal: ask.signal });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      await keep.dropped();
      return write({});
    }
    try {
      return await write({});
    } catch (error) {
      // Only these errors prove that the old file is still in place.
      if (isRefusal(error) || isKind(error, 'sizeDiffers')) {
        await inner.remove?.(binId, { signal: AbortSignal.timeout(deadlines.aside) });
        await keep.dropped();
      }
      throw error;
    }
  }

  /** Runs the write with options that keep the file it replaces. */
  return async function keepReplaced<T>(path: string, ask: Replacing, write: (kept: Kept) => Promise<T>): Promise<T> {
    const { keep, signal } = ask;
    const way = inner.setsAside ? renaming : inner.copy ? copying : undefined;
    const entry = keep && way && ask.ifExists === 'replace' ? await old(path, { signal }) : undefined;
    return entry && keep && way ? way(path, entry, ask, keep, write) : write({});
  };
}
