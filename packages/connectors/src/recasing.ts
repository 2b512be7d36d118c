import { foldName } from '@sheaf/contract';
import type { CallOptions, Connector, Entry } from './core/connector.ts';
import { isKind } from './core/error.ts';
import { joinPath, nameOf, parentOf } from './kit/names/path.ts';
import { recase } from './kit/names/recase.ts';

/**
 * Lets an item get a name that differs from its own in case, accents or Unicode form only where the source takes both for the same and says that the name is taken:
 * by the item itself, when no entry is listed under it. Such an item goes by way of another name, which shows in listings should it have to stay there.
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

/** Takes the whole listing, so that its connection serves again. */
async function isListed(source: Connector, path: string, ask: CallOptions): Promise<boolean> {
  let found = false;
  for await (const batch of source.list(parentOf(path), ask)) found ||= batch.some(({ name }) => name === nameOf(path));
  return found;
}
