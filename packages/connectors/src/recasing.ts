import { foldName } from '@sheaf/contract';
import type { CallOptions, Connector, Entry } from './core/connector.ts';
import { isKind } from './core/error.ts';
import { joinPath, nameOf, parentOf } from './kit/names/path.ts';
import { recase } from './kit/names/recase.ts';

/**
 * Renames an item to a name that differs from its own only in case, accents or Unicode form. Some sources treat both names as equal and
 * report the new one as taken, by the item itself, although no entry is listed under it. Such an item is renamed in two steps, through a
 * temporary name that listings show, in case the item has to keep it.
 */
export function recasing(inner: Connector): Connector {
  const rename = inner.rename?.bind(inner);
  const move = inner.move?.bind(inner);
  if (!rename) return inner;
  const step = (ask: CallOptions) => (from: string, to: string, signal: AbortSignal) => rename(from, nameOf(to), { ...ask, signal });

  async function unlessItself(from: string, to: string, ask: CallOptions, straight: () => Promise<Entry>): Promise<Entry> {
    try {
      return await straight();
    } catch (error) {
      if (!isKind(error, 'alreadyExists') || !isRecased(from, to) || (await isListed(inner, to, ask))) throw error;
    }
    return recase(from, to, { rename: step(ask) }, ask.signal);
  }

  return {
    ...inner,
    rename: (path, newName, ask) => unlessItself(path, joinPath(parentOf(path), newName), ask, () => rename(path, newName, ask)),
    ...(move && { move: (from, to, ask) => unlessItself(from, to, ask, () => move(from, to, ask)) }),
  };
}

const isRecased = (from: string, to: string): boolean =>
  from !== to && parentOf(from) === parentOf(to) && foldName(nameOf(from)) === foldName(nameOf(to));

/** Reads the whole listing, so that its connection can be reused. */
async function isListed(source: Connector, path: string, ask: CallOptions): Promise<boolean> {
  let found = false;
  for await (const batch of source.list(parentOf(path), ask)) found ||= batch.some(({ name }) => name === nameOf(path));
  return found;
}
