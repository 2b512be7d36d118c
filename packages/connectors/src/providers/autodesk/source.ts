import type { Static, TSchema } from 'typebox';
import type { CallOptions } from '../../core/connector.ts';
import type { ItemSource } from '../../kit/id-tree/item-tree.ts';
import { pagesInParallel } from '../../kit/rest/paging.ts';
import { type AutodeskItem, Contents, type Facts, Places, TopFolders, fileItem, folderItem, placeItem } from './api.ts';
import { type AutodeskClient, folderUrl, part } from './client.ts';

/** Autodesk's maximum page size. */
const pageSize = 200;
/** Concurrent page requests, once a folder has more than one page. */
const width = 4;

export const rootItem: AutodeskItem = {
  id: 'root',
  name: '',
  kind: 'folder',
  entry: {},
  facts: { level: 'root', hub: '', project: '', isTop: true },
};

interface Paged {
  readonly links?: { readonly next?: object };
}

/** Requests pages by number, from 0, at most `most`. The total is unknown, so that a few requests go past the last page. */
export async function* numberedPages<Page extends Paged>(
  ask: CallOptions,
  fetch: (page: number) => Promise<Page>,
  most: number = Number.POSITIVE_INFINITY,
): AsyncGenerator<Page> {
  const first = await fetch(0);
  yield first;
  if (!first.links?.next) return;
  for await (const page of pagesInParallel(most - 1, width, ask, (number) => fetch(number + 1))) {
    yield page;
    if (!page.links?.next) return;
  }
}

/** Hubs, projects, top folders and their contents, as the source of an id tree. */
export function createAutodeskSource({ api }: AutodeskClient) {
  const get = <S extends TSchema>(
    schema: S,
    url: string,
    query: Readonly<Record<string, string | number | boolean>>,
    { signal }: CallOptions,
  ) => api.json(schema, { method: 'GET', url, query, signal });

  async function* hubs(ask: CallOptions): AsyncGenerator<AutodeskItem[]> {
    const { data = [] } = await get(Places, '/project/v1/hubs', {}, ask);
    if (data.length > 0) yield data.map((hub) => placeItem('hub', hub, hub.id));
  }

  async function* projects({ hub }: Facts, ask: CallOptions): AsyncGenerator<AutodeskItem[]> {
    const url = `/project/v1/hubs/${part(hub)}/projects`;
    const pages = numberedPages(ask, (page) => get(Places, url, { 'page[number]': page, 'page[limit]': pageSize }, ask));
    for await (const { data = [] } of pages) if (data.length > 0) yield data.map((project) => placeItem('project', project, hub));
  }

  async function* topFolders(facts: Facts, ask: CallOptions): AsyncGenerator<AutodeskItem[]> {
    const url = `/project/v1/hubs/${part(facts.hub)}/projects/${part(facts.project)}/topFolders`;
    const { data = [] } = await get(TopFolders, url, { excludeDeleted: true }, ask);
    const shown = data.filter(({ attributes }) => attributes.hidden !== true);
    if (shown.length > 0) yield shown.map((folder) => folderItem(folder, facts, true));
  }

  /** `only` omits files. */
  async function* contents({ id, facts }: AutodeskItem, ask: CallOptions, only?: 'folders'): AsyncGenerator<AutodeskItem[]> {
    const query = { 'page[limit]': pageSize, ...(only && { 'filter[type]': only }) };
    const url = `${folderUrl(facts.project, id)}/contents`;
    // An item that moves between pages during the listing appears twice.
    const seen = new Set<string>();
    for await (const page of numberedPages(ask, (number) => get(Contents, url, { 'page[number]': number, ...query }, ask))) {
      const items = toItems(page, facts).filter((item) => !seen.has(item.id));
      for (const item of items) seen.add(item.id);
      if (items.length > 0) yield items;
    }
  }

  function children(folder: AutodeskItem, ask: CallOptions, only?: 'folders'): AsyncGenerator<AutodeskItem[]> {
    const { level } = folder.facts;
    if (level === 'root') return hubs(ask);
    if (level === 'hub') return projects(folder.facts, ask);
    return level === 'project' ? topFolders(folder.facts, ask) : contents(folder, ask, only);
  }
  // Fusion Team allows two files of the same name.
  return { root: rootItem, children, duplicates: 'anywhere' } as const satisfies ItemSource<Facts> & { children: typeof children };
}
export type AutodeskSource = ReturnType<typeof createAutodeskSource>;

function toItems({ data = [], included = [] }: Static<typeof Contents>, facts: Facts): AutodeskItem[] {
  const versions = new Map(included.map((version) => [version.id, version]));
  return data
    .filter(({ attributes }) => attributes.hidden !== true)
    .map((one) => (one.type === 'folders' ? folderItem(one, facts) : fileItem(one, versions.get(one.relationships.tip.data.id), facts)));
}
