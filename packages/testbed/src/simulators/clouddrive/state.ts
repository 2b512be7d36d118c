import { randomBytes } from 'node:crypto';
import { type Content, createContents, nodeHash, refuse } from '../kit/index.ts';

export const contents = createContents({ hashes: { md5: nodeHash('md5') }, keepUpTo: 64 * 1024 * 1024 });
export type DriveContent = Content<'md5'>;

export interface Node {
  readonly id: string;
  readonly kind: 'FILE' | 'FOLDER';
  readonly isRoot: boolean;
  name: string;
  parents: string[];
  status: 'AVAILABLE' | 'TRASH';
  version: number;
  modified: number;
  /** Sequence number of its last change. */
  change: number;
  readonly contentType: string;
  readonly content: DriveContent | undefined;
}

/** The service's error format. */
export const no = (status: number, code: string, info: object = {}) =>
  refuse({ status, json: { logref: randomBytes(8).toString('hex'), message: code, code, info } });

const newId = (): string => randomBytes(16).toString('base64url').slice(0, 22).replaceAll('-', 'A');
const longestName = 280;

/** One customer's nodes. */
export function createState() {
  const nodes = new Map<string, Node>();
  const clock = { changes: 0 };

  function add(node: Pick<Node, 'name' | 'kind' | 'parents'> & { readonly content?: DriveContent; readonly contentType?: string }): Node {
    const { content, contentType = 'application/octet-stream', ...rest } = node;
    const made: Node = {
      ...rest,
      id: newId(),
      isRoot: node.parents.length === 0,
      status: 'AVAILABLE',
      version: 1,
      modified: Date.now(),
      change: (clock.changes += 1),
      content,
      contentType,
    };
    nodes.set(made.id, made);
    return made;
  }
  const root = add({ name: '', kind: 'FOLDER', parents: [] });

  const childrenOf = (id: string): Node[] =>
    [...nodes.values()].filter(({ parents, status }) => status === 'AVAILABLE' && parents.includes(id));

  return {
    nodes,
    root,
    clock,
    add,
    childrenOf,
    find(id: string | undefined): Node {
      const node = nodes.get(id ?? '');
      if (!node) throw no(404, 'NODE_NOT_FOUND');
      return node;
    },
    /** Refuses an invalid name, or one taken in any of the folders, ignoring case. */
    mayBe(name: string, parents: readonly string[], itself?: Node): void {
      if (name === '' || name.includes('/') || name.length > longestName) throw no(400, 'INVALID_NODE_NAME');
      for (const parent of parents) {
        const there = childrenOf(parent).find((node) => node !== itself && node.name.toLowerCase() === name.toLowerCase());
        if (there) throw no(409, 'NAME_ALREADY_EXISTS', { nodeId: there.id });
      }
    },
    changed(node: Node): void {
      node.version += 1;
      node.modified = Date.now();
      node.change = clock.changes += 1;
    },
    used: (): number => [...nodes.values()].reduce((sum, { content }) => sum + (content?.size ?? 0), 0),
  };
}
export type State = ReturnType<typeof createState>;

export const nodeJson = ({ id, kind, name, isRoot, parents, status, version, modified, content, contentType }: Node) => ({
  id,
  kind,
  ...(isRoot ? { isRoot } : { name }),
  parents,
  status,
  version,
  eTagResponse: `v${version}`,
  createdDate: new Date(modified).toISOString(),
  modifiedDate: new Date(modified).toISOString(),
  createdBy: 'sheaf',
  labels: [],
  ...(content && {
    contentProperties: { version: 1, size: content.size, md5: content.hashes.md5, contentType, extension: name.split('.').at(-1) ?? '' },
  }),
});

/** Parses filters such as `parents:"id" AND name:"x" AND status:AVAILABLE` to a predicate. Refuses unreadable ones. */
export function filterOf(text: string | null): (node: Node) => boolean {
  if (text === null) return () => true;
  const tests = text.split(' AND ').map((term) => {
    const [, field, quoted, plain] = /^(\w+):(?:"((?:[^"\\]|\\.)*)"|([\w-]+))$/s.exec(term) ?? [];
    const value = (quoted ?? plain ?? '').replaceAll(/\\(.)/gs, '$1');
    if (field === undefined) throw no(400, 'INVALID_FILTER');
    return { field, value };
  });
  return (node) =>
    tests.every(({ field, value }) => {
      if (field === 'parents') return node.parents.includes(value);
      if (field === 'name') return node.name.toLowerCase() === value.toLowerCase();
      if (field === 'status') return node.status === value;
      if (field === 'kind') return node.kind === value;
      if (field === 'isRoot') return String(node.isRoot) === value;
      throw no(400, 'INVALID_FILTER');
    });
}
