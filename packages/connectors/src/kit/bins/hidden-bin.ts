import type { DiscardOptions } from '../../core/bin.ts';
import type { CallOptions, Connector, Entry } from '../../core/connector.ts';
import { ConnectorError, type ConnectorErrorKind, isKind } from '../../core/error.ts';
import { resumableUploadsOf } from '../../core/operations.ts';
import type { KeepOptions } from '../../core/replacing.ts';
import { binFolder, isPath } from '../../core/segment.ts';
import { joinPath, nameOf, parentOf } from '../names/path.ts';
import { createKeepReplaced } from './keep-replaced.ts';

/** Maximum bytes of an item's own name within its name in the bin: with the key it stays below the limit of 255 bytes of most servers. */
const longestName = 180;
/** Maximum number of bin folders that are remembered as existing. */
const mostKnown = 1000;
/** Milliseconds after which no item can go into the folder of a day any more, in any time zone and with any clock. */
const settled = 3 * 86_400_000;
/**
 * Errors after which a folder further down is tried as the place of the bin: no permission to write there, another file system, another
 * quota.
 */
const refusals: ReadonlySet<ConnectorErrorKind> = new Set([
  'forbidden',
  'unsupported',
  'unexpected',
  'failed',
  'full',
  'badName',
  'notAFolder',
]);
/** Of these, the ones with which a read-only source refuses a new folder. */
const closed: ReadonlySet<ConnectorErrorKind> = new Set(['forbidden', 'unsupported', 'failed']);

/**
 * Adds a bin to a source without one: a folder at the top of the link, to which the source itself moves deleted items. Where the source
 * refuses that, the bin is in the topmost folder above the item that accepts it. `discard` never copies through Sheaf. Only these methods
 * reach the folder: the layer of safe paths hides it. Returns the source unchanged where it has a bin, or cannot move items.
 */
export function hiddenBin(inner: Connector): Connector {
  const createFolder = inner.createFolder?.bind(inner);
  const move = inner.move?.bind(inner);
  const remove = inner.remove?.bind(inner);
  if (inner.bin !== undefined || !createFolder || !move || !remove) return inner;
  const known = new Set<string>();

  async function make(folder: string, { signal }: CallOptions): Promise<void> {
    try {
      await createFolder?.(folder, { signal, ...(nameOf(folder) === binFolder && { isPrivate: true as const }) });
    } catch (error) {
      if (!isKind(error, 'alreadyExists')) throw error;
    }
  }

  async function ensure(folder: string, ask: CallOptions): Promise<void> {
    if (known.has(folder)) return;
    try {
      await make(folder, ask);
    } catch (error) {
      if (!isKind(error, 'notFound')) throw error;
      await make(parentOf(folder), ask);
      await make(folder, ask);
    }
    if (known.size >= mostKnown) known.clear();
    known.add(folder);
  }

  async function moveInto(path: string, binId: string, ask: CallOptions): Promise<void> {
    const into = parentOf(binId);
    await ensure(into, ask);
    try {
      await move?.(path, binId, ask);
    } catch (error) {
      if (!isKind(error, 'notFound')) throw error;
      // Another program may have removed the folder of the day.
      known.delete(into);
      await inner.stat(path, ask);
      await ensure(into, ask);
      await move?.(path, binId, ask);
    }
  }

  async function isThere(path: string, ask: CallOptions): Promise<boolean> {
    try {
      await inner.stat(path, ask);
      return true;
    } catch (error) {
      if (isKind(error, 'notFound')) return false;
      throw error;
    }
  }

  async function discard(path: string, { day, key, before, signal }: DiscardOptions): Promise<string> {
    const ask = { signal };
    if (path === '/') throw new ConnectorError('unsupported', 'the root cannot be moved into a bin below itself');
    let refusal: unknown;
    let isReadOnly = false;
    for (const folder of foldersAbove(path)) {
      const binId = idIn(folder, path, { day, key });
      await before(binId);
      try {
        await moveInto(path, binId, ask);
        return binId;
      } catch (error) {
        // Tries another folder only while it is certain that nothing was moved.
        if (!isRefusal(error) || !(await isThere(path, ask)) || (await isThere(binId, ask).catch(() => true))) throw error;
        refusal ??= error;
        // The last folder is the item's own: where nothing can be created, nothing can be deleted either.
        isReadOnly = !known.has(parentOf(binId)) && isKind(error, ...closed);
      }
    }
    throw new ConnectorError('forbidden', 'no folder takes the bin', {
      cause: refusal,
      ...(isReadOnly && { details: { problem: 'readOnly' } }),
    });
  }

  async function placeFor(path: string, keep: KeepOptions, ask: CallOptions): Promise<string | undefined> {
    for (const folder of foldersAbove(path)) {
      const binId = idIn(folder, path, keep);
      try {
        await ensure(parentOf(binId), ask);
        return binId;
      } catch (error) {
        if (!isRefusal(error)) throw error;
      }
    }
    return undefined;
  }

  const keepReplaced = createKeepReplaced({ inner, placeFor, isRefusal });
  const write = inner.write?.bind(inner);
  const uploads = resumableUploadsOf(inner);

  /** Removes the folder of a past day once it is empty; today's is kept, because an item may be moving into it. */
  async function tidy(day: string, ask: CallOptions): Promise<void> {
    if (Date.parse(nameOf(day)) > Date.now() - settled) return;
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
    ...(write && {
      write: (path, body, ask) => keepReplaced(path, ask, (kept) => write(path, body, { ...ask, ...kept })),
    }),
    ...(uploads && {
      finishUpload: (path, ask) => keepReplaced(path, ask, (kept) => uploads.finishUpload(path, { ...ask, ...kept })),
    }),
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

const isRefusal = (error: unknown): boolean => error instanceof ConnectorError && refusals.has(error.kind);

/** Returns the id of an item in the bin of a folder. */
function idIn(folder: string, path: string, { day, key }: Pick<DiscardOptions, 'day' | 'key'>): string {
  const binId = joinPath(joinPath(joinPath(folder, binFolder), day), `${key}-${shortened(nameOf(path))}`);
  checkId(binId);
  return binId;
}

/** Returns the folders above an item, the root first. */
function foldersAbove(path: string): string[] {
  const names = path.slice(1).split('/').slice(0, -1);
  return ['/', ...names.map((_, index) => `/${names.slice(0, index + 1).join('/')}`)];
}

/** Whether the id belongs to an item in a hidden bin. */
function isHiddenBinId(binId: string): boolean {
  const day = parentOf(binId);
  return isPath(binId) && /^\d{4}-\d\d-\d\d$/.test(nameOf(day)) && nameOf(parentOf(day)) === binFolder;
}

/** Rejects ids of anything that is not directly in a hidden bin. */
function checkId(binId: string): void {
  if (!isHiddenBinId(binId)) throw new ConnectorError('notFound', 'the id is none of an item in a bin');
}

/** Removes the middle of a name that is too long; keeps its extension. */
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
