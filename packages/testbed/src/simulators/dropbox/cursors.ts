import { randomBytes } from 'node:crypto';
import { deletedAt, toMetadata } from './metadata.ts';
import { type View, inView, maySee } from './people.ts';
import { type Tagged, routeError, union } from './refusals.ts';
import { type Node, PathError } from './tree.ts';

interface Position {
  readonly view: View;
  readonly path: string;
  readonly recursive: boolean;
  readonly limit: number;
  /** Pending entries of a listing. */
  readonly pending: readonly Tagged[];
  /** Number of events that the cursor covers. */
  readonly known: number;
}

export interface ListRequest {
  readonly path: string;
  readonly recursive?: boolean;
  readonly limit?: number | null;
  readonly include_deleted?: boolean;
}

/** Default page size. */
const usualLimit = 500;

/** Listings and their changes. A cursor may be reused and returns the same each time, plus later changes. */
export function createCursors() {
  const cursors = new Map<string, Position>();
  let isReset = false;

  function keep(position: Position): string {
    const cursor = `AA${randomBytes(24).toString('base64url')}`;
    cursors.set(cursor, position);
    return cursor;
  }

  function* below(view: View, node: Node, path: string, recursive: boolean): Generator<Tagged> {
    if (node.kind === 'file') return;
    for (const child of node.children.values()) {
      if (!maySee(child, view.person)) continue;
      const place = `${path}/${child.name}`;
      yield toMetadata(child, place);
      if (recursive) yield* below(view, child, place, true);
    }
  }

  function begin(view: View, { path, recursive = false, limit }: ListRequest): { readonly position: Position; readonly node: Node } {
    const node = view.tree.find(inView(view, path));
    if (node.kind === 'file') throw new PathError(union('not_folder'));
    const known = view.tree.happenings.length;
    return { position: { view, path, recursive, limit: limit ?? usualLimit, pending: [], known }, node };
  }

  /** Returns the changes below the cursor's folder, each path once with its current state. */
  function news({ view, path, recursive, known }: Position): Tagged[] {
    const { tree, base } = view;
    const prefix = tree.told(base).toLowerCase();
    const last = new Map<string, Tagged>();
    for (const { path: at, isGone } of tree.happenings.slice(known)) {
      const place = at.slice(prefix.length);
      if (!at.toLowerCase().startsWith(`${prefix}${path.toLowerCase()}/`)) continue;
      if (!recursive && place.slice(path.length + 1).includes('/')) continue;
      const now = isGone ? undefined : existing(view, place);
      last.delete(place.toLowerCase());
      last.set(place.toLowerCase(), now ? toMetadata(now, place) : deletedAt(place));
    }
    return [...last.values()];
  }

  function existing(view: View, place: string): Node | undefined {
    try {
      return view.tree.find(inView(view, place));
    } catch (error) {
      if (error instanceof PathError) return undefined;
      throw error;
    }
  }

  function deletedIn(view: View, path: string, recursive: boolean): Tagged[] {
    const { tree, base } = view;
    const prefix = tree.told(base);
    return tree
      .deletedBelow(tree.told(inView(view, path)))
      .map((one) => one.path.slice(prefix.length))
      .filter((place) => (recursive || !place.slice(path.length + 1).includes('/')) && !existing(view, place))
      .map(deletedAt);
  }

  function page(position: Position) {
    const fresh = position.pending.length > 0 ? position.pending : news(position);
    const entries = fresh.slice(0, position.limit);
    const pending = fresh.slice(position.limit);
    const known = position.pending.length > 0 ? position.known : position.view.tree.happenings.length;
    return { entries, cursor: keep({ ...position, pending, known }), has_more: pending.length > 0 };
  }

  return {
    list(view: View, ask: ListRequest) {
      const { position, node } = begin(view, ask);
      const gone = ask.include_deleted === true ? deletedIn(view, ask.path, position.recursive) : [];
      const pending = [...below(view, node, ask.path, position.recursive), ...gone];
      if (pending.length > 0) return page({ ...position, pending });
      return { entries: [], cursor: keep(position), has_more: false };
    },
    latest: (view: View, ask: ListRequest) => ({ cursor: keep(begin(view, ask).position) }),
    next(cursor: string) {
      const position = cursors.get(cursor);
      if (!position || isReset) {
        isReset = false;
        throw routeError(union('reset'));
      }
      return page(position);
    },
    /** Makes the next cursor expired. */
    resetNext: (): void => void (isReset = true),
  };
}
export type Cursors = ReturnType<typeof createCursors>;
