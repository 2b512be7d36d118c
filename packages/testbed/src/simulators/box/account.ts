import type { Handler, SimulatedRequest } from '../kit/index.ts';
import { timeText, toFacts } from './facts.ts';
import { no } from './refusals.ts';
import type { BoxState } from './state.ts';

/** Stream positions exceed JavaScript's safe integers. */
const firstPosition = 1_152_922_976_252_290_000n;

/** Routes of the user, search, and events. */
export function accountRoutes(
  stateOf: (request: SimulatedRequest) => BoxState,
  limits: { readonly quota: number },
): Record<string, Handler> {
  return {
    'GET /users/me': (request) => {
      const { account, query } = request;
      const all: Readonly<Record<string, unknown>> = {
        name: account.name,
        login: account.email,
        space_amount: limits.quota,
        space_used: stateOf(request).used(),
        max_upload_size: 5_368_709_120,
      };
      const wanted = query.get('fields')?.split(',');
      const shown = Object.entries(all).filter(([name]) => wanted?.includes(name) ?? true);
      return { json: { type: 'user', id: account.id, ...Object.fromEntries(shown) } };
    },
    'GET /search': (request) => {
      const { query } = request;
      const state = stateOf(request);
      const words = (query.get('query') ?? '')
        .toLowerCase()
        .split(/\s+/)
        .filter((word) => word !== '');
      if (words.length === 0) throw no(400, 'bad_request');
      const ancestors = query.get('ancestor_folder_ids')?.split(',');
      const found = [...state.items.values()].filter((item) => {
        if (item.parent === '' || state.isTrashed(item)) return false;
        const isBelow = !ancestors || state.above(item).some(({ id }) => ancestors.includes(id));
        return isBelow && words.every((word) => ` ${item.name.toLowerCase()}`.includes(` ${word}`));
      });
      const limit = Math.min(Number(query.get('limit') ?? 30), 200);
      const offset = Number(query.get('offset') ?? 0);
      const entries = found.slice(offset, offset + limit).map((item) => toFacts(state, item, query.get('fields')));
      return { json: { type: 'search_results_items', total_count: found.length, offset, limit, entries } };
    },
    'GET /events': (request) => {
      const { query, account } = request;
      const state = stateOf(request);
      const { happenings } = state;
      const asked = query.get('stream_position') ?? '0';
      const limit = Math.min(Number(query.get('limit') ?? 100), 500);
      const position = (index: number): string => String(firstPosition + BigInt(index));
      if (asked === 'now') return { json: { chunk_size: 0, next_stream_position: position(happenings.length), entries: [] } };
      const from = asked === '0' ? 0 : Number(BigInt(asked) - firstPosition);
      if (!Number.isSafeInteger(from) || from < 0 || from > happenings.length) throw no(400, 'bad_request');
      const part = happenings.slice(from, from + limit);
      const entries = part.map(({ id, type, at, item }) => ({
        type: 'event',
        event_id: id,
        created_at: timeText(at),
        created_by: { type: 'user', id: account.id, name: account.name, login: account.email },
        event_type: type,
        source: toFacts(state, item, null),
      }));
      // Upload events are duplicated, as Box may do with any event.
      const repeated = entries.flatMap((entry) => (entry.event_type === 'ITEM_UPLOAD' ? [entry, entry] : [entry]));
      return { json: { chunk_size: repeated.length, next_stream_position: position(from + part.length), entries: repeated } };
    },
  };
}
