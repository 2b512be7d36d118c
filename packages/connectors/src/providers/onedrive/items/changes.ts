import { type Static, Type } from 'typebox';
import type { Ask, Change, Changes } from '../../../core/connector.ts';
import { isKind } from '../../../core/error.ts';
import { inParallel } from '../../../kit/concurrency/parallel.ts';
import { parseJson } from '../../../kit/rest/json.ts';
import type { Graph } from '../account/client.ts';
import { DriveItem, addressOf, changedFields, pageOf, readItem } from '../api.ts';
import type { FormerPlaces } from './former-places.ts';
import type { DriveTree } from './items.ts';
import { basesUnder, createPlaces } from './places.ts';

/** Where the changes of each drive go on, and whether there are drives that are not asked. */
const Cursor = Type.Object({
  drives: Type.Array(Type.Object({ path: Type.String(), drive: Type.String(), link: Type.String() })),
  isPartial: Type.Boolean(),
});
type Cursor = Static<typeof Cursor>;
type Followed = Cursor['drives'][number];

/** Drives of one link whose changes are asked for; more would make each question slow. */
const mostDrives = 40;
/** Drives that are asked at the same time. */
const width = 4;
/** Pages of one drive that are read for one question; the rest comes with the next. */
const mostPages = 20;

const DeltaPage = pageOf(DriveItem);

/** What is asked, and what is known of its places. */
interface View {
  readonly graph: Graph;
  readonly tree: DriveTree;
  readonly former: FormerPlaces;
}

/** What has changed in the account's drive, or in its libraries, since the cursor was given. */
export async function changesSince(view: View, since: string | undefined, ask: Ask): Promise<Changes> {
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

/** A cursor that cannot be read is as good as one that is too old. */
function readCursor(text: string): Cursor | undefined {
  try {
    return parseJson(Cursor, text);
  } catch (error) {
    if (isKind(error, 'unexpected')) return undefined;
    throw error;
  }
}

async function cursorOfNow(graph: Graph, tree: DriveTree, ask: Ask): Promise<Cursor> {
  const bases = await basesUnder(tree, '/', ask);
  const drives: Followed[] = [];
  await inParallel(bases.slice(0, mostDrives), width, async ({ path, inside: { drive } }) => {
    drives.push({ path, drive, link: await linkOfNow(graph, drive, ask) });
  });
  return { drives, isPartial: bases.length > mostDrives };
}

async function linkOfNow(graph: Graph, drive: string, { signal }: Ask): Promise<string> {
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

async function driveChanges(view: View, followed: Followed, ask: Ask): Promise<DriveChanges> {
  const { graph } = view;
  const { drive } = followed;
  /** An item may come on several pages: the last tells how it is. */
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

/** Bytes of a page of changes. */
const answerLimit = 32 * 1024 * 1024;

async function toChanges({ graph, tree, former }: View, { path: base, drive }: Followed, wires: readonly DriveItem[], ask: Ask) {
  const places = createPlaces(graph, { path: base, inside: { drive, id: 'root' } }, ask);
  const items = new Map<string, Change>();
  let incomplete = false;
  const gone = (path: string) => {
    tree.forget(path);
    items.set(path, { path });
  };

  // First what has gone: another item may have the name now.
  for (const wire of wires.filter(({ deleted }) => deleted)) {
    const known = [...tree.pathsOf(wire.id), ...former.take(wire.id)];
    const told = known.length > 0 ? undefined : await places.pathOf(wire);
    for (const path of told === undefined ? known : [told]) gone(path);
    if (known.length === 0 && told === undefined) incomplete = true;
  }
  for (const wire of wires.filter(({ deleted, root }) => !deleted && !root)) {
    const item = readItem(wire, drive);
    const path = item && (await places.pathOf(wire));
    // A notebook is not shown; what lies in a folder that is gone by now is told with the folder.
    if (!item || path === undefined) continue;
    for (const before of [...tree.pathsOf(wire.id), ...former.take(wire.id)]) if (before !== path) gone(before);
    items.set(path, { path, entry: tree.entryOf(path, item) });
  }
  return { items: [...items.values()], incomplete };
}
