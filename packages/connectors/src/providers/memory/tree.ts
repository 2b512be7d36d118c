import { createHash, randomUUID } from 'node:crypto';
import type { Entry, WriteOptions } from '../../core/connector.ts';
import { ConnectorError } from '../../core/error.ts';
import { nameOf, parentOf, segmentsOf } from '../../kit/names/path.ts';

export interface File {
  readonly kind: 'file';
  readonly bytes: Buffer;
  readonly modified: number;
  readonly etag: string;
  readonly mimeType?: string;
}
export interface Folder {
  readonly kind: 'folder';
  readonly children: Map<string, Node>;
  readonly modified: number;
}
export type Node = File | Folder;

export const emptyFolder = (): Folder => ({ kind: 'folder', children: new Map(), modified: Math.floor(Date.now() / 1000) });

/** Returns the node at the path; throws `notFound`. */
export function nodeAt(root: Folder, path: string): Node {
  let node: Node = root;
  for (const segment of segmentsOf(path)) {
    const child: Node | undefined = node.kind === 'folder' ? node.children.get(segment) : undefined;
    if (!child) throw new ConnectorError('notFound', 'no such item');
    node = child;
  }
  return node;
}

export function folderAt(root: Folder, path: string): Folder {
  const node = nodeAt(root, path);
  if (node.kind !== 'folder') throw new ConnectorError('notAFolder', 'a file stands there');
  return node;
}

export function fileAt(root: Folder, path: string): File {
  const node = nodeAt(root, path);
  if (node.kind !== 'file') throw new ConnectorError('isAFolder', 'a folder stands there');
  return node;
}

/** Inserts a node at a free path; throws `alreadyExists`, or `notFound` without the parent. */
export function place(root: Folder, path: string, node: Node): void {
  const { children } = folderAt(root, parentOf(path));
  if (path === '/' || children.has(nameOf(path))) throw new ConnectorError('alreadyExists', 'the name is taken');
  children.set(nameOf(path), node);
}

/** Throws when a file must not be written there. */
export function assertWritable({ children }: Folder, name: string, ifExists: WriteOptions['ifExists']): void {
  const present = children.get(name);
  if (present?.kind === 'folder') throw new ConnectorError(ifExists === 'fail' ? 'alreadyExists' : 'isAFolder', 'a folder has that name');
  if (present && ifExists === 'fail') throw new ConnectorError('alreadyExists', 'the name is taken');
}

/** Moves an item and returns it. */
export type Relocate = (from: string, to: string) => Entry;

/** Lets the caller move the file that is about to be replaced. */
export async function cleared(
  root: Folder,
  path: string,
  { ifExists, setAside }: Pick<WriteOptions, 'ifExists' | 'setAside'>,
  relocate: Relocate,
): Promise<void> {
  const isThere = folderAt(root, parentOf(path)).children.get(nameOf(path))?.kind === 'file';
  if (ifExists === 'replace' && isThere && setAside) await setAside(async (to) => void relocate(path, to));
}

/** Stores a file. */
export function put(root: Folder, path: string, bytes: Buffer, ask: Pick<WriteOptions, 'ifExists' | 'modified' | 'mimeType'>): Entry {
  const folder = folderAt(root, parentOf(path));
  const name = nameOf(path);
  assertWritable(folder, name, ask.ifExists);
  const file: File = {
    kind: 'file',
    bytes,
    modified: ask.modified ?? Math.floor(Date.now() / 1000),
    etag: randomUUID(),
    ...(ask.mimeType !== undefined && { mimeType: ask.mimeType }),
  };
  folder.children.set(name, file);
  return entryOf(name, file);
}

/** Removes and returns the node; throws `notFound`. */
export function take(root: Folder, path: string): Node {
  const node = nodeAt(root, path);
  folderAt(root, parentOf(path)).children.delete(nameOf(path));
  return node;
}

export const cloned = (node: Node): Node =>
  node.kind === 'file' ? node : { ...node, children: new Map([...node.children].map(([name, child]) => [name, cloned(child)])) };

export const entryOf = (name: string, node: Node): Entry =>
  node.kind === 'folder'
    ? { name, kind: 'folder', modified: node.modified }
    : {
        name,
        kind: 'file',
        size: node.bytes.length,
        modified: node.modified,
        etag: node.etag,
        hashes: { sha256: createHash('sha256').update(node.bytes).digest('hex') },
        ...(node.mimeType !== undefined && { mimeType: node.mimeType }),
      };
