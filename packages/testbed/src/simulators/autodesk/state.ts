import { randomUUID } from 'node:crypto';
import { type Content, createContents, nodeHash } from '../kit/index.ts';

export interface Hub {
  readonly id: string;
  readonly name: string;
  /** E-mail addresses of users with access. */
  readonly members: ReadonlySet<string>;
}

export interface Project {
  readonly id: string;
  readonly name: string;
  readonly hub: string;
  /** Bucket of its bytes. */
  readonly bucket: string;
}

export interface Version {
  readonly id: string;
  readonly number: number;
  name: string;
  readonly object: StoredObject | undefined;
  readonly created: Date;
  readonly isDeleted: boolean;
}

export interface Node {
  readonly kind: 'folders' | 'items';
  readonly id: string;
  readonly project: Project;
  /** Nothing above a top folder is visible. */
  parent: string | undefined;
  name: string;
  readonly isTop: boolean;
  hidden: boolean;
  /** The file type of an item. */
  what: string;
  readonly created: Date;
  modified: Date;
  /** Versions of an item; the newest last. */
  readonly versions: Version[];
}

/** An address in the object store. */
export interface StoredObject {
  readonly bucket: string;
  readonly key: string;
  content: Content<'sha1'> | undefined;
  isUsed: boolean;
}

const token = (): string => randomUUID().replaceAll('-', '').slice(0, 22);
export const urnOf = ({ bucket, key }: StoredObject): string => `urn:adsk.objects:os.object:${bucket}/${key}`;

export type State = ReturnType<typeof createState>;

/** Hubs, projects, folders, items with their versions, and the objects that hold their bytes. */
export function createState(keepUpTo: number) {
  const contents = createContents({ hashes: { sha1: nodeHash('sha1') }, keepUpTo });
  const parts = createContents({ hashes: {}, keepUpTo });
  const hubs = new Map<string, Hub>();
  const projects = new Map<string, Project>();
  const nodes = new Map<string, Node>();
  const inside = new Map<string, Set<string>>();
  const objects = new Map<string, StoredObject>();
  const versions = new Map<string, { readonly node: Node; readonly version: Version }>();

  const childrenOf = (id: string): Node[] => [...(inside.get(id) ?? [])].map((one) => nodes.get(one)).filter((node) => node !== undefined);

  function put(node: Node, parent: string): Node {
    nodes.set(node.id, node);
    if (node.parent !== undefined) inside.get(node.parent)?.delete(node.id);
    node.parent = parent;
    let siblings = inside.get(parent);
    if (!siblings) inside.set(parent, (siblings = new Set()));
    siblings.add(node.id);
    return node;
  }

  function newNode(kind: Node['kind'], project: Project, parent: string, name: string, isTop = false): Node {
    const id = kind === 'folders' ? `urn:adsk.wipprod:fs.folder:co.${token()}` : `urn:adsk.wipprod:dm.lineage:${token()}`;
    const now = new Date();
    return put(
      { kind, id, project, parent: undefined, name, isTop, hidden: false, what: 'File', created: now, modified: now, versions: [] },
      parent,
    );
  }

  function addVersion(node: Node, name: string, object: StoredObject | undefined, isDeleted = false): Version {
    const number = node.versions.length + 1;
    const file = `urn:adsk.wipprod:fs.file:vf.${node.id.split(':').at(-1) ?? ''}`;
    const version = { id: `${file}?version=${number}`, number, name, object, created: new Date(), isDeleted };
    node.versions.push(version);
    versions.set(version.id, { node, version });
    node.name = name;
    node.modified = version.created;
    node.hidden = isDeleted;
    return version;
  }

  function newObject(bucket: string, content?: Content<'sha1'>): StoredObject {
    const object = { bucket, key: `${randomUUID()}.bin`, content, isUsed: content !== undefined };
    objects.set(urnOf(object), object);
    return object;
  }

  return {
    contents,
    /** Uploaded parts, whose hashes are not exposed. */
    parts,
    hubs,
    projects,
    nodes,
    objects,
    versions,
    childrenOf,
    put,
    newNode,
    addVersion,
    newObject,
    addHub(id: string, name: string, members: readonly string[]): Hub {
      const hub = { id, name, members: new Set(members) };
      hubs.set(id, hub);
      return hub;
    },
    /** Adds a project with its top folders, whose `name` is never displayed. */
    addProject(
      hub: Hub,
      name: string,
      tops: readonly string[],
      bucket = 'wip.dm.prod',
    ): { readonly project: Project; readonly tops: readonly Node[] } {
      const project = { id: `${hub.id.slice(0, 2)}${randomUUID()}`, name, hub: hub.id, bucket };
      projects.set(project.id, project);
      return { project, tops: tops.map((top) => newNode('folders', project, project.id, top, true)) };
    },
    addFile(folder: Node, name: string, bytes: string | Uint8Array): Node {
      const node = newNode('items', folder.project, folder.id, name);
      addVersion(node, name, newObject(folder.project.bucket, contents.of(bytes)));
      return node;
    },
    /** Returns the visible contents of a folder. */
    visibleIn: (id: string): Node[] => childrenOf(id).filter(({ hidden }) => !hidden),
  };
}
