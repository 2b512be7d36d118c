import type { Handler, SimulatedRequest } from '../kit/index.ts';
import { toFacts } from './facts.ts';
import { no } from './refusals.ts';
import { type BoxState, type Item, rootId } from './state.ts';

interface Change {
  readonly name?: string;
  readonly parent?: { readonly id: string };
}

/** Larger offsets are refused; markers have no limit. */
const mostOffset = 10_000;

const fieldsOf = ({ query }: SimulatedRequest): string | null => query.get('fields');

/** Files and folders by id: metadata, changes, copies, trash, and folder items. Of `all` accounts those files can be copied that are shared. */
export function itemRoutes(stateOf: (request: SimulatedRequest) => BoxState, all: readonly BoxState[]): Record<string, Handler> {
  const found = (request: SimulatedRequest, type: Item['type']): Item => stateOf(request).find(request.params[`${type}_id`] ?? '', type);

  /** Refuses a change with an outdated etag. */
  function checkEtag({ headers }: SimulatedRequest, { etag }: Item): void {
    const asked = headers['if-match'];
    if (asked !== undefined && asked !== String(etag)) throw no(412, 'precondition_failed');
  }

  const sharedWith = (account: string, id: string): Item | undefined =>
    all.flatMap(({ items }) => items.get(id) ?? []).find((item) => item.type === 'file' && item.readers?.includes(account));

  const show =
    (type: Item['type']): Handler =>
    (request) => ({ json: toFacts(stateOf(request), found(request, type), fieldsOf(request)) });

  const change =
    (type: Item['type']): Handler =>
    (request) => {
      const state = stateOf(request);
      const item = found(request, type);
      checkEtag(request, item);
      const { name, parent } = request.json<Change>();
      if (item.id === rootId) throw no(403, 'access_denied_insufficient_permissions');
      const into = parent && state.find(parent.id, 'folder');
      if (into && [into, ...state.above(into)].includes(item as typeof into)) throw no(409, 'cyclical_folder_structure');
      return { json: toFacts(state, state.change(item, { name, parent: into?.id }), fieldsOf(request)) };
    };

  const copy =
    (type: Item['type']): Handler =>
    (request) => {
      const state = stateOf(request);
      const item = sharedWith(request.account.id, request.params[`${type}_id`] ?? '') ?? found(request, type);
      const { name = item.name, parent } = request.json<Change>();
      const into = state.find(parent?.id ?? '', 'folder');
      if ([into, ...state.above(into)].some(({ id }) => id === item.id)) throw no(409, 'cyclical_folder_structure');
      return { status: 201, json: toFacts(state, state.copy(item, into.id, name), fieldsOf(request)) };
    };

  const remove =
    (type: Item['type']): Handler =>
    (request) => {
      const state = stateOf(request);
      const item = found(request, type);
      checkEtag(request, item);
      if (item.id === rootId) throw no(403, 'access_denied_insufficient_permissions');
      const isFull = type === 'folder' && state.childrenOf(item.id).length > 0;
      if (isFull && request.query.get('recursive') !== 'true') throw no(400, 'folder_not_empty');
      state.trash(item);
      return { status: 204 };
    };

  const list: Handler = (request) => {
    const { query } = request;
    const state = stateOf(request);
    const folder = found(request, 'folder');
    const limit = Math.min(Number(query.get('limit') ?? 100), 1000);
    const items = state.childrenOf(folder.id);
    const shown = (part: readonly Item[]) => part.map((item) => toFacts(state, item, fieldsOf(request)));
    if (query.get('usemarker') === 'true') {
      const after = Number(Buffer.from(query.get('marker') ?? '', 'base64url').toString('utf8') || -1);
      const rest = items.filter(({ id }) => Number(id) > after).sort((a, b) => Number(a.id) - Number(b.id));
      const part = rest.slice(0, limit);
      const next = rest.length > limit ? Buffer.from(part.at(-1)?.id ?? '').toString('base64url') : null;
      return { json: { entries: shown(part), limit, next_marker: next } };
    }
    const offset = Number(query.get('offset') ?? 0);
    if (offset > mostOffset) throw no(400, 'bad_request');
    const order = (a: Item, b: Item) => b.type.localeCompare(a.type) || a.name.localeCompare(b.name) || Number(a.id) - Number(b.id);
    const part = items.sort(order).slice(offset, offset + limit);
    return { json: { total_count: items.length, entries: shown(part), offset, limit, order: [{ by: 'type', direction: 'ASC' }] } };
  };

  return {
    'GET /files/{file_id}': show('file'),
    'PUT /files/{file_id}': change('file'),
    'DELETE /files/{file_id}': remove('file'),
    'POST /files/{file_id}/copy': copy('file'),
    'GET /folders/{folder_id}': show('folder'),
    'PUT /folders/{folder_id}': change('folder'),
    'DELETE /folders/{folder_id}': remove('folder'),
    'POST /folders/{folder_id}/copy': copy('folder'),
    'GET /folders/{folder_id}/items': list,
    'POST /folders': (request) => {
      const state = stateOf(request);
      const { name, parent } = request.json<{ readonly name: string; readonly parent: { readonly id: string } }>();
      return { status: 201, json: toFacts(state, state.makeFolder(parent.id, name), fieldsOf(request)) };
    },
  };
}
