import { randomBytes } from 'node:crypto';
import type { Bytes } from './bytes.ts';
import { type Tagged, union, writeConflict } from './refusals.ts';

export interface File {
  readonly kind: 'file';
  readonly id: string;
  name: string;
  content: Bytes;
  rev: string;
  clientModified: number;
  serverModified: number;
  /** The export format of a cloud document, which has no bytes of its own. */
  readonly exportAs?: string;
}

export interface Folder {
  readonly kind: 'folder';
  readonly id: string;
  name: string;
  /** By lower-case name: Dropbox ignores case. */
  readonly children: Map<string, Node>;
  /** Set on a team's folder: accounts that may see it. */
  readonly members?: ReadonlySet<string>;
}

export type Node = File | Folder;

export interface NewFile {
  readonly content: Bytes;
  readonly clientModified?: number;
  readonly exportAs?: string;
}

/** A deleted item. */
interface Deleted {
  readonly path: string;
  readonly kind: Node['kind'];
  /** Epoch seconds. */
  readonly at: number;
}

/** One event, for cursors. */
export interface Happening {
  readonly path: string;
  readonly isGone: boolean;
}

/** A lookup error with Dropbox's union. */
export class PathError extends Error {
  readonly error: Tagged;
  constructor(error: Tagged) {
    super(error['.tag']);
    this.error = error;
  }
}

const ignoredNames = new Set(['desktop.ini', 'thumbs.db', '.ds_store', 'icon\r', '.dropbox', '.dropbox.attr']);
const newId = (): string => `id:${randomBytes(16).toString('base64url').slice(0, 22)}`;
const now = (): number => Math.floor(Date.now() / 1000);

export const newFolder = (name: string, members?: ReadonlySet<string>): Folder => ({
  kind: 'folder',
  id: newId(),
  name,
  children: new Map(),
  ...(members && { members }),
});

/** Splits a path into names; throws for invalid ones. */
export function segmentsOf(path: string): string[] {
  if (path === '') return [];
  const segments = path.slice(1).split('/');
  for (const segment of segments)
    if (segment === '' || segment === '.' || segment === '..' || /[\\\u007f\0]| $/.test(segment) || [...segment].length > 255)
      throw new PathError(union('malformed_path'));
  return segments;
}

