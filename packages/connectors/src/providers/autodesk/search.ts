import type { Ask, Found } from '../../core/connector.ts';
import { type ItemTree, nameOfItem } from '../../kit/item-tree.ts';
import { joinPath } from '../../kit/path.ts';
import { type AutodeskItem, type Facts, OneFolder, SearchPage, fileItem, isConstruction } from './api.ts';
import { type AutodeskClient, folderUrl } from './client.ts';
import { type AutodeskSource, numberedPages } from './source.ts';

/** Folders that one search looks into for folders of a fitting name, which Autodesk's own search does not find. */
const mostFolders = 400;
/** Folders asked at once. */
const width = 4;
/** Folders between a file that was found and the folder of the search. */
const mostLevels = 30;

interface Place {
  readonly path: string;
  readonly item: AutodeskItem;
}

/**
 * Files whose names hold the query, as Autodesk's search finds them, and folders, for which the tree is walked as far as `mostFolders` reach. Autodesk heeds
 * capitals: the query is asked as it is, in small letters, in capitals and capitalised.
 * https://aps.autodesk.com/en/docs/data/v2/reference/http/projects-project_id-folders-folder_id-search-GET/
 */
export function createSearch({ api }: AutodeskClient, source: AutodeskSource, tree: ItemTree<Facts>) {
  return async function* search(folder: string, ask: Ask & { readonly query: string }): AsyncGenerator<readonly Found[]> {
    const query = ask.query.toLowerCase();
    const fits = ({ name }: AutodeskItem): boolean => name.toLowerCase().includes(query);
    const paths = new Map<string, string>();
    const start = { path: folder, item: await tree.folder(folder, ask) };
    const tops: Place[] = [];
    let waiting: Place[] = [start];
    for (let asked = 0; waiting.length > 0 && asked < mostFolders;) {
      const now = waiting.splice(0, width);
      asked += now.length;
      const inside = (await Promise.all(now.map((place) => foldersIn(place, ask)))).flat();
      for (const place of [...now, ...inside]) paths.set(place.item.id, place.path);
      // Below a top folder, or the folder of the search itself, Autodesk searches by itself.
      tops.push(...now.filter(({ item, path }) => item.facts.level === 'folder' && (item.facts.isTop || path === folder)));
      const hits = inside.filter(({ item }) => fits(item));
      if (hits.length > 0) yield await Promise.all(hits.map(({ item, within }) => found(within, item, ask)));
      waiting = [...waiting, ...inside];
    }

    for (const top of tops)
      for await (const items of filesBelow(top.item, ask)) {
        const hits = await Promise.all(
          items
            .filter(({ item }) => fits(item))
            .map(async ({ item, parent }) => {
              const within = await pathOf(parent, item.facts, paths, ask);
              return within === undefined ? [] : [await found(within, item, ask)];
            }),
        );
        if (hits.flat().length > 0) yield hits.flat();
      }
  };

  /** Only Fusion Team has twins, which are told apart by looking at the folder. */
  async function found(within: string, item: AutodeskItem, ask: Ask): Promise<Found> {
    const plain = joinPath(within, nameOfItem(item.name));
    const path = isConstruction(item.facts) ? plain : await tree.placeIn(within, item, ask);
    return { path, entry: tree.learnt(path, item) };
  }

  async function foldersIn({ path, item }: Place, ask: Ask): Promise<(Place & { readonly within: string })[]> {
    const items = (await Array.fromAsync(source.children(item, ask, 'folders'))).flat();
    return items.map((child) => ({ item: child, path: joinPath(path, nameOfItem(child.name)), within: path }));
  }

  async function* filesBelow(top: AutodeskItem, { query, signal }: Ask & { readonly query: string }) {
    const spellings = new Set([
      query,
      query.toLowerCase(),
      query.toUpperCase(),
      query.slice(0, 1).toUpperCase() + query.slice(1).toLowerCase(),
    ]);
    const url = `${folderUrl(top.facts.project, top.id)}/search`;
    const filter = { 'filter[displayName]-contains': [...spellings].join(',') };
    const pages = numberedPages((page) => api.json(SearchPage, { method: 'GET', url, query: { ...filter, 'page[number]': page }, signal }));
    for await (const { data = [], included = [] } of pages) {
      const versions = new Map(data.map((version) => [version.id, version]));
      yield included.flatMap((file) => {
        const parent = file.relationships.parent?.data?.id;
        if (parent === undefined || file.attributes.hidden === true) return [];
        return [{ parent, item: fileItem(file, versions.get(file.relationships.tip.data.id), top.facts) }];
      });
    }
  }

  /** Where a folder lies, asked upwards until a folder of the search is met; undefined for one that lies elsewhere. */
  async function pathOf(id: string, facts: Facts, paths: Map<string, string>, { signal }: Ask): Promise<string | undefined> {
    const names: string[] = [];
    for (let at = id; names.length < mostLevels;) {
      const known = paths.get(at);
      if (known !== undefined) return names.reduceRight(joinPath, known);
      const { data } = await api.json(OneFolder, { method: 'GET', url: folderUrl(facts.project, at), signal });
      const parent = data.relationships?.parent?.data?.id;
      if (parent === undefined) return undefined;
      names.push(nameOfItem(data.attributes.displayName ?? data.attributes.name));
      at = parent;
    }
    return undefined;
  }
}
