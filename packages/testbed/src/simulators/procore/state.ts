import { type Content, createContents } from '../kit/index.ts';

export interface Company {
  readonly id: number;
  readonly name: string;
  /** Logins of the participants. */
  readonly members: ReadonlySet<string>;
  /** Whether its administrator has installed the application. */
  readonly isConnected: boolean;
}

/** The documents of a project, or of a company. */
export interface Space {
  readonly company: Company;
  /** Id and name of the project; undefined for the company's own documents. */
  readonly project: { readonly id: number; readonly name: string } | undefined;
  readonly root: Node;
  readonly bin: Node;
}

export interface Version {
  readonly id: number;
  readonly number: number;
  readonly content: Content;
  readonly created: Date;
}

export interface Node {
  readonly kind: 'folder' | 'file';
  readonly id: number;
  readonly space: () => Space;
  parent: number | undefined;
  name: string;
  isDeleted: boolean;
  readonly isBin: boolean;
  readonly created: Date;
  updated: Date;
  /** Versions of a file; the newest last. */
  readonly versions: Version[];
}

export type State = ReturnType<typeof createState>;

/** Companies, their projects, and the documents of both. */
export function createState(keepUpTo: number) {
  const contents = createContents({ hashes: {}, keepUpTo });
  const companies = new Map<number, Company>();
  const projects = new Map<number, Space>();
  const companySpaces = new Map<number, Space>();
  const nodes = new Map<number, Node>();
  const inside = new Map<number, Set<number>>();
  let last = 562_949_953_000_000;
  const newId = (): number => (last += 7);

  function put(node: Node, parent: number | undefined): Node {
    nodes.set(node.id, node);
    if (node.parent !== undefined) inside.get(node.parent)?.delete(node.id);
    node.parent = parent;
    if (parent === undefined) return node;
    const siblings = inside.get(parent) ?? new Set();
    inside.set(parent, siblings.add(node.id));
    return node;
  }

  function newNode(kind: Node['kind'], space: () => Space, parent: number | undefined, name: string, isBin = false): Node {
    const now = new Date();
    return put(
      { kind, id: newId(), space, parent: undefined, name, isDeleted: false, isBin, created: now, updated: now, versions: [] },
      parent,
    );
  }

  function newSpace(company: Company, project: Space['project']): Space {
    const itself: { space?: Space } = {};
    const told = (): Space => {
      if (!itself.space) throw new Error('the space is not there yet');
      return itself.space;
    };
    const root = newNode('folder', told, undefined, project?.name ?? company.name);
    const bin = newNode('folder', told, root.id, 'Recycle Bin', true);
    return (itself.space = { company, project, root, bin });
  }

  function addVersion(node: Node, content: Content): Version {
    const version = { id: newId(), number: node.versions.length + 1, content, created: new Date() };
    node.versions.push(version);
    node.updated = version.created;
    return version;
  }

  return {
    contents,
    companies,
    projects,
    companySpaces,
    nodes,
    newId,
    newNode,
    put,
    addVersion,
    childrenOf: (id: number): Node[] => [...(inside.get(id) ?? [])].map((one) => nodes.get(one)).filter((node) => node !== undefined),
    addCompany(name: string, members: readonly string[], isConnected = true): Company {
      const company = { id: newId(), name, members: new Set(members), isConnected };
      companies.set(company.id, company);
      companySpaces.set(company.id, newSpace(company, undefined));
      return company;
    },
    addProject(company: Company, name: string): Space {
      const id = newId();
      const space = newSpace(company, { id, name });
      projects.set(id, space);
      return space;
    },
    addFile(folder: Node, name: string, bytes: string | Uint8Array): Node {
      const node = newNode('file', folder.space, folder.id, name);
      addVersion(node, contents.of(bytes));
      return node;
    },
  };
}
