import type { DiscardOptions } from '../../core/bin.ts';
import type { CallOptions, Connector, Entry } from '../../core/connector.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import { binFolder, isPath } from '../../core/segment.ts';
import { joinPath, nameOf, parentOf } from '../names/path.ts';

/** Most bytes of an item's own name in its name in the bin: with the key it stays below the 255 bytes of most servers. */
const longestName = 180;
/** Most folders of bins that are known to exist. */
const mostKnown = 1000;

/**
 * Gives a source without a bin one: a folder of the link, to which deleted items are moved by the source itself. `discard` never copies through Sheaf.
 * Only these methods reach the folder: the layer of safe paths hides it. Returns the source unchanged where it has a bin, or cannot move items.
 */
export function hiddenBin(inner: Connector): Connector {
  const createFolder = inner.createFolder?.bind(inner);
  const move = inner.move?.bind(inner);
  const remove = inner.remove?.bind(inner);
  if (inner.bin !== undefined || !createFolder || !move || !remove) return inner;
  const known = new Set<string>();

  async function ensure(folder: string, ask: CallOptions): Promise<void> {
    if (known.has(folder)) return;
    try {
      await createFolder?.(folder, ask);
    } catch (error) {
      if (isKind(error, 'notFound')) {
        await ensure(parentOf(folder), ask);
        await createFolder?.(folder, ask).catch(unlessThere);
      } else unlessThere(error);
    }
    if (known.size >= mostKnown) known.clear();
    known.add(folder);
  }

  async function discard(path: string, { folder, day, key, before, signal }: DiscardOptions): Promise<string> {
    const ask = { signal };
    const into = joinPath(joinPath(folder, binFolder), day);
    const binId = joinPath(into, `${key}-${shortened(nameOf(path))}`);
    checkId(binId);
    if (path === '/' || folder === path || folder.startsWith(`${path}/`))
      throw new ConnectorError('unsupported', 'a folder cannot be moved into a bin below itself');
    await before(binId);
    await ensure(into, ask);
    try {
      await move?.(path, binId, ask);
    } catch (error) {
      if (!isKind(error, 'notFound')) throw error;
      // Another process may have removed the emptied folder of that day.
      known.clear();
      await inner.stat(path, ask);
      await ensure(into, ask);
      await move?.(path, binId, ask);
    }
    return binId;
  }

  /** Removes the day's folder once nothing is left in it. */
  async function tidy(day: string, ask: CallOptions): Promise<void> {
    try {
      for await (const batch of inner.list(day, ask)) if (batch.length > 0) return;
      await remove?.(day, ask);
    } catch (error) {
      if (!isKind(error, 'notFound') && !isKind(error, 'notEmpty')) throw error;
    } finally {
      known.delete(day);
    }
  }

  return {
    ...inner,
    bin: 'hidden',
    discard,
    async binned(binId, { signal }): Promise<Entry> {
      checkId(binId);
      return inner.stat(binId, { signal });
    },
    async restore(binId, path, { signal }): Promise<Entry> {
      checkId(binId);
      if (path === undefined) throw new ConnectorError('unsupported', 'a hidden bin does not know where an item was');
      return move(binId, path, { signal });
    },
    async purge(binId, { signal }): Promise<void> {
      checkId(binId);
      try {
        await remove(binId, { signal });
      } catch (error) {
        if (!isKind(error, 'notFound')) throw error;
      }
      await tidy(parentOf(binId), { signal });
    },
  };
}

function unlessThere(error: unknown): undefined {
  if (!isKind(error, 'alreadyExists')) throw error;
}

/** Whether the id is that of an item in the hidden bin of that folder, or of any. */
export function isHiddenBinId(binId: string, folder?: string): boolean {
  const day = parentOf(binId);
  const bin = parentOf(day);
  return (
    isPath(binId) &&
    /^\d{4}-\d\d-\d\d$/.test(nameOf(day)) &&
    nameOf(bin) === binFolder &&
    (folder === undefined || parentOf(bin) === folder)
  );
}

/** Refuses ids of anything that is not directly in a hidden bin. */
function checkId(binId: string): void {
  if (!isHiddenBinId(binId)) throw new ConnectorError('notFound', 'the id is none of an item in a bin');
}

/** The name without its middle where it is too long; its ending stays. */
function shortened(name: string): string {
  if (Buffer.byteLength(name) <= longestName) return name;
  const letters = [...name];
  const end = letters.slice(-12).join('');
  let start = '';
  for (const letter of letters) {
    if (Buffer.byteLength(start + letter + end) > longestName) break;
    start += letter;
  }
  return start + end;
}
