import { type Static, Type } from 'typebox';
import type { CallOptions, Change, Changes } from '../../../core/connector.ts';
import { isKind } from '../../../core/error.ts';
import { inParallel } from '../../../kit/concurrency/parallel.ts';
import { parseJson } from '../../../kit/rest/json.ts';
import type { Graph } from '../account/client.ts';
import { DriveItem, addressOf, changedFields, pageOf, readItem } from '../api.ts';
import type { FormerPlaces } from './former-places.ts';
import type { DriveTree } from './items.ts';
import { basesUnder, createPlaces } from './places.ts';

/** The delta link of each drive, and whether some drives are not watched. */
const Cursor = Type.Object({
  drives: Type.Array(Type.Object({ path: Type.String(), drive: Type.String(), link: Type.String() })),
  isPartial: Type.Boolean(),
});
type Cursor = Static<typeof Cursor>;
type Followed = Cursor['drives'][number];

/** Maximum drives of a link whose changes are requested; more would make each request slow. */
const mostDrives = 40;
/** Concurrent drives. */
const width = 4;
/** Maximum pages per drive and call; the rest follows with the next call. */
const mostPages = 20;

const DeltaPage = pageOf(DriveItem);

/** The drives to read, and known paths. */
interface View {
  readonly graph: Graph;
  readonly tree: DriveTree;
  readonly former: FormerPlaces;
}

/** Returns what changed in the account's drive or its libraries since the cursor. */
export async function changesSince(view: View, since: string | undefined, ask: CallOptions): Promise<Changes> {
  const { graph, tree } = view;
  const cursor = since === undefined ? undefined : readCursor(since);
  if (!cursor) return { cursor: JSON.stringify(await cursorOfNow(graph, tree, ask)), items: [], incomplete: since !== undefined };
  const answers = new Map<Followed, DriveChanges>();
  await inParallel(cursor.drives, width, async (followed) => void answers.set(followed, await driveChanges(view, followed, ask)));
  const drives = cursor.drives.map((followed) => ({ ...followed, link: answers.get(followed)?.link ?? followed.link }));
  const all = [...answers.values()];
  return {
    cursor: JSON.stringify({ drives, isPartial: cursor.isPartial } satisfies Cursor),
    items: all.flatMap(({ items }) => items),
    incomplete: cursor.isPartial || all.some(({ incomplete }) => incomplete),
  };
}

/** An unreadable cursor is treated as an expired one. */
function readCursor(text: string): Cursor | undefined {
  try {
    return parseJson(Cursor, text);
  } catch (error) {
    if (isKind(error, 'unexpected')) return undefined;
    throw error;
  }
}

async function cursorOfNow(graph: Graph, tree: DriveTree, ask: CallOptions): Promise<Cursor> {
  const bases = await basesUnder(tree, '/', ask);
  const drives: Followed[] = [];
  await inParallel(bases.slice(0, mostDrives), width, async ({ path, inside: { drive } }) => {
    drives.push({ path, drive, link: await linkOfNow(graph, drive, ask) });
  });
  return { drives, isPartial: bases.length > mostDrives };
}

async function linkOfNow(graph: Graph, drive: string, { signal }: CallOptions): Promise<string> {
  const url = `${addressOf({ drive, id: 'root' })}/delta(token='latest')`;
  for (let page = await graph.json(DeltaPage, { method: 'GET', url, query: { $select: changedFields }, signal }); ;) {
    const { '@odata.deltaLink': link, '@odata.nextLink': next } = page;
    if (link !== undefined || next === undefined) return graph.own(link ?? '');
    page = await graph.json(DeltaPage, { method: 'GET', url: graph.own(next), signal });
  }
}

interface DriveChanges {
  readonly link: string;
  readonly items: readonly Change[];
  readonly incomplete: boolean;
}

async function driveChanges(view: View, followed: Followed, ask: CallOptions): Promise<DriveChanges> {
  const { graph } = view;
  const { drive } = followed;
  /** An item may appear on several pages: the last one is current. */
  const changed = new Map<string, DriveItem>();
  let { link } = followed;
  for (let pages = 0; pages < mostPages; pages++) {
    const response = await graph.send({ method: 'GET', url: graph.own(link), signal: ask.signal, accepts: [410] });
    if (response.status === 410) {
      await response.discard();
      return { link: await linkOfNow(graph, drive, ask), items: [], incomplete: true };
    }
    const page = parseJson(DeltaPage, await response.text(answerLimit));
    for (const wire of page.value) changed.set(wire.id, wire);
    link = page['@odata.deltaLink'] ?? page['@odata.nextLink'] ?? link;
    if (page['@odata.deltaLink'] !== undefined || page['@odata.nextLink'] === undefined) break;
  }
  return { link, ...(await toChanges(view, followed, [...changed.values()], ask)) };
}

/** Maximum bytes of a page of changes. */
const answerLimit = 32 * 1024 * 1024;

async function toChanges({ graph, tree, former }: View, { path: base, drive }: Followed, wires: readonly DriveItem[], ask: CallOptions) {
  const places = createPlaces(graph, { path: base, inside: { drive, id: 'root' } }, ask);
  const items = new Map<string, Change>();
  let incomplete = false;
  const gone = (path: string) => {
    tree.forget(path);
    items.set(path, { path });
  };

  // Deletions first: another item may have taken the name.
  for (const wire of wires.filter(({ deleted }) => deleted)) {
    const known = [...tree.pathsOf(wire.id), ...former.take(wire.id)];
    const told = known.length > 0 ? undefined : await places.pathOf(wire);
    for (const path of told === undefined ? known : [told]) gone(path);
    if (known.length === 0 && told === undefined) incomplete = true;
  }
  for (const wire of wires.filter(({ deleted, root }) => !deleted && !root)) {
    const item = readItem(wire, drive);
    const path = item && (await places.pathOf(wire));
    // Skips items that are not shown, such as notebooks, and items in deleted folders, which the folder's deletion covers.
    if (!item || path === undefined) continue;
    for (const before of [...tree.pathsOf(wire.id), ...former.take(wire.id)]) if (before !== path) gone(before);
    items.set(path, { path, entry: tree.entryOf(path, item) });
  }
  return { items: [...items.values()], incomplete };
}
