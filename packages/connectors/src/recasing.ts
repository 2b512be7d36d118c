import { foldName } from '@sheaf/contract';
import type { Ask, Connector, Entry } from './core/connector.ts';
import { deadlines } from './core/deadlines.ts';
import { ConnectorError, isKind } from './core/error.ts';
import { joinPath, keptPathOf, nameOf, parentOf, partialPathOf } from './kit/names/path.ts';

/**
 * Lets an item get a name that differs from its own in case, accents or Unicode form only where the source takes both for the same and says that the name is taken:
 * by the item itself, when no entry is listed under it. Such an item goes by way of another name, which shows in listings should it have to stay there.
 */
export function recasing(inner: Connector): Connector {
  const rename = inner.rename?.bind(inner);
  const move = inner.move?.bind(inner);
  if (!rename) return inner;

  async function unlessItself(from: string, to: string, ask: Ask, straight: () => Promise<Entry>): Promise<Entry> {
    try {
      return await straight();
    } catch (error) {
      if (!isKind(error, 'alreadyExists') || !isRecased(from, to) || (await isListed(inner, to, ask))) throw error;
    }
    return byAnotherName(from, to, ask);
  }

  const byAnotherName = async (from: string, to: string, ask: Ask): Promise<Entry> => {
    const between = keptPathOf(partialPathOf(from));
    try {
      await rename(from, nameOf(between), ask);
      return await rename(between, nameOf(to), ask);
    } catch (error) {
      await putBack(between, from, error);
      throw error;
    }
  };

  /** Not finding it there says that it never left, or has arrived and only the answer was lost. */
  const putBack = async (between: string, from: string, reason: unknown): Promise<void> => {
    try {
      await rename(between, nameOf(from), { signal: AbortSignal.timeout(deadlines.aside) });
    } catch (error) {
      if (isKind(error, 'notFound')) return;
      const cause = new AggregateError([reason, error]);
      throw new ConnectorError('interrupted', 'an item was to change its name and has not got its own back', { cause });
    }
  };

  return {
    ...inner,
    rename: (path, newName, ask) => unlessItself(path, joinPath(parentOf(path), newName), ask, () => rename(path, newName, ask)),
    ...(move && { move: (from, to, ask) => unlessItself(from, to, ask, () => move(from, to, ask)) }),
  };
}

const isRecased = (from: string, to: string): boolean =>
  from !== to && parentOf(from) === parentOf(to) && foldName(nameOf(from)) === foldName(nameOf(to));

/** Takes the whole listing, so that its connection serves again. */
async function isListed(source: Connector, path: string, ask: Ask): Promise<boolean> {
  let found = false;
  for await (const batch of source.list(parentOf(path), ask)) found ||= batch.some(({ name }) => name === nameOf(path));
  return found;
}
