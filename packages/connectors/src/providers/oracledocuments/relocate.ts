import type { CallOptions, Entry } from '../../core/connector.ts';
import { deadlines } from '../../core/deadlines.ts';
import { ConnectorError } from '../../core/error.ts';
import { isOutcomeUnknown, retryWhileBusy } from '../../kit/concurrency/retry-busy.ts';
import { createItemAt } from '../../kit/id-tree/item-at.ts';
import { type ItemTree, itemNameOf } from '../../kit/id-tree/item-tree.ts';
import { joinPath, nameOf, parentOf, partialPrefix } from '../../kit/names/path.ts';
import { DocumentItem, type Facts, ItemsAnswer, type OracleItem, pathOf, toItem } from './api.ts';
import { AnyAnswer, type Documents } from './documents.ts';
import { checkName } from './names.ts';

/** Options for the cleanup after a failure, which must not depend on the caller's signal. */
const tidy = (): CallOptions => ({ signal: AbortSignal.timeout(deadlines.aside) });
/** Returns a unique temporary name. */
const hiddenName = (): string => partialPrefix + crypto.randomUUID().slice(0, 13);

/** Rename, move and copy: Oracle renames and moves in separate calls, and copies only under the same name. */
export function createRelocation(documents: Documents, tree: ItemTree<Facts>) {
  const { api } = documents;
  const at = createItemAt(tree);

  function currently(path: string, ask: CallOptions, work: (item: OracleItem) => Promise<Entry>): Promise<Entry> {
    if (path === '/') throw new ConnectorError('unsupported', 'the home folder stays where it is');
    return at(path, ask, 'find', work);
  }

  /** Idempotent, so that it can be retried after a lost response. */
  const named = (item: OracleItem, name: string, { signal }: CallOptions): Promise<OracleItem> =>
    retryWhileBusy(
      signal,
      async () => toItem(await api.json(DocumentItem, { method: 'PUT', url: pathOf(item), json: { name }, signal })),
      isOutcomeUnknown,
    );

  /** Moves the item into the folder. When the response is lost, the item's parent shows whether it arrived. */
  async function placed(item: OracleItem, folder: OracleItem, ask: CallOptions): Promise<void> {
    const { signal } = ask;
    const json = { destinationID: await documents.idOf(folder, ask) };
    try {
      await retryWhileBusy(signal, () => api.json(AnyAnswer, { method: 'POST', url: `${pathOf(item)}/move`, json, signal }));
    } catch (error) {
      if (!isOutcomeUnknown(error)) throw error;
      const look = tidy();
      const { facts } = await retryWhileBusy(look.signal, () => documents.itemAt(pathOf(item), look), isOutcomeUnknown);
      if (facts.parent !== json.destinationID) throw error;
    }
  }

  /** Returns the destination folder; rejects unless the name is free there, ignoring case. The item itself is no conflict. */
  async function freePlace(to: string, ask: CallOptions, itself?: OracleItem): Promise<OracleItem> {
    const folder = await tree.folder(parentOf(to), ask);
    const name = itemNameOf(nameOf(to));
    checkName(name);
    const others = (await documents.namesakes(folder, name, ask)).filter(({ id }) => id !== itself?.id);
    if (others.length > 0) throw new ConnectorError('alreadyExists', 'the name is taken');
    return folder;
  }

  async function renamed(path: string, item: OracleItem, name: string, ask: CallOptions): Promise<Entry> {
    await freePlace(joinPath(parentOf(path), name), ask, item);
    const now = await named(item, itemNameOf(name), ask);
    tree.forget(path);
    return tree.learnt(joinPath(parentOf(path), name), now);
  }

  /** Returns the item's current state after a move; falls back to the known state when Oracle does not answer. */
  async function seen(item: OracleItem, ask: CallOptions): Promise<OracleItem> {
    try {
      return await retryWhileBusy(ask.signal, () => documents.itemAt(pathOf(item), ask));
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      return item;
    }
  }

  /** Moves under a temporary name, so that there is no conflict in either folder, and back on failure. */
  async function moved(from: string, to: string, item: OracleItem, ask: CallOptions): Promise<Entry> {
    const folder = await freePlace(to, ask, item);
    const origin = await tree.folder(parentOf(from), ask);
    const name = itemNameOf(nameOf(to));
    const sameName = name === item.name;
    let isAway = false;
    try {
      if (!sameName) await named(item, hiddenName(), ask);
      await placed(item, folder, ask);
      isAway = true;
      if (!sameName) await named(item, name, ask);
    } catch (error) {
      await putBack(item, isAway ? origin : undefined, sameName, error);
      throw error;
    }
    tree.forget(from);
    return tree.learnt(to, await seen({ ...item, name }, ask));
  }

  async function putBack(item: OracleItem, origin: OracleItem | undefined, hasName: boolean, reason: unknown): Promise<void> {
    try {
      if (origin) await placed(item, origin, tidy());
      if (!hasName) await named(item, item.name, tidy());
    } catch (error) {
      const cause = new AggregateError([reason, error]);
      throw new ConnectorError('interrupted', 'an item did not arrive, and has not got its name or place back', { cause });
    }
  }

  async function copied(item: OracleItem, to: string, ask: CallOptions): Promise<Entry> {
    const folder = await freePlace(to, ask);
    const { signal } = ask;
    const name = itemNameOf(nameOf(to));
    const json = { name: hiddenName() };
    const workshop = toItem(await api.json(DocumentItem, { method: 'POST', url: pathOf(folder), json, signal }));
    let copy: OracleItem;
    try {
      copy = await made(item, workshop, ask);
      if (copy.name !== name) await named(copy, name, ask);
      await placed(copy, folder, ask);
    } catch (error) {
      await removed(workshop, error);
      throw error;
    }
    await removed(workshop);
    return tree.learnt(to, await seen({ ...copy, name }, ask));
  }

  async function made(item: OracleItem, workshop: OracleItem, { signal }: CallOptions): Promise<OracleItem> {
    const json = { destinationID: workshop.id };
    await api.json(AnyAnswer, { method: 'POST', url: `${pathOf(item)}/copy`, json, signal, headTimeout: deadlines.longWork });
    const inside = () => api.json(ItemsAnswer, { method: 'GET', url: `${pathOf(workshop)}/items`, signal });
    const { items = [] } = await retryWhileBusy(signal, inside);
    const [only] = items;
    if (!only || items.length > 1) throw new ConnectorError('unexpected', 'a copy that is not there');
    return toItem(only);
  }

  /** Deletes the temporary folder of a copy. Once the copy is in place, a failure here does not matter. */
  async function removed(workshop: OracleItem, reason?: unknown): Promise<void> {
    const { signal } = tidy();
    try {
      await retryWhileBusy(signal, () => api.done({ method: 'DELETE', url: pathOf(workshop), signal, accepts: [404] }), isOutcomeUnknown);
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      if (reason === undefined) return;
      const cause = new AggregateError([reason, error]);
      throw new ConnectorError('interrupted', 'a copy failed half-way and what it made is still there', { cause });
    }
  }

  /** Refuses to move or copy an item into itself. */
  const apart = (from: string, to: string): void => {
    if (from === '/' || to.startsWith(joinPath(from, ''))) throw new ConnectorError('unsupported', 'a folder cannot go into itself');
  };

  return {
    rename: (path: string, newName: string, ask: CallOptions) => currently(path, ask, (item) => renamed(path, item, newName, ask)),
    move(from: string, to: string, ask: CallOptions) {
      apart(from, to);
      return currently(from, ask, (item) =>
        parentOf(from) === parentOf(to) ? renamed(from, item, nameOf(to), ask) : moved(from, to, item, ask),
      );
    },
    copy(from: string, to: string, ask: CallOptions) {
      apart(from, to);
      return currently(from, ask, (item) => copied(item, to, ask));
    },
  };
}
