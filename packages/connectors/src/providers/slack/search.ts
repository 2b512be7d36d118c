import type { CallOptions, Found } from '../../core/connector.ts';
import { inParallel } from '../../kit/concurrency/parallel.ts';
import type { ItemTree } from '../../kit/id-tree/item-tree.ts';
import { FoundFiles, type SlackFacts, type SlackFile, type SlackItem, isThere, placesOf, toItem } from './api.ts';
import type { SlackClient } from './client.ts';
import { looseFolder } from './conversations.ts';

/** Maximum page size and number of pages: the best matches come first. */
const pageSize = 100;
const mostPages = 5;
/** Concurrent listings of conversations, which give the displayed names of found files. */
const width = 4;

interface Options {
  readonly client: SlackClient;
  readonly tree: ItemTree<SlackFacts>;
  readonly root: SlackItem;
  /** Returns the cached conversations. */
  readonly conversations: (ask: CallOptions) => Promise<readonly SlackItem[]>;
}

/** Searches names and contents of files with Slack's search, and names of conversations. */
export function createSearch({ client, tree, root, conversations }: Options) {
  const foundAt = async (folder: string, item: SlackItem, ask: CallOptions): Promise<Found> => {
    const path = await tree.placeIn(folder, item, ask);
    return { path, entry: tree.entryOf(path, item) };
  };

  return async function* search(folder: string, ask: CallOptions & { readonly query: string }): AsyncGenerator<readonly Found[]> {
    const start = await tree.folder(folder, ask);
    const isWhole = start.id === root.id;
    const places = isWhole ? await conversations(ask) : [start];
    const query = ask.query.toLowerCase();
    const named = isWhole ? places.filter(({ name }) => name.toLowerCase().includes(query)) : [];
    if (named.length > 0) yield await Promise.all(named.map((item) => foundAt(folder, item, ask)));
    const files = await matches(client, ask);
    const rows: Found[] = [];
    await inParallel(places, width, async (place) => {
      const here = files.filter((file) => isIn(file, place.id));
      if (here.length === 0) return;
      const path = isWhole ? await tree.placeIn(folder, place, ask) : folder;
      for (const file of here) rows.push(await foundAt(path, toItem(file), ask));
    });
    if (rows.length > 0) yield rows;
  };
}

async function matches(client: SlackClient, { query, signal }: CallOptions & { readonly query: string }): Promise<SlackFile[]> {
  const files = new Map<string, SlackFile>();
  for (let page = 1, pages = 1; page <= Math.min(pages, mostPages); page += 1) {
    const answer = await client.call(FoundFiles, { name: 'search.files', query: { query, count: pageSize, page }, signal });
    for (const file of answer.files.matches) files.set(file.id, file);
    pages = answer.files.paging?.pages ?? 1;
  }
  return [...files.values()].filter(isThere);
}

function isIn(file: SlackFile, place: string): boolean {
  const places = placesOf(file);
  return places.length === 0 ? place === looseFolder.id : places.includes(place);
}
