import type { CallOptions } from '../../core/connector.ts';
import { isKind } from '../../core/error.ts';
import { parentOf } from '../names/path.ts';
import type { Item, ItemTree } from './item-tree.ts';

/**
 * Runs `work` on the item at a path, whose id may be cached. If the provider no longer knows the id, resolves the path once more, because
 * another item may have taken its place. `work` must be repeatable.
 */
export const createItemAt =
  <Facts>(tree: ItemTree<Facts>) =>
  async <Result>(
    path: string,
    ask: CallOptions,
    find: 'file' | 'find' | 'folder',
    work: (item: Item<Facts>) => Promise<Result>,
  ): Promise<Result> => {
    const item = await tree[find](path, ask);
    try {
      return await work(item);
    } catch (error) {
      if (!isKind(error, 'notFound') || path === '/') throw error;
      for (let above = path; above !== '/'; above = parentOf(above)) tree.forget(above);
      const again = await tree[find](path, ask);
      if (again.id === item.id) throw error;
      return work(again);
    }
  };
