import type { Handler, SimulatedRequest } from '../kit/index.ts';
import type { Finder } from './finding.ts';
import { type Sign, documentJson, fileJson, folderJson, invalid, no, versionJson } from './replies.ts';
import type { Node, State } from './state.ts';
import type { Uploads } from './uploads.ts';

const longestName = 255;
const mostPerPage = 2000;

interface Sent {
  readonly folder?: { readonly name?: string; readonly parent_id?: number };
  readonly file?: { readonly name?: string; readonly parent_id?: number; readonly upload_uuid?: string; readonly unique_name?: boolean };
  readonly file_version?: { readonly upload_uuid?: string };
}

/** Returns a page of a list, with Procore's total. */
export function paged<One>({ query, url, path }: SimulatedRequest, all: readonly One[], toJson: (one: One) => object) {
  const page = Number(query.get('page') ?? 1);
  const size = Number(query.get('per_page') ?? 100);
  if (page < 1 || size < 1 || size > mostPerPage) throw no(400, 'The page is out of bounds.');
  const link = (to: number, rel: string): string => {
    const next = new URLSearchParams(query);
    next.set('page', String(to));
    return `<${url(`${path}?${next.toString()}`)}>; rel="${rel}"`;
  };
  const last = Math.max(1, Math.ceil(all.length / size));
  const links = [
    ...(page < last ? [link(page + 1, 'next'), link(last, 'last')] : []),
    ...(page > 1 ? [link(1, 'first'), link(page - 1, 'prev')] : []),
  ];
  return {
    json: all.slice((page - 1) * size, page * size).map(toJson),
    headers: { total: String(all.length), 'per-page': String(size), ...(links.length > 0 && { link: links.join(', ') }) },
  };
}

/** Routes of folders, files and versions of projects and companies, and search. */
export function documentRoutes(
  state: State,
  find: Finder,
  uploads: Uploads,
  signFor: (request: SimulatedRequest) => Sign,
  trims: () => boolean,
): Record<string, Handler> {
  const living = (id: number): Node[] => state.childrenOf(id).filter(({ isDeleted }) => !isDeleted);

  const taken = (name: string | undefined): string => (trims() ? (name ?? '').trim() : (name ?? ''));

  function checkName(parent: Node, name: string, itself?: Node): void {
    if (name.trim() === '') throw invalid('name', "can't be blank");
    if (name.includes('/') || name.includes('\0')) throw invalid('name', 'is invalid');
    if (name.length > longestName) throw invalid('name', 'is too long (maximum is 255 characters)');
    if (living(parent.id).some((node) => node !== itself && node.name === name)) throw invalid('name', 'has already been taken');
  }

  function showFolder(request: SimulatedRequest, node: Node) {
    const { query } = request;
    const sign = signFor(request);
    const children = living(node.id);
    const folders = query.get('exclude_folders') === 'true' ? [] : children.filter(({ kind }) => kind === 'folder');
    const files = query.get('exclude_files') === 'true' ? [] : children.filter(({ kind }) => kind === 'file');
    return {
      json: folderJson(state, node, {
        folders: folders.map((one) => folderJson(state, one)),
        files: files.map((one) => fileJson(state, one, sign, true)),
      }),
    };
  }

  const createFolder: Handler = (request) => {
    const { folder = {} } = request.json<Sent>();
    const parent = find.parent(request, folder.parent_id);
    const name = taken(folder.name);
    checkName(parent, name);
    return { status: 201, json: folderJson(state, state.newNode('folder', parent.space, parent.id, name)) };
  };

  const createFile: Handler = (request) => {
    const { file = {} } = request.json<Sent>();
    const parent = find.parent(request, file.parent_id);
    const name = taken(file.name);
    checkName(parent, name);
    const content = uploads.take(request, find.space(request), file.upload_uuid ?? '');
    const made = state.newNode('file', parent.space, parent.id, name);
    state.addVersion(made, content);
    return { status: 201, json: fileJson(state, made, signFor(request)) };
  };

  const createVersion: Handler = (request) => {
    const { file_version: sent = {} } = request.json<Sent>();
    const node = find.node(request, 'file', Number(request.query.get('file_id')));
    const version = state.addVersion(node, uploads.take(request, find.space(request), sent.upload_uuid ?? ''));
    return { status: 201, json: versionJson(node, version, signFor(request)) };
  };

  function relocate(request: SimulatedRequest, node: Node, change: { readonly name?: string; readonly parent_id?: number }): void {
    const { root } = node.space();
    if (node === root || node.isBin) throw no(403, 'The folder stays as it is.');
    const parent = find.parent(request, change.parent_id ?? node.parent);
    for (let above: Node | undefined = parent; above; above = above.parent === undefined ? undefined : state.nodes.get(above.parent))
      if (above === node) throw invalid('parent_id', 'is inside the folder');
    const name = taken(change.name ?? node.name);
    checkName(parent, name, node);
    node.name = name;
    node.updated = new Date();
    state.put(node, parent.id);
  }

  const remove = (request: SimulatedRequest, kind: Node['kind']) => {
    const node = find.named(request, kind);
    const { root, bin } = node.space();
    if (node === root || node === bin) throw no(403, 'The folder stays as it is.');
    const mark = (one: Node): void => {
      one.isDeleted = true;
      for (const child of state.childrenOf(one.id)) mark(child);
    };
    mark(node);
    state.put(node, bin.id);
    return {};
  };

  function* below(id: number): Generator<Node> {
    for (const node of living(id))
      if (!node.isBin) {
        yield node;
        yield* below(node.id);
      }
  }

  const search: Handler = (request) => {
    const { query } = request;
    const space = find.space(request);
    const folder = query.get('filters[folder_id]');
    const top = folder === null ? space.root : find.node(request, 'folder', Number(folder));
    const text = (query.get('filters[search]') ?? '').toLowerCase();
    const hits = [top, ...below(top.id)].filter(({ name }) => name.toLowerCase().includes(text));
    return paged(request, hits, (node) => documentJson(state, node, signFor(request)));
  };

  /** Routes that are the same for projects and companies. */
  const both = (place: string): Record<string, Handler> => ({
    [`GET ${place}/folders`]: (request) => showFolder(request, find.space(request).root),
    [`POST ${place}/folders`]: createFolder,
    [`GET ${place}/folders/{id}`]: (request) => showFolder(request, find.named(request, 'folder')),
    [`PATCH ${place}/folders/{id}`]: (request) => {
      const node = find.named(request, 'folder');
      relocate(request, node, request.json<Sent>().folder ?? {});
      return { json: folderJson(state, node) };
    },
    [`DELETE ${place}/folders/{id}`]: (request) => remove(request, 'folder'),
    [`POST ${place}/files`]: createFile,
    [`GET ${place}/files/{id}`]: (request) => {
      const latestOnly = request.query.get('show_latest_version_only') === 'true';
      return { json: fileJson(state, find.named(request, 'file'), signFor(request), latestOnly) };
    },
    [`PATCH ${place}/files/{id}`]: (request) => {
      const node = find.named(request, 'file');
      relocate(request, node, request.json<Sent>().file ?? {});
      return { json: fileJson(state, node, signFor(request)) };
    },
    [`DELETE ${place}/files/{id}`]: (request) => remove(request, 'file'),
    [`POST ${place}/file_versions`]: createVersion,
  });

  return {
    ...both('/rest/v1.0'),
    ...both('/rest/v1.0/companies/{company_id}'),
    'GET /rest/v1.0/projects/{project_id}/documents': search,
    'GET /rest/v1.0/companies/{company_id}/documents': search,
  };
}
