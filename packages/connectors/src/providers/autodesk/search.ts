import type { CallOptions, Found } from '../../core/connector.ts';
import { type ItemTree, nameOfItem } from '../../kit/id-tree/item-tree.ts';
import { joinPath } from '../../kit/names/path.ts';
import { unlessForbidden } from '../../kit/rest/unless-forbidden.ts';
import { type AutodeskItem, type Facts, OneFolder, SearchPage, fileItem, isConstruction } from './api.ts';
import { type AutodeskClient, folderUrl } from './client.ts';
import { type AutodeskSource, numberedPages } from './source.ts';

/** Maximum number of folders listed per search to match folder names, which Autodesk's own search does not cover. */
const mostFolders = 400;
/** Concurrent folder requests. */
const width = 4;
/** Maximum pages of Autodesk's search below one folder; the API returns at most 49. */
const mostPages = 40;

interface Place {
  readonly path: string;
  readonly item: AutodeskItem;
}

/** Folder paths by id; undefined for a folder outside the searched one. */
type Paths = Map<string, Promise<string | undefined>>;

/**
 * Finds files by name with Autodesk's search, and folders by walking up to `mostFolders` of the tree. Autodesk's search is case-sensitive:
 * the query is sent as typed, in lower case, in upper case and capitalised.
 * https://aps.autodesk.com/en/docs/data/v2/reference/http/projects-project_id-folders-folder_id-search-GET/
 */
export function createSearch({ api }: AutodeskClient, source: AutodeskSource, tree: ItemTree<Facts>) {
  return async function* search(folder: string, ask: CallOptions & { readonly query: string }): AsyncGenerator<readonly Found[]> {
    const query = ask.query.toLowerCase();
    const fits = ({ name }: AutodeskItem): boolean => name.toLowerCase().includes(query);
    const paths: Paths = new Map();
    // Autodesk's search covers everything below a top folder or the searched folder itself.
    const isSearched = ({ item, path }: Place): boolean => item.facts.level === 'folder' && (item.facts.isTop || path === folder);

    let waiting: Place[] = [{ path: folder, item: await tree.folder(folder, ask) }];
    for (let asked = 0; waiting.length > 0 && asked < mostFolders; asked += width) {
      const now = waiting.splice(0, width);
      for (const { item, path } of now) paths.set(item.id, Promise.resolve(path));
      for (const place of now.filter(isSearched))
        for await (const files of place.path === folder ? filesBelow(place.item, ask) : unlessForbidden(filesBelow(place.item, ask))) {
          const hits = files.filter(({ item }) => fits(item)).map(({ item, parent }) => foundIn(parent, item, paths, ask));
          const found = (await Promise.all(hits)).flat();
          if (found.length > 0) yield found;
        }
      const inside = (await Promise.all(now.map((place) => foldersIn(place, place.path === folder, ask)))).flat();
      const hits = inside.filter(({ item }) => fits(item));
      if (hits.length > 0) yield await Promise.all(hits.map(({ item, within }) => shown(within, item, ask)));
      waiting = [...waiting, ...inside];
    }
  };

  /** Only Fusion Team has items of the same name; distinguishing them needs the folder's listing. */
  async function shown(within: string, item: AutodeskItem, ask: CallOptions): Promise<Found> {
    const plain = joinPath(within, nameOfItem(item.name));
    const path = isConstruction(item.facts) ? plain : await tree.placeIn(within, item, ask);
    return { path, entry: tree.learnt(path, item) };
  }

  async function foundIn(parent: string, item: AutodeskItem, paths: Paths, ask: CallOptions): Promise<Found[]> {
    const within = await pathOf(parent, item.facts, paths, ask);
    return within === undefined ? [] : [await shown(within, item, ask)];
  }

  async function foldersIn({ path, item }: Place, isStart: boolean, ask: CallOptions): Promise<(Place & { readonly within: string })[]> {
    const pages = source.children(item, ask, 'folders');
    const items = (await Array.fromAsync(isStart ? pages : unlessForbidden(pages))).flat();
    return items.map((child) => ({ item: child, path: joinPath(path, nameOfItem(child.name)), within: path }));
  }

  async function* filesBelow(top: AutodeskItem, { query, signal }: CallOptions & { readonly query: string }) {
    const capitalised = query.slice(0, 1).toUpperCase() + query.slice(1).toLowerCase();
    const spellings = new Set([query, query.toLowerCase(), query.toUpperCase(), capitalised]);
    const url = `${folderUrl(top.facts.project, top.id)}/search`;
    const filter = { 'filter[displayName]-contains': [...spellings].join(',') };
    const fetch = (page: number) => api.json(SearchPage, { method: 'GET', url, query: { ...filter, 'page[number]': page }, signal });
    for await (const { data = [], included = [] } of numberedPages({ signal }, fetch, mostPages)) {
      const versions = new Map(data.map((version) => [version.id, version]));
      yield included.flatMap((file) => {
        const parent = file.relationships.parent?.data?.id;
        if (parent === undefined || file.attributes.hidden === true) return [];
        return [{ parent, item: fileItem(file, versions.get(file.relationships.tip.data.id), top.facts) }];
      });
    }
  }

  /** Resolves a folder's path upwards until a folder with a known path is reached; each folder is requested once. */
  function pathOf(id: string, facts: Facts, paths: Paths, ask: CallOptions, below: readonly string[] = []): Promise<string | undefined> {
    if (below.includes(id)) return Promise.resolve(undefined);
    const known = paths.get(id);
    if (known) return known;
    const path = ascend(id, facts, paths, ask, [...below, id]);
    paths.set(id, path);
    return path;
  }

  async function ascend(id: string, facts: Facts, paths: Paths, ask: CallOptions, below: readonly string[]): Promise<string | undefined> {
    const { data } = await api.json(OneFolder, { method: 'GET', url: folderUrl(facts.project, id), signal: ask.signal });
    const parent = data.relationships?.parent?.data?.id;
    const base = parent === undefined ? undefined : await pathOf(parent, facts, paths, ask, below);
    return base === undefined ? undefined : joinPath(base, nameOfItem(data.attributes.displayName ?? data.attributes.name));
  }
}
