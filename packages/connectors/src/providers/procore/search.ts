import type { CallOptions, Found } from '../../core/connector.ts';
import { type ItemTree, nameOfItem } from '../../kit/id-tree/item-tree.ts';
import { joinPath } from '../../kit/names/path.ts';
import { unlessForbidden } from '../../kit/rest/unless-forbidden.ts';
import { Documents, type Facts, OneFolder, type ProcoreItem, type Space, fileItem, folderItem, isShown } from './api.ts';
import { type ProcoreClient, placeOf, spaceUrl } from './client.ts';
import type { ProcoreSource } from './source.ts';

/** Maximum projects per search. */
const mostSpaces = 200;
/** Maximum depth of a found item. */
const mostLevels = 100;

interface Start {
  readonly path: string;
  readonly item: ProcoreItem;
}

/** Finds files and folders by name with Procore's search: in a folder, in a project, or in one project after another. */
export function createSearch(client: ProcoreClient, source: ProcoreSource, tree: ItemTree<Facts>) {
  return async function* search(folder: string, ask: CallOptions & { readonly query: string }): AsyncGenerator<readonly Found[]> {
    let left = mostSpaces;
    for await (const start of startsIn(folder, ask)) {
      if (left <= 0) return;
      left -= 1;
      yield* start.path === folder ? searchBelow(start, ask) : unlessForbidden(searchBelow(start, ask));
    }
  };

  /** Yields what Procore can search: the folder itself, or the spaces in it. */
  async function* startsIn(path: string, ask: CallOptions): AsyncGenerator<Start> {
    const item = await tree.folder(path, ask);
    if (item.facts.level === 'space' || item.facts.level === 'folder') return yield { path, item };
    for await (const batch of tree.list(path, ask))
      for (const { name } of batch) yield* unlessForbidden(startsIn(joinPath(path, name), ask));
  }

  async function* searchBelow({ path, item }: Start, ask: CallOptions & { readonly query: string }): AsyncGenerator<readonly Found[]> {
    const { space, level, number } = item.facts;
    const isFolder = level === 'folder';
    const paths = new Map<number, string | undefined>(isFolder ? [[number, path]] : []);
    const query = {
      'filters[search]': ask.query,
      'filters[is_in_recycle_bin]': false,
      ...(isFolder && { 'filters[folder_id]': number }),
    };
    const pages = source.pages(Documents, space.company, { url: `${spaceUrl(space, 'v1.0')}/documents`, query }, ask);
    for await (const page of pages) {
      const found: Found[] = [];
      for (const one of page.filter((document) => isShown(document) && document.id !== number)) {
        const within = await pathOf(one.parent_id ?? undefined, space, isFolder ? undefined : path, paths, ask);
        // A space's root folder is the space itself.
        if (within === undefined || typeof one.parent_id !== 'number') continue;
        const version = one.file?.current_version;
        const hit =
          one.document_type === 'folder' ? folderItem(one, space) : fileItem({ ...one, file_versions: version ? [version] : [] }, space);
        const place = joinPath(within, nameOfItem(hit.name));
        found.push({ path: place, entry: tree.learnt(place, hit) });
      }
      if (found.length > 0) yield found;
    }
  }

  /** Resolves a folder's path upwards; undefined outside the searched folder. `top` is the path of the space's root folder. */
  async function pathOf(
    id: number | undefined,
    space: Space,
    top: string | undefined,
    paths: Map<number, string | undefined>,
    ask: CallOptions,
  ): Promise<string | undefined> {
    const names: { readonly id: number; readonly name: string }[] = [];
    let base = top;
    for (let at = id; at !== undefined && names.length < mostLevels;) {
      if (paths.has(at)) {
        base = paths.get(at);
        break;
      }
      const { url, query } = placeOf(space, 'folders', at);
      const request = { method: 'GET', url, query: { ...query, exclude_folders: true, exclude_files: true }, signal: ask.signal };
      const folder = await client.json(OneFolder, space.company, request);
      if (typeof folder.parent_id !== 'number') {
        paths.set(at, top);
        break;
      }
      names.push({ id: at, name: nameOfItem(folder.name ?? '') });
      at = folder.parent_id;
    }
    for (const { id: one, name } of names.reverse()) {
      base = base === undefined ? undefined : joinPath(base, name);
      paths.set(one, base);
    }
    return base;
  }
}
