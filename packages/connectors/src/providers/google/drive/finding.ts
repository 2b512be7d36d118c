import type { CallOptions, Change, Changes, Found } from '../../../core/connector.ts';
import { ConnectorError } from '../../../core/error.ts';
import type { Hints } from '../../../core/hints/hints.ts';
import { inParallel } from '../../../kit/concurrency/parallel.ts';
import { nameOf, parentOf } from '../../../kit/names/path.ts';
import { parseJson } from '../../../kit/rest/json.ts';
import { ChangeList, type DriveFile, type DriveItem, StartToken, changeFields, quoted } from './api.ts';
import type { DriveClient } from './client.ts';
import { type Places, isBelow } from './places.ts';
import { type DriveSource, corpusOf } from './source.ts';
import { createChannels } from './watching/channels.ts';

/** Concurrent path lookups. */
const width = 6;
const changesPage = 1000;
const answerLimit = 32 * 1024 * 1024;

/** Searches names and contents. Drive cannot restrict a search to a subtree, so that other results are filtered out here. */
export async function* search(
  { source, places }: { readonly source: DriveSource; readonly places: Places },
  folder: string,
  { query, signal }: CallOptions & { readonly query: string },
): AsyncGenerator<readonly Found[]> {
  const ask = { signal };
  const { facts } = await places.tree.folder(folder, ask);
  const words = quoted(query);
  const isEverywhere = facts.place === 'drives' || (facts.place === 'root' && (await source.hasDrives(ask)));
  const where = isEverywhere ? { ...corpusOf(undefined), corpora: 'allDrives' } : corpusOf(facts.driveId);
  const pathOf = places.createFinder(ask);
  for await (const page of source.query(`(name contains ${words} or fullText contains ${words}) and trashed = false`, where, ask)) {
    const found: Found[] = [];
    await inParallel(page, width, async (item) => {
      const path = await pathOf(item);
      if (path !== undefined && isBelow(path, folder)) found.push({ path, entry: places.tree.entryOf(path, item) });
    });
    if (found.length > 0) yield found;
  }
}

/** Builds a cursor from Drive's page token and the time of the last response in epoch ms: older items had a path before. */
const cursorOf = (token: string, asOf: number): string => `${asOf}@${token}`;

/** Returns what changed since the cursor, or a cursor for now. */
export async function changes(client: DriveClient, places: Places, since: string | undefined, { signal }: CallOptions): Promise<Changes> {
  const [, time = '', start = ''] = /^(\d+)@(.+)$/.exec(since ?? '') ?? [];
  if (start === '') return { cursor: await cursorOfNow(client, { signal }), items: [], incomplete: since !== undefined };
  const changed = new Map<string, DriveFile | undefined>();
  let incomplete = false;
  let asOf = 0;
  for (let pageToken = start; ;) {
    const response = await client.api.send({
      method: 'GET',
      url: '/drive/v3/changes',
      query: {
        pageToken,
        pageSize: changesPage,
        includeRemoved: true,
        includeItemsFromAllDrives: true,
        supportsAllDrives: true,
        fields: changeFields,
      },
      signal,
      accepts: [400, 404, 410],
    });
    if (response.status >= 400) {
      await response.discard();
      return { cursor: await cursorOfNow(client, { signal }), items: [], incomplete: true };
    }
    asOf = timeOf(response.headers);
    const page = parseJson(ChangeList, await response.text(answerLimit));
    for (const { changeType, removed, fileId, file } of page.changes ?? []) {
      if (changeType === 'drive') incomplete = true;
      else if (fileId !== undefined) changed.set(fileId, removed ? undefined : file);
    }
    if (page.nextPageToken) {
      pageToken = page.nextPageToken;
      continue;
    }
    if (!page.newStartPageToken) throw new ConnectorError('unexpected', 'changes end without a place to go on');
    const told = await placed(client, places, changed, Number(time), { signal });
    return { cursor: cursorOf(page.newStartPageToken, asOf), items: told.items, incomplete: incomplete || told.incomplete };
  }
}

/** Returns a page token for changes from now on, and the current time in epoch ms. */
async function startToken({ api }: DriveClient, signal: AbortSignal): Promise<{ readonly token: string; readonly asOf: number }> {
  const query = { supportsAllDrives: true };
  const response = await api.send({ method: 'GET', url: '/drive/v3/changes/startPageToken', query, signal });
  const asOf = timeOf(response.headers);
  return { token: parseJson(StartToken, await response.text()).startPageToken, asOf };
}

async function cursorOfNow(client: DriveClient, { signal }: CallOptions): Promise<string> {
  const { token, asOf } = await startToken(client, signal);
  return cursorOf(token, asOf);
}

/** Subscribes to changes from now on. */
export const hintsOfChanges = (client: DriveClient): Hints =>
  createChannels(client, async (signal) => (await startToken(client, signal)).token);

/** Uses Google's clock, so that local clock skew does not matter. */
function timeOf(headers: Readonly<Record<string, string>>): number {
  const time = Date.parse(headers['date'] ?? '');
  return Number.isNaN(time) ? Date.now() : time;
}

/** The suffix that distinguishes items of one name: when one is added or removed, the displayed names of the others change. */
const mark = / \(~[0-9a-f]{8}\)/;

/**
 * Maps changed files to their old and new paths. An unknown old path or duplicates mark the result as incomplete. A file that is visible
 * through a shortcut to its folder has several paths and remains at those whose folder is still its parent.
 */
async function placed(
  client: DriveClient,
  { tree, createFinder }: Places,
  changed: ReadonlyMap<string, DriveFile | undefined>,
  since: number,
  ask: CallOptions,
): Promise<{ readonly items: Change[]; readonly incomplete: boolean }> {
  const before = new Map([...changed.keys()].map((id) => [id, tree.pathsOf(id)]));
  for (const paths of before.values()) for (const path of paths) tree.forget(path);
  const gone = new Set<string>();
  const there = new Map<string, Change>();
  let incomplete = false;
  const pathOf = createFinder(ask);

  const isStillAt = async (old: string, path: string, { facts }: DriveItem): Promise<boolean> =>
    old === path || (nameOf(old) === nameOf(path) && (await tree.findIfThere(parentOf(old), ask))?.facts.target === facts.parent);

  await inParallel(changed, width, async ([id, file]) => {
    const old = before.get(id) ?? [];
    const [item] = file ? await client.items([file], ask) : [];
    const path = item && (await pathOf(item));
    const isThere = item && !item.facts.isTrashed && path !== undefined;
    if (path !== undefined && !isThere) tree.forget(path);
    for (const place of old)
      if (isThere && (await isStillAt(place, path, item))) there.set(place, { path: place, entry: tree.entryOf(place, item) });
      else gone.add(place);
    if (isThere) there.set(path, { path, entry: tree.entryOf(path, item) });
    else if (old.length === 0 && path !== undefined) gone.add(path);
    const isNew = Date.parse(file?.createdTime ?? '') >= since;
    const isLost = old.length === 0 && !isNew && (isThere || item === undefined);
    if (isLost || [...old, path ?? ''].some((place) => mark.test(nameOf(place)))) incomplete = true;
  });
  // When two changes concern one path, the item that exists now wins.
  const items = [...gone].flatMap((path) => (there.has(path) ? [] : [{ path }]));
  return { items: [...items, ...there.values()], incomplete };
}
