import { randomBytes } from 'node:crypto';
import type { Handler } from '../kit/index.ts';
import { as, under } from './files.ts';
import { toMetadata } from './metadata.ts';
import { type People, type View, inView, maySee } from './people.ts';
import { type Tagged, routeError, union } from './refusals.ts';
import type { Node } from './tree.ts';

interface SearchRequest {
  readonly query: string;
  readonly options?: { readonly path?: string; readonly max_results?: number };
}
interface Rest {
  readonly matches: readonly unknown[];
  readonly limit: number;
}

/** Searches names by word prefix below a folder. */
export function searchRoutes(people: People): Record<string, Handler> {
  const rests = new Map<string, Rest>();

  function page({ matches, limit }: Rest) {
    const rest = matches.slice(limit);
    if (rest.length === 0) return { matches, has_more: false };
    const cursor = randomBytes(12).toString('base64url');
    rests.set(cursor, { matches: rest, limit });
    return { matches: matches.slice(0, limit), has_more: true, cursor };
  }

  function* matching(view: View, node: Node, path: string, words: readonly string[]): Generator<unknown> {
    if (node.kind === 'file') return;
    for (const child of node.children.values()) {
      if (!maySee(child, view.person)) continue;
      const place = `${path}/${child.name}`;
      const name = ` ${child.name.toLowerCase()}`;
      const found: Tagged = { '.tag': 'metadata', metadata: toMetadata(child, place) };
      if (words.every((word) => name.includes(` ${word}`))) yield { metadata: found, match_type: { '.tag': 'filename' } };
      yield* matching(view, child, place, words);
    }
  }

  return {
    'POST /2/files/search_v2': (request) => {
      const view = people.viewOf(request);
      const { query, options: { path = '', max_results: limit = 100 } = {} } = request.json<SearchRequest>();
      const words = query
        .toLowerCase()
        .split(/\s+/)
        .filter((word) => word !== '');
      if (words.length === 0) throw routeError({ '.tag': 'invalid_argument', invalid_argument: 'the query is empty' });
      return under(as('path'), () => {
        const node = view.tree.find(inView(view, path));
        return { json: page({ matches: [...matching(view, node, path, words)], limit }) };
      });
    },
    'POST /2/files/search/continue_v2': (request) => {
      const rest = rests.get(request.json<{ cursor: string }>().cursor);
      if (!rest) throw routeError(union('reset'));
      return { json: page(rest) };
    },
  };
}
