import type { Ask, Entry } from '../../core/connector.ts';
import { ConnectorError } from '../../core/error.ts';
import { createItemAt } from '../../kit/item-at.ts';
import { type ItemTree, itemNameOf } from '../../kit/item-tree.ts';
import { joinPath, nameOf, parentOf, partialPrefix } from '../../kit/path.ts';
import { DocumentItem, type Facts, ItemsAnswer, type OracleItem, pathOf, toItem } from './api.ts';
import { AnyAnswer, type Documents } from './documents.ts';
import { checkName } from './names.ts';

/** ms for a copy of a big folder, and for tidying up after a failure, which must not depend on the caller's signal. */
const copyTime = 600_000;
const tidyTime = 30_000;

/** Rename, move and copy: Oracle changes name and place in calls of their own, and copies under the same name only. */
export function createRelocation(documents: Documents, tree: ItemTree<Facts>) {
  const { api } = documents;
  const at = createItemAt(tree);

  function currently(path: string, ask: Ask, work: (item: OracleItem) => Promise<Entry>): Promise<Entry> {
    if (path === '/') throw new ConnectorError('unsupported', 'the home folder stays where it is');
    return at(path, ask, 'find', work);
  }

  const named = async (item: OracleItem, name: string, { signal }: Ask): Promise<void> =>
    void (await api.json(DocumentItem, { method: 'PUT', url: pathOf(item), json: { name }, signal }));

  const placed = async (item: OracleItem, folder: OracleItem, ask: Ask): Promise<void> => {
    const destinationID = await documents.idOf(folder, ask);
    await api.json(AnyAnswer, { method: 'POST', url: `${pathOf(item)}/move`, json: { destinationID }, signal: ask.signal });
  };

  /** The target's folder; rejects unless the name is free there, whatever its capitals. The item itself is not in its own way. */
  async function freePlace(to: string, ask: Ask, itself?: OracleItem): Promise<OracleItem> {
    const folder = await tree.folder(parentOf(to), ask);
    const name = itemNameOf(nameOf(to));
    checkName(name);
    const others = (await documents.namesakes(folder, name, ask)).filter(({ id }) => id !== itself?.id);
    if (others.length > 0) throw new ConnectorError('alreadyExists', 'the name is taken');
    return folder;
  }

  async function renamed(path: string, item: OracleItem, name: string, ask: Ask): Promise<Entry> {
    await freePlace(joinPath(parentOf(path), name), ask, item);
    await named(item, itemNameOf(name), ask);
    return arrived(path, joinPath(parentOf(path), name), item, ask);
  }

  async function arrived(from: string, to: string, item: OracleItem, ask: Ask): Promise<Entry> {
    tree.forget(from);
    return tree.learnt(to, await documents.itemAt(pathOf(item), ask));
  }

  /** Goes by a name that nothing else has, so that it is in nobody's way in either folder, and back when it cannot arrive. */
  async function moved(from: string, to: string, item: OracleItem, ask: Ask): Promise<Entry> {
    const folder = await freePlace(to, ask, item);
    const origin = await tree.folder(parentOf(from), ask);
    const name = itemNameOf(nameOf(to));
    const sameName = name === item.name;
    const tidy = { signal: AbortSignal.timeout(tidyTime) };
    if (!sameName) await named(item, partialPrefix + crypto.randomUUID().slice(0, 13), ask);
    try {
      await placed(item, folder, ask);
    } catch (error) {
      if (!sameName) await named(item, item.name, tidy);
      throw error;
    }
    try {
      if (!sameName) await named(item, name, ask);
    } catch (error) {
      await placed(item, origin, tidy);
      await named(item, item.name, tidy);
      throw error;
    }
    return arrived(from, to, item, ask);
  }

  async function copied(item: OracleItem, to: string, ask: Ask): Promise<Entry> {
    const folder = await freePlace(to, ask);
    const { signal } = ask;
    const name = itemNameOf(nameOf(to));
    const workshop = toItem(
      await api.json(DocumentItem, {
        method: 'POST',
        url: pathOf(folder),
        json: { name: partialPrefix + crypto.randomUUID().slice(0, 13) },
        signal,
      }),
    );
    try {
      const json = { destinationID: workshop.id };
      await api.json(AnyAnswer, { method: 'POST', url: `${pathOf(item)}/copy`, json, signal, headTimeout: copyTime });
      const { items = [] } = await api.json(ItemsAnswer, { method: 'GET', url: `${pathOf(workshop)}/items`, signal });
      const [only] = items;
      if (!only || items.length > 1) throw new ConnectorError('unexpected', 'a copy that is not there');
      const copy = toItem(only);
      if (copy.name !== name) await named(copy, name, ask);
      await placed(copy, folder, ask);
      return tree.learnt(to, await documents.itemAt(pathOf(copy), ask));
    } finally {
      await api.done({ method: 'DELETE', url: pathOf(workshop), signal: AbortSignal.timeout(tidyTime) });
    }
  }

  /** Nothing goes into itself. */
  const apart = (from: string, to: string): void => {
    if (from === '/' || to.startsWith(joinPath(from, ''))) throw new ConnectorError('unsupported', 'a folder cannot go into itself');
  };

  return {
    rename: (path: string, newName: string, ask: Ask) => currently(path, ask, (item) => renamed(path, item, newName, ask)),
    move(from: string, to: string, ask: Ask) {
      apart(from, to);
      return currently(from, ask, (item) =>
        parentOf(from) === parentOf(to) ? renamed(from, item, nameOf(to), ask) : moved(from, to, item, ask),
      );
    },
    copy(from: string, to: string, ask: Ask) {
      apart(from, to);
      return currently(from, ask, (item) => copied(item, to, ask));
    },
  };
}
