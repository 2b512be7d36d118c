import type { CallOptions, Change, Changes } from '../../core/connector.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import { inParallel } from '../../kit/concurrency/parallel.ts';
import { type ItemTree, nameOfItem } from '../../kit/id-tree/item-tree.ts';
import { joinPath, nameOf } from '../../kit/names/path.ts';
import { parseJson } from '../../kit/rest/json.ts';
import { BoxItem, Events, type Facts, fieldsWithPlace, pathOf, placeOfKind, root } from './api.ts';
import { type BoxClient, nodeOf } from './client.ts';

/** Box's maximum page size. */
const pageSize = 500;
/** Maximum pages of events per call; the cursor continues with the rest. */
const mostPages = 20;
const width = 4;

/** An item with an event, and its location according to the latest event. */
interface Touched {
  readonly kind: 'file' | 'folder';
  readonly id: string;
  readonly name?: string;
  readonly parent?: string;
}

/**
 * Returns what changed in the user's tree since the given stream position. Events say which items were touched, possibly repeatedly; their
 * current state is requested. https://developer.box.com/guides/events/user-events/for-user
 */
export async function changesSince(
  client: BoxClient,
  tree: ItemTree<Facts>,
  since: string | undefined,
  { signal }: CallOptions,
): Promise<Changes> {
  const read = async (position: string) => {
    const query = { stream_type: 'changes', stream_position: position, limit: pageSize };
    const response = await client.api.send({ method: 'GET', url: '/events', query, signal });
    const text = await response.text(eventsLimit);
    return { entries: parseJson(Events, text).entries, next: positionIn(text) };
  };
  const now = async (): Promise<string> => (await read('now')).next;
  if (since === undefined) return { cursor: await now(), items: [], incomplete: false };

  const touched = new Map<string, Touched>();
  let cursor = since;
  for (let page = 0; page < mostPages; page += 1) {
    let answer: Awaited<ReturnType<typeof read>>;
    try {
      answer = await read(cursor);
    } catch (error) {
      // Box answers an expired stream position with a bad request.
      if (page > 0 || !isKind(error, 'unexpected')) throw error;
      return { cursor: await now(), items: [], incomplete: true };
    }
    for (const { source } of answer.entries) {
      const { type, id, name, parent } = source ?? {};
      if (id === undefined || (type !== 'file' && type !== 'folder')) continue;
      touched.set(`${type} ${id}`, { kind: type, id, ...(name && { name }), ...(parent?.id && { parent: parent.id }) });
    }
    cursor = answer.next;
    if (answer.entries.length === 0) break;
  }

  const items = new Map<string, Change>();
  let incomplete = false;
  await inParallel(touched.values(), width, async (one) => {
    const found = await look(client, tree, one, signal);
    if (!found) incomplete = true;
    for (const change of found ?? []) if (change.entry || !items.get(change.path)?.entry) items.set(change.path, change);
  });
  for (const [path, { entry }] of items) if (!entry) tree.forget(path);
  return { cursor, items: [...items.values()], incomplete };
}

/** Returns the item's current location and the locations that it has left; undefined when they cannot be determined. */
async function look(client: BoxClient, tree: ItemTree<Facts>, one: Touched, signal: AbortSignal): Promise<Change[] | undefined> {
  const before = tree.pathsOf(one.id);
  const item = await current(client, one, signal);
  if (!item) {
    const gone = before.length > 0 ? before : placesOf(tree, one);
    return gone.length > 0 ? gone.map((path) => ({ path })) : undefined;
  }
  const path = pathOf(item);
  if (path === undefined) return undefined;
  const node = nodeOf(item);
  const left = before.filter((old) => old !== path).map((old): Change => ({ path: old }));
  return [...left, { path, entry: { ...node.entry, name: nameOf(path), kind: node.kind } }];
}

/** Returns the item's current state with its location; undefined when it is gone. */
async function current(client: BoxClient, { kind, id }: Touched, signal: AbortSignal): Promise<BoxItem | undefined> {
  try {
    const url = `/${placeOfKind[kind]}/${id}`;
    const item = await client.api.json(BoxItem, { method: 'GET', url, query: { fields: fieldsWithPlace }, signal });
    return item.item_status && item.item_status !== 'active' ? undefined : item;
  } catch (error) {
    if (isKind(error, 'notFound')) return undefined;
    throw error;
  }
}

/** Returns the item's former paths, from the folder that the event names. */
function placesOf(tree: ItemTree<Facts>, { name, parent }: Touched): string[] {
  if (name === undefined || parent === undefined) return [];
  const folders = parent === root.id ? ['/'] : tree.pathsOf(parent);
  return folders.map((folder) => joinPath(folder, nameOfItem(name)));
}

/** Bytes of 500 events. */
const eventsLimit = 16 * 1024 * 1024;

/** Stream positions are integers beyond JavaScript's safe range: read from the raw text. */
function positionIn(text: string): string {
  const position = /"next_stream_position"\s*:\s*"?([0-9]{1,30})"?/.exec(text)?.[1];
  if (position === undefined) throw new ConnectorError('unexpected', 'events without a position');
  return position;
}
