import { randomInt, randomUUID } from 'node:crypto';
import type { Content } from '../kit/index.ts';
import { checkName, folded } from './names.ts';
import { invalidRequest, itemNotFound, nameTaken, quotaReached } from './replies.ts';

export type DriveType = 'personal' | 'business' | 'documentLibrary';

/** A previous version of an item. */
interface Version {
  readonly id: string;
  readonly content: Content;
  readonly changed: number;
}

/** A file, a folder, a notebook, or a shortcut to an item of another drive. */
export interface Node {
  readonly id: string;
  readonly kind: 'file' | 'folder' | 'package';
  readonly children: Map<string, Node>;
  name: string;
  parent: Node | undefined;
  content: Content | undefined;
  readonly target?: { readonly driveId: string; readonly node: Node };
  /** Epoch ms: created, last changed in any way, and the file's own modification time. */
  readonly created: number;
  changed: number;
  modified: number;
  /** Counters of all changes, and of content changes. */
  edition: number;
  contentEdition: number;
  versions: Version[];
  isDeleted: boolean;
}

export type Conflict = 'fail' | 'replace' | 'rename';
export type Drive = ReturnType<typeof createDrive>;

interface Options {
  readonly type: DriveType;
  readonly name: string;
  /** Accounts with access; the first is the owner. */
  readonly accounts: readonly string[];
  readonly total: number;
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const newBusinessId = (): string => `01${Array.from({ length: 32 }, () => letters[randomInt(letters.length)]).join('')}`;

/** One drive: a tree of items with case-insensitive names, and a log of changes. */
export function createDrive({ type, name, accounts, total }: Options) {
  const isPersonal = type === 'personal';
  const id = isPersonal ? randomUUID().replaceAll('-', '').slice(0, 16) : `b!${randomUUID().replaceAll('-', '')}`;
  let count = 100;
  const newId = () => (isPersonal ? `${id.toUpperCase()}!${(count += 1)}` : newBusinessId());
  const nodes = new Map<string, Node>();
  /** Deleted items, without those deleted with their folder. */
  const bin = new Map<string, Node>();
  /** The last change of each item, the oldest first. */
  const log = new Map<string, number>();
  let last = 0;
  const listeners: (() => void)[] = [];

  function make(kind: Node['kind'], itsName: string, parent: Node | undefined, rest: Partial<Node> = {}): Node {
    const now = Date.now();
    const node: Node = {
      id: newId(),
      kind,
      children: new Map(),
      name: itsName,
      parent,
      content: undefined,
      created: now,
      changed: now,
      modified: now,
      edition: 1,
      contentEdition: 1,
      versions: [],
      isDeleted: false,
      ...rest,
    };
    nodes.set(node.id, node);
    return node;
  }
  const root = make('folder', 'root', undefined);

  function record(node: Node): void {
    last += 1;
    log.delete(node.id);
    log.set(node.id, last);
    for (const listener of listeners) listener();
    // A personal drive reports the parent folders as well, whose sizes have changed.
    if (isPersonal && node.parent) record(node.parent);
  }

  function touch(node: Node): void {
    node.changed = Date.now();
    node.edition += 1;
    record(node);
  }

  const pathOf = (node: Node): string => (node.parent ? `${pathOf(node.parent)}/${node.name}` : '');

  function free(folder: Node, wanted: string, conflict: Conflict): string {
    checkName(wanted, pathOf(folder));
    if (!folder.children.has(folded(wanted))) return wanted;
    if (conflict !== 'rename') throw nameTaken();
    for (let number = 1; ; number++) {
      const dot = wanted.lastIndexOf('.');
      const next = dot > 0 ? `${wanted.slice(0, dot)} ${number}${wanted.slice(dot)}` : `${wanted} ${number}`;
      if (!folder.children.has(folded(next))) return next;
    }
  }

  function place(node: Node, folder: Node, itsName: string): Node {
    node.name = itsName;
    node.parent = folder;
    folder.children.set(folded(itsName), node);
    record(node);
    return node;
  }

  const sizeOf = (node: Node): number => node.content?.size ?? [...node.children.values()].reduce((sum, child) => sum + sizeOf(child), 0);
  const state = { total, oldest: 0 };

  function room(bytes: number): void {
    if (sizeOf(root) + bytes > state.total) throw quotaReached();
  }

  /** Marks an item and all below it as deleted, or as restored. */
  function bury(node: Node, isDeleted: boolean): void {
    node.isDeleted = isDeleted;
    for (const child of node.children.values()) bury(child, isDeleted);
  }

  function find(wanted: string): Node {
    const node = wanted === 'root' ? root : nodes.get(wanted);
    if (!node || node.isDeleted) throw itemNotFound();
    return node;
  }

  const drive = {
    id,
    type,
    name,
    accounts,
    root,
    state,
    find,
    pathOf,
    sizeOf,
    room,
    child: (folder: Node, wanted: string): Node | undefined => folder.children.get(folded(wanted)),
    /** Returns the item at the names below another. */
    walk: (from: Node, names: readonly string[]): Node =>
      names.reduce((folder, wanted) => folder.children.get(folded(wanted)) ?? notThere(), from),
    addFolder(folder: Node, wanted: string, conflict: Conflict = 'fail'): Node {
      const itsName = free(folder, wanted, conflict);
      return place(make('folder', itsName, folder), folder, itsName);
    },
    add(folder: Node, wanted: string, kind: Node['kind'], rest: Partial<Node>): Node {
      const itsName = free(folder, wanted, 'fail');
      return place(make(kind, itsName, folder, rest), folder, itsName);
    },
    /** Stores a file under a name; `modified` is in epoch ms. */
    store(folder: Node, wanted: string, content: Content, conflict: Conflict, modified?: number): { node: Node; isNew: boolean } {
      room(content.size);
      const there = folder.children.get(folded(wanted));
      if (there && conflict === 'replace') return { node: drive.replace(there, content, modified), isNew: false };
      const itsName = free(folder, wanted, conflict);
      const node = make('file', itsName, folder, { content, ...(modified !== undefined && { modified }) });
      return { node: place(node, folder, itsName), isNew: true };
    },
    replace(node: Node, content: Content, modified = Date.now()): Node {
      if (node.kind !== 'file') throw nameTaken();
      if (node.content) node.versions.unshift({ id: `${node.contentEdition}.0`, content: node.content, changed: node.changed });
      node.content = content;
      node.modified = modified;
      node.contentEdition += 1;
      touch(node);
      return node;
    },
    /** Renames or moves an item. */
    relocate(node: Node, folder: Node, wanted: string, conflict: Conflict): void {
      for (let above: Node | undefined = folder; above; above = above.parent)
        if (above === node) throw invalidRequest('A folder cannot be moved into itself.');
      const there = folder.children.get(folded(wanted));
      const itsName = there === node ? wanted : free(folder, wanted, conflict);
      checkName(itsName, pathOf(folder));
      node.parent?.children.delete(folded(node.name));
      place(node, folder, itsName);
      touch(node);
    },
    remove(node: Node): void {
      if (!node.parent) throw invalidRequest('The root cannot be deleted.');
      node.parent.children.delete(folded(node.name));
      bury(node, true);
      bin.set(node.id, node);
      record(node);
    },
    /** Returns an item of the recycle bin; what was deleted with its folder is none of its own. */
    deleted: (wanted: string): Node | undefined => bin.get(wanted),
    /** Restores a deleted item. */
    unearth(node: Node, folder: Node, wanted: string): void {
      const itsName = free(folder, wanted, 'fail');
      bin.delete(node.id);
      bury(node, false);
      place(node, folder, itsName);
    },
    touch,
    /** Copies an item recursively. */
    duplicate(node: Node, folder: Node, wanted: string): Node {
      room(sizeOf(node));
      const itsName = free(folder, wanted, 'fail');
      const rest = { ...(node.content && { content: node.content }), modified: node.modified };
      const copy = place(make(node.kind, itsName, folder, rest), folder, itsName);
      for (const child of node.children.values()) drive.duplicate(child, copy, child.name);
      return copy;
    },
    under: (node: Node): Node[] => [...node.children.values()].flatMap((child) => [child, ...drive.under(child)]),
    now: (): number => last,
    /** Calls the function at each change from now on. */
    onChange: (listener: () => void): void => void listeners.push(listener),
    /** Returns items changed after a position of the log, the oldest change first. */
    changedAfter: (moment: number): readonly { readonly node: Node; readonly moment: number }[] =>
      [...log].flatMap(([changed, at]) => {
        const node = nodes.get(changed);
        return node && at > moment ? [{ node, moment: at }] : [];
      }),
  };
  return drive;
}

const notThere = (): never => {
  throw itemNotFound();
};
