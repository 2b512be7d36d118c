import { randomBytes } from 'node:crypto';
import type { Account, Content } from '../kit/index.ts';
import { notFound, refuseWith } from './refusals.ts';

export type DriveContent = Content<'md5' | 'sha1'>;

export interface Revision {
  readonly id: string;
  readonly content: DriveContent;
  /** When it was written, in epoch milliseconds. */
  readonly at: number;
}

/** A file, folder, document or shortcut. */
export interface DriveNode {
  readonly id: string;
  name: string;
  mimeType: string;
  /** Undefined for the root of My Drive or a shared drive, and for items shared by others. */
  parent: string | undefined;
  /** The shared drive that contains it. */
  driveId: string | undefined;
  /** The owner in My Drive. */
  readonly owner: string;
  /** Ids of other accounts that may read it in My Drive. */
  readers?: readonly string[];
  /** Whether readers may not copy it. */
  copyRequiresWriter?: boolean;
  /** The last one is current; empty for folders, documents and shortcuts. */
  revisions: Revision[];
  /** The export of a document, whatever the format. */
  document?: DriveContent;
  readonly target?: string;
  created: number;
  modified: number;
  isBinned: boolean;
  version: number;
}

export interface SharedDrive {
  readonly id: string;
  readonly name: string;
  /** Ids of accounts. */
  readonly members: readonly string[];
}

const google = 'application/vnd.google-apps';
export const folderType = `${google}.folder`;
export const shortcutType = `${google}.shortcut`;
export const isDocument = (type: string): boolean => type.startsWith(`${google}.`) && type !== folderType && type !== shortcutType;

export const newId = (): string => `1${randomBytes(21).toString('base64url')}`;

/** Everything that a simulator's accounts have in Drive. */
export function createDriveState(accounts: readonly Account[]) {
  const nodes = new Map<string, DriveNode>();
  const inside = new Map<string, Set<string>>();
  const drives = new Map<string, SharedDrive>();
  const log: { readonly at: number; readonly fileId: string; readonly owner: string; readonly driveId: string | undefined }[] = [];
  const state = { firstKept: 0 };
  const listeners: ((node: DriveNode) => void)[] = [];

  const make = (facts: Pick<DriveNode, 'name' | 'mimeType' | 'parent' | 'owner'> & Partial<DriveNode>): DriveNode => {
    const now = Date.now();
    const id = facts.id ?? newId();
    const driveId = facts.driveId ?? (facts.parent === undefined ? undefined : nodes.get(facts.parent)?.driveId);
    const node: DriveNode = { revisions: [], created: now, modified: now, isBinned: false, version: 1, ...facts, id, driveId };
    nodes.set(id, node);
    attach(node);
    note(node);
    return node;
  };

  function attach({ id, parent }: DriveNode): void {
    if (parent === undefined) return;
    const siblings = inside.get(parent) ?? new Set();
    inside.set(parent, siblings.add(id));
  }

  /** Records a change for the list of changes. */
  function note(node: DriveNode): void {
    node.version += 1;
    log.push({ at: log.length, fileId: node.id, owner: node.owner, driveId: node.driveId });
    for (const listener of listeners) listener(node);
  }

  const rootIds = new Map(
    accounts.map(({ id }) => [id, make({ name: 'My Drive', mimeType: folderType, parent: undefined, owner: id }).id]),
  );
  const rootOf = (account: Account): string => rootIds.get(account.id) ?? notFound('root');

  const children = (id: string): DriveNode[] => [...(inside.get(id) ?? [])].flatMap((one) => nodes.get(one) ?? []);

  const mayWrite = (account: Account, { owner, driveId }: DriveNode): boolean =>
    driveId === undefined ? owner === account.id : (drives.get(driveId)?.members.includes(account.id) ?? false);
  const maySee = (account: Account, node: DriveNode): boolean =>
    mayWrite(account, node) || (node.driveId === undefined && (node.readers?.includes(account.id) ?? false));

  const isTrashed = (node: DriveNode): boolean => {
    const above = node.parent === undefined ? undefined : nodes.get(node.parent);
    return node.isBinned || (above !== undefined && isTrashed(above));
  };

  function remove(node: DriveNode): void {
    for (const child of children(node.id)) remove(child);
    if (node.parent !== undefined) inside.get(node.parent)?.delete(node.id);
    nodes.delete(node.id);
    inside.delete(node.id);
    note(node);
  }

  return {
    nodes,
    drives,
    log,
    state,
    make,
    note,
    /** Calls the function with each item that changes from now on. */
    onChange: (listener: (node: DriveNode) => void): void => void listeners.push(listener),
    remove,
    rootOf,
    children,
    maySee,
    mayWrite,
    isTrashed,
    isRoot: ({ id, driveId }: DriveNode): boolean => id === driveId || [...rootIds.values()].includes(id),
    /** Returns the node as the account sees it; refuses with 404. Items of shared drives are visible only to requests with `supportsAllDrives`. */
    find(account: Account, id: string, supportsAllDrives: boolean): DriveNode {
      const node = nodes.get(id === 'root' ? rootOf(account) : id);
      if (!node || !maySee(account, node) || (node.driveId !== undefined && !supportsAllDrives)) return notFound(id);
      return node;
    },
    /** Moves a node to another folder. Drive refuses cycles. */
    move(node: DriveNode, parent: DriveNode): void {
      for (let above: DriveNode | undefined = parent; above; above = above.parent === undefined ? undefined : nodes.get(above.parent))
        if (above.id === node.id) refuseWith(403, 'cannotMoveItemIntoOwnDescendants', 'A folder cannot go into itself.');
      if (node.parent !== undefined) inside.get(node.parent)?.delete(node.id);
      node.parent = parent.id;
      const settle = (one: DriveNode): void => {
        one.driveId = parent.driveId;
        for (const child of children(one.id)) settle(child);
      };
      settle(node);
      attach(node);
    },
    addDrive(name: string, members: readonly string[]): DriveNode {
      const id = `0A${randomBytes(12).toString('base64url')}`;
      drives.set(id, { id, name, members });
      return make({ id, name, mimeType: folderType, parent: undefined, driveId: id, owner: '' });
    },
    usageOf: (account: Account): number =>
      [...nodes.values()]
        .filter(({ owner, driveId }) => owner === account.id && driveId === undefined)
        .reduce((sum, { revisions }) => sum + (revisions.at(-1)?.content.size ?? 0), 0),
  };
}
export type DriveState = ReturnType<typeof createDriveState>;
