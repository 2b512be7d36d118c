import type { Handler, Reply, SimulatedRequest } from '../kit/index.ts';
import { document, folderJson, itemJson, no, versionJson } from './replies.ts';
import type { Node, Project, State } from './state.ts';

const pageSize = 200;
/** Maximum pages of a search. */
const mostSearchPages = 49;

/** Finds the node of a path, for a user with access. */
export function createFinder(state: State) {
  function project({ params, account }: SimulatedRequest): Project {
    const found = state.projects.get(params['project_id'] ?? '');
    if (!found) throw no(404, 'NOT_FOUND', 'The project does not exist.');
    if (!state.hubs.get(found.hub)?.members.has(account.email)) throw no(403, 'FORBIDDEN', 'The user has no access to the project.');
    return found;
  }

  function node(request: SimulatedRequest, kind: Node['kind'], id: string): Node {
    const found = state.nodes.get(id);
    if (!found || found.kind !== kind || found.project !== project(request)) throw no(404, 'NOT_FOUND', 'The resource does not exist.');
    return found;
  }

  function isReachable({ hidden, parent, isTop }: Node): boolean {
    if (hidden) return false;
    const above = parent === undefined || isTop ? undefined : state.nodes.get(parent);
    return above ? isReachable(above) : true;
  }

  return {
    project,
    node,
    /** Returns a node that is neither deleted nor inside something deleted. */
    living(request: SimulatedRequest, kind: Node['kind'], id: string): Node {
      const found = node(request, kind, id);
      if (!isReachable(found)) throw no(404, 'NOT_FOUND', 'The resource was deleted.');
      return found;
    },
  };
}
export type Finder = ReturnType<typeof createFinder>;

/** Returns a page of a list, with the URL of the next one. */
function paged<One>(
  request: SimulatedRequest,
  all: readonly One[],
  most = pageSize,
): { readonly page: readonly One[]; readonly links: object } {
  const { query, url, path } = request;
  const number = Number(query.get('page[number]') ?? 0);
  const limit = Number(query.get('page[limit]') ?? most);
  if (number < 0 || limit < 1 || limit > most) throw no(400, 'BAD_INPUT', 'The page is out of bounds.');
  const link = (page: number) => {
    const next = new URLSearchParams(query);
    next.set('page[number]', String(page));
    return { href: url(`${path}?${next.toString()}`) };
  };
  const page = all.slice(number * limit, (number + 1) * limit);
  return { page, links: { self: link(number), first: link(0), ...((number + 1) * limit < all.length && { next: link(number + 1) }) } };
}

/** Listing routes: hubs, projects, folders, and search. */
export function readingRoutes(
  state: State,
  find: Finder,
): { readonly above: Record<string, Handler>; readonly below: Record<string, Handler> } {
  const countOf = ({ id }: Node): number => state.visibleIn(id).length;

  function hub({ params, account }: SimulatedRequest) {
    const found = state.hubs.get(params['hub_id'] ?? '');
    if (!found) throw no(404, 'NOT_FOUND', 'The hub does not exist.');
    if (!found.members.has(account.email)) throw no(403, 'FORBIDDEN', 'The user has no access to the hub.');
    return found;
  }

  const hubs: Handler = ({ account, url, path }): Reply => {
    const seen = [...state.hubs.values()].filter(({ members }) => members.has(account.email));
    const data = seen.map(({ id, name }) => ({
      type: 'hubs',
      id,
      attributes: { name, region: 'US' },
      links: { self: { href: url(`${path}/${id}`) } },
    }));
    return { json: { jsonapi: { version: '1.0' }, links: { self: { href: url(path) } }, data } };
  };

  const projects: Handler = (request) => {
    const { id } = hub(request);
    const { page, links } = paged(
      request,
      [...state.projects.values()].filter((project) => project.hub === id),
    );
    const data = page.map(({ id: project, name }) => ({
      type: 'projects',
      id: project,
      attributes: { name },
      links: { self: { href: request.url(`${request.path}/${project}`) } },
    }));
    return { json: { jsonapi: { version: '1.0' }, links, data } };
  };

  const topFolders: Handler = (request) => {
    hub(request);
    const { id } = find.project(request);
    const data = state.visibleIn(id).map((node) => folderJson(node, countOf(node), request.url));
    return { json: document(request.url, request.path, data) };
  };

  const folder: Handler = (request) => {
    const node = find.node(request, 'folders', request.params['folder_id'] ?? '');
    return { json: document(request.url, request.path, folderJson(node, countOf(node), request.url)) };
  };

  const item: Handler = (request) => {
    const node = find.living(request, 'items', request.params['item_id'] ?? '');
    const included = node.versions.slice(-1).map((version) => versionJson(node, version, request.url));
    return { json: document(request.url, request.path, itemJson(node, request.url), { included }) };
  };

  const contents: Handler = (request) => {
    const { url, query } = request;
    const node = find.living(request, 'folders', request.params['folder_id'] ?? '');
    const only = query.getAll('filter[type]');
    const all = (query.get('includeHidden') === 'true' ? state.childrenOf(node.id) : state.visibleIn(node.id)).filter(
      ({ kind }) => only.length === 0 || only.includes(kind),
    );
    const { page, links } = paged(request, all);
    const data = page.map((one) => (one.kind === 'folders' ? folderJson(one, countOf(one), url) : itemJson(one, url)));
    const included = page.flatMap((one) => one.versions.slice(-1).map((version) => versionJson(one, version, url)));
    return { json: { jsonapi: { version: '1.0' }, links, data, included } };
  };

  function* itemsBelow(id: string): Generator<Node> {
    for (const node of state.visibleIn(id))
      if (node.kind === 'items') yield node;
      else yield* itemsBelow(node.id);
  }

  const search: Handler = (request) => {
    const { url, query } = request;
    const top = find.living(request, 'folders', request.params['folder_id'] ?? '');
    if (Number(query.get('page[number]') ?? 0) > mostSearchPages) throw no(400, 'BAD_INPUT', 'Too many pages.');
    // Case-sensitive; several values are alternatives.
    const wanted = query.get('filter[displayName]-contains')?.split(',') ?? [''];
    const all = [...itemsBelow(top.id)].filter(({ name }) => wanted.some((text) => name.includes(text)));
    const { page, links } = paged(request, all);
    const data = page.flatMap((node) => node.versions.slice(-1).map((version) => versionJson(node, version, url)));
    return { json: { jsonapi: { version: '1.0' }, links, data, included: page.map((node) => itemJson(node, url)) } };
  };

  return {
    above: {
      'GET /project/v1/hubs': hubs,
      'GET /project/v1/hubs/{hub_id}/projects': projects,
      'GET /project/v1/hubs/{hub_id}/projects/{project_id}/topFolders': topFolders,
    },
    below: {
      'GET /data/v1/projects/{project_id}/folders/{folder_id}': folder,
      'GET /data/v1/projects/{project_id}/folders/{folder_id}/contents': contents,
      'GET /data/v1/projects/{project_id}/folders/{folder_id}/search': search,
      'GET /data/v1/projects/{project_id}/items/{item_id}': item,
    },
  };
}