/** A namespace's files, folders and events. */
export function createTree() {
  const root = newFolder('');
  const happenings: Happening[] = [];
  const listeners: (() => void)[] = [];
  let isTelling = false;
  /** By lower-case path: earlier contents of files, the newest first, and what was deleted last. */
  const past = new Map<string, File[]>();
  const deleted = new Map<string, Deleted>();
  let revisions = 0x5e_0000_0000;
  const nextRev = (): string => (revisions += 1).toString(16).padStart(12, '0');
  const told = (segments: readonly string[]): string => segments.map((segment) => `/${segment}`).join('');

  /** Those who listen hear of all events of one turn at once. */
  function happened(happening: Happening): void {
    happenings.push(happening);
    if (isTelling || listeners.length === 0) return;
    isTelling = true;
    setImmediate(() => {
      isTelling = false;
      for (const listener of listeners) listener();
    });
  }

  function tell(path: string, node: Node): void {
    happened({ path, isGone: false });
    if (node.kind === 'folder') for (const child of node.children.values()) tell(`${path}/${child.name}`, child);
  }

  /** Walks as far as there are items; throws `not_found` when there is none. */
  function find(segments: readonly string[]): Node {
    let node: Node = root;
    for (const segment of segments) {
      const next: Node | undefined = node.kind === 'folder' ? node.children.get(segment.toLowerCase()) : undefined;
      if (!next) throw new PathError(union('not_found'));
      node = next;
    }
    return node;
  }

  /** The path in its display case. */
  function display(segments: readonly string[]): string {
    return segments.map((_, index) => `/${find(segments.slice(0, index + 1)).name}`).join('');
  }

  /** Returns the parent folder of an item; creates missing folders, as Dropbox does. */
  function holder(segments: readonly string[]): Folder {
    let folder = root;
    for (const [index, segment] of segments.slice(0, -1).entries()) {
      const next = folder.children.get(segment.toLowerCase());
      if (next?.kind === 'file') throw new PathError(writeConflict('file_ancestor'));
      const made = next ?? newFolder(segment);
      if (!next) {
        folder.children.set(segment.toLowerCase(), made);
        tell(display(segments.slice(0, index + 1)), made);
      }
      folder = made as Folder;
    }
    return folder;
  }

  function refuseName(segments: readonly string[]): string {
    const name = segments.at(-1);
    if (name === undefined) throw new PathError(union('malformed_path'));
    if (ignoredNames.has(name.toLowerCase())) throw new PathError(union('disallowed_name'));
    return name;
  }

  function place(segments: readonly string[], node: Node): void {
    const name = refuseName(segments);
    const folder = holder(segments);
    const there = folder.children.get(name.toLowerCase());
    if (there) throw new PathError(writeConflict(there.kind));
    node.name = name;
    folder.children.set(name.toLowerCase(), node);
    tell(display(segments), node);
  }

  function keepPast(path: string, file: File): void {
    past.set(path.toLowerCase(), [{ ...file }, ...(past.get(path.toLowerCase()) ?? [])]);
  }

  function bury(node: Node, path: string): void {
    deleted.set(path.toLowerCase(), { path, kind: node.kind, at: now() });
    if (node.kind === 'file') keepPast(path, node);
    else for (const child of node.children.values()) bury(child, `${path}/${child.name}`);
  }

  function take(segments: readonly string[]): Node {
    const node = find(segments);
    const path = display(segments);
    const folder = find(segments.slice(0, -1)) as Folder;
    if (segments.length === 0) throw new PathError(union('malformed_path'));
    folder.children.delete(node.name.toLowerCase());
    bury(node, path);
    happened({ path, isGone: true });
    return node;
  }

  function cloned(node: Node): Node {
    if (node.kind === 'file') return { ...node, id: newId(), rev: nextRev(), serverModified: now() };
    const children = new Map([...node.children].map(([key, child]) => [key, cloned(child)] as const));
    return { ...node, id: newId(), children };
  }

  /** Places a copy of an item of this or another tree. */
  function adopt(node: Node, to: readonly string[]): Node {
    const copy = cloned(node);
    place(to, copy);
    return copy;
  }

  return {
    root,
    happenings,
    /** Calls the function when something has happened from now on. */
    onChange: (listener: () => void): void => void listeners.push(listener),
    find,
    display,
    told,
    has(segments: readonly string[]): boolean {
      try {
        return find(segments) !== undefined;
      } catch (error) {
        if (error instanceof PathError) return false;
        throw error;
      }
    },
    past: (path: string): readonly File[] => past.get(path.toLowerCase()) ?? [],
    /** The earlier content with that revision; throws `not_found`. */
    revision(rev: string): File {
      const earlier = [...past.values()].flat().find((file) => file.rev === rev);
      if (!earlier) throw new PathError(union('not_found'));
      return earlier;
    },
    deletedAt: (path: string): Deleted | undefined => deleted.get(path.toLowerCase()),
    /** The items deleted below the path, even if another item has taken the name. */
    deletedBelow: (path: string): Deleted[] => [...deleted].filter(([at]) => at.startsWith(`${path.toLowerCase()}/`)).map(([, one]) => one),
    makeFolder(segments: readonly string[]): Folder {
      const folder = newFolder('');
      place(segments, folder);
      return folder;
    },
    /** Stores a file. `add` conflicts with any item of that name; without `strict`, a file with the same bytes is no conflict. */
    store(segments: readonly string[], file: NewFile, mode: 'add' | 'overwrite', strict: boolean): File {
      const name = refuseName(segments);
      const folder = holder(segments);
      const there = folder.children.get(name.toLowerCase());
      if (there?.kind === 'folder') throw new PathError(writeConflict('folder'));
      const isSame = there?.content.hashes.content === file.content.hashes.content;
      if (there && mode === 'add') {
        if (strict || !isSame) throw new PathError(writeConflict('file'));
        return there;
      }
      const facts = { content: file.content, rev: nextRev(), clientModified: file.clientModified ?? now(), serverModified: now() };
      if (there) {
        keepPast(display(segments), there);
        Object.assign(there, facts);
      }
      const { exportAs } = file;
      const stored: File = there ?? { kind: 'file', id: newId(), name, ...facts, ...(exportAs !== undefined && { exportAs }) };
      folder.children.set(name.toLowerCase(), stored);
      tell(display(segments), stored);
      return stored;
    },
    move(from: readonly string[], to: readonly string[]): Node {
      refuseName(to);
      const there = holder(to).children.get((to.at(-1) ?? '').toLowerCase());
      if (there) throw new PathError(writeConflict(there.kind));
      const node = take(from);
      place(to, node);
      return node;
    },
    copy: (from: readonly string[], to: readonly string[]): Node => adopt(find(from), to),
    adopt,
    /** The names that lead to the item with the id. */
    placeOfId(id: string, folder: Folder = root): string[] | undefined {
      for (const child of folder.children.values()) {
        if (child.id === id) return [child.name];
        const below = child.kind === 'folder' ? this.placeOfId(id, child) : undefined;
        if (below) return [child.name, ...below];
      }
      return undefined;
    },
    take,
  };
}
export type Tree = ReturnType<typeof createTree>;

/** Total bytes of the subtree. */
export const sizeOf = (node: Node): number =>
  node.kind === 'file' ? node.content.size : [...node.children.values()].reduce((sum, child) => sum + sizeOf(child), 0);
