import type { Handler, SimulatedRequest } from '../kit/index.ts';
import { toFacts } from './facts.ts';
import { no } from './refusals.ts';
import type { BoxState, File, Item } from './state.ts';

const fieldsOf = ({ query }: SimulatedRequest): string | null => query.get('fields');

/** The trash, and earlier versions of files. */
export function trashRoutes(stateOf: (request: SimulatedRequest) => BoxState): Record<string, Handler> {
  const found = (request: SimulatedRequest, type: Item['type']): Item => stateOf(request).trashed(request.params[`${type}_id`] ?? '', type);

  const show =
    (type: Item['type']): Handler =>
    (request) => ({ json: toFacts(stateOf(request), found(request, type), fieldsOf(request)) });

  const restore =
    (type: Item['type']): Handler =>
    (request) => {
      const state = stateOf(request);
      const item = found(request, type);
      const { name = item.name, parent } = request.json<{ readonly name?: string; readonly parent?: { readonly id: string } }>();
      return { status: 201, json: toFacts(state, state.untrash(item, name, parent?.id), fieldsOf(request)) };
    };

  const purge =
    (type: Item['type']): Handler =>
    (request) => {
      stateOf(request).purge(found(request, type));
      return { status: 204 };
    };

  return {
    'GET /files/{file_id}/trash': show('file'),
    'GET /folders/{folder_id}/trash': show('folder'),
    'POST /files/{file_id}': restore('file'),
    'POST /folders/{folder_id}': restore('folder'),
    'DELETE /files/{file_id}/trash': purge('file'),
    'DELETE /folders/{folder_id}/trash': purge('folder'),
    'GET /folders/trash/items': (request) => {
      const state = stateOf(request);
      const [limit, offset] = [Number(request.query.get('limit') ?? 100), Number(request.query.get('offset') ?? 0)];
      const trashed = [...state.items.values()].filter((item) => item.trashed !== undefined);
      const newest = trashed.toSorted((one, other) => (other.trashed ?? 0) - (one.trashed ?? 0));
      const entries = newest.slice(offset, offset + limit).map((item) => toFacts(state, item, fieldsOf(request)));
      return { json: { total_count: trashed.length, entries, offset, limit } };
    },
    'GET /files/{file_id}/versions': (request) => {
      const state = stateOf(request);
      const file = state.find(request.params['file_id'] ?? '', 'file') as File;
      const [limit, offset] = [Number(request.query.get('limit') ?? 100), Number(request.query.get('offset') ?? 0)];
      // The present content is not one of them, and the newest comes first.
      const all = [...file.earlier].toReversed().map(([id, { content, modified }]) => ({
        type: 'file_version',
        id,
        sha1: content.hashes.sha1,
        name: file.name,
        size: content.size,
        modified_at: new Date(modified * 1000).toISOString(),
        trashed_at: null,
      }));
      return { json: { total_count: all.length, entries: all.slice(offset, offset + limit), offset, limit } };
    },
    'POST /files/{file_id}/versions/current': (request) => {
      const state = stateOf(request);
      const file = state.find(request.params['file_id'] ?? '', 'file') as File;
      const { id = '' } = request.json<{ readonly id?: string }>();
      const { content } = file.earlier.get(id) ?? {};
      if (!content) throw no(404, 'not_found');
      state.addVersion(file, content);
      return { status: 201, json: { type: 'file_version', id: file.version, sha1: content.hashes.sha1 } };
    },
  };
}
