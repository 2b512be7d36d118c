import { randomBytes } from 'node:crypto';
import type { Handler } from '../kit/index.ts';
import type { Cursors, ListRequest } from './cursors.ts';
import { deletedAt, toMetadata, untagged } from './metadata.ts';
import { type People, type View, inView } from './people.ts';
import { type Tagged, routeError, union } from './refusals.ts';
import { PathError, type Tree, sizeOf } from './tree.ts';
import type { UploadState } from './uploads.ts';

interface PathRequest {
  readonly path: string;
}
interface Relocation {
  readonly from_path: string;
  readonly to_path: string;
}

/** Runs the work and wraps path errors in the route's own error. */
export function under<Result>(wrap: (error: Tagged) => Tagged, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof PathError ? routeError(wrap(error.error)) : error;
  }
}

export const as =
  (tag: string) =>
  (error: Tagged): Tagged =>
    union(tag, error);

/** JSON routes. */
export function fileRoutes(people: People, cursors: Cursors, state: UploadState): Record<string, Handler> {
  /** What the references lead to. */
  const references = new Map<string, { readonly tree: Tree; readonly id: string }>();

  /** The item's path in its display case. */
  const placeOf = ({ tree, base }: View, segments: readonly string[]): string => tree.display(segments).slice(tree.told(base).length);

  const relocate =
    (how: 'move' | 'copy'): Handler =>
    (request) => {
      const view = people.viewOf(request);
      const { from_path, to_path } = request.json<Relocation>();
      const from = under(as('from_lookup'), () => {
        const segments = inView(view, from_path);
        view.tree.find(segments);
        return segments;
      });
      const to = under(as('to'), () => inView(view, to_path));
      if (to_path.toLowerCase().startsWith(`${from_path.toLowerCase()}/`)) throw routeError(union('cant_move_folder_into_itself'));
      const node = under(as('to'), () => view.tree[how](from, to));
      return { json: { metadata: toMetadata(node, placeOf(view, to)) } };
    };

  return {
    'POST /2/files/list_folder': (request) => ({
      json: under(as('path'), () => cursors.list(people.viewOf(request), request.json<ListRequest>())),
    }),
    'POST /2/files/list_folder/continue': (request) => ({ json: cursors.next(request.json<{ cursor: string }>().cursor) }),
    'POST /2/files/list_folder/get_latest_cursor': (request) => ({
      json: under(as('path'), () => cursors.latest(people.viewOf(request), request.json<ListRequest>())),
    }),
    'POST /2/files/get_metadata': (request) => {
      const view = people.viewOf(request);
      const { path, include_deleted = false } = request.json<PathRequest & { readonly include_deleted?: boolean }>();
      return under(as('path'), () => {
        const segments = inView(view, path);
        if (include_deleted && !view.tree.has(segments) && view.tree.deletedAt(view.tree.told(segments))) return { json: deletedAt(path) };
        return { json: toMetadata(view.tree.find(segments), placeOf(view, segments)) };
      });
    },
    'POST /2/files/create_folder_v2': (request) => {
      const view = people.viewOf(request);
      return under(as('path'), () => {
        const segments = inView(view, request.json<PathRequest>().path);
        const folder = view.tree.makeFolder(segments);
        return { json: { metadata: untagged(toMetadata(folder, placeOf(view, segments))) } };
      });
    },
    'POST /2/files/move_v2': relocate('move'),
    'POST /2/files/copy_v2': relocate('copy'),
    'POST /2/files/copy_reference/get': (request) => {
      const view = people.viewOf(request);
      return under(as('path'), () => {
        const segments = inView(view, request.json<PathRequest>().path);
        const node = view.tree.find(segments);
        const reference = randomBytes(16).toString('base64url');
        references.set(reference, { tree: view.tree, id: node.id });
        const metadata = toMetadata(node, placeOf(view, segments));
        return { json: { metadata, copy_reference: reference, expires: '2049-01-01T00:00:00Z' } };
      });
    },
    'POST /2/files/copy_reference/save': (request) => {
      const view = people.viewOf(request);
      const { copy_reference, path } = request.json<PathRequest & { readonly copy_reference: string }>();
      const referred = references.get(copy_reference);
      if (!referred) throw routeError(union('invalid_copy_reference'));
      const from = referred.tree.placeOfId(referred.id);
      if (!from) throw routeError(union('not_found'));
      const source = referred.tree.find(from);
      return under(as('path'), () => {
        if (sizeOf(view.tree.root) + sizeOf(source) > state.quota) throw new PathError(union('insufficient_space'));
        const to = inView(view, path);
        return { json: { metadata: toMetadata(view.tree.adopt(source, to), placeOf(view, to)) } };
      });
    },
    'POST /2/files/delete_v2': (request) => {
      const view = people.viewOf(request);
      return under(as('path_lookup'), () => {
        const segments = inView(view, request.json<PathRequest>().path);
        view.tree.find(segments);
        const place = placeOf(view, segments);
        return { json: { metadata: toMetadata(view.tree.take(segments), place) } };
      });
    },
  };
}
