import type { Account, Identity, SimulatedRequest } from '../kit/index.ts';
import { badRequest, badSelectUser, stalePathRoot, union } from './refusals.ts';
import { type Node, PathError, type Tree, createTree, newFolder, segmentsOf } from './tree.ts';

/** A Dropbox user, without a team or as a member of one whose space contains everybody's folders. */
export interface Person {
  readonly account: Account;
  readonly tree: Tree;
  /** Path of the user's own folder in the tree. */
  readonly home: readonly string[];
  readonly homeNamespace: string;
  readonly member?: { readonly id: string; readonly isAdmin: boolean };
}

/** The part of a tree that a request sees. */
export interface View {
  readonly person: Person;
  readonly tree: Tree;
  /** Prefix of every path of the request. */
  readonly base: readonly string[];
}

export interface People {
  readonly all: readonly Person[];
  readonly team: { readonly id: string; readonly name: string; readonly tree: Tree };
  /** The user's namespaces in `get_current_account`. */
  rootInfo(person: Person): unknown;
  /** Gives the team space another namespace, as when somebody joins or leaves. */
  moveRoot(): void;
  /** Returns the user of a token and of the header that selects a member. */
  personOf(identity: Pick<Identity, 'account' | 'scopes'>, selected: string | undefined): Person;
  viewOf(request: SimulatedRequest): View;
}

const accountId = (name: string): string => `dbid:${name.padEnd(35, 'A')}`;
/** Tokens with this scope belong to a team when a member granted them: requests must select a member. */
const teamScope = 'team_data.member';

/** One user without a team, and a team of two with one shared folder for both and one for a single member. */
export function createPeople(): People {
  const account = (name: string): Account => ({
    id: accountId(name),
    email: `${name.toLowerCase()}@example.org`,
    name: `${name} Example`,
  });
  const [mara, noor, otto] = [account('Mara'), account('Noor'), account('Otto')];
  const own = createTree();
  const team = createTree();
  const join = (person: Account, isAdmin: boolean, homeNamespace: string): Person => {
    team.root.children.set(person.name.toLowerCase(), newFolder(person.name, new Set([person.id])));
    return { account: person, tree: team, home: [person.name], homeNamespace, member: { id: `dbmid:${person.id.slice(5)}`, isAdmin } };
  };
  const all: readonly Person[] = [
    { account: mara, tree: own, home: [], homeNamespace: '1001' },
    join(noor, true, '2001'),
    join(otto, false, '2002'),
  ];
  team.root.children.set('all hands', newFolder('All hands', new Set([noor.id, otto.id])));
  team.root.children.set('only otto', newFolder('Only Otto', new Set([otto.id])));
  let teamNamespace = 2000;

  const rootOf = (person: Person): string => (person.tree === team ? String(teamNamespace) : person.homeNamespace);

  const people: People = {
    all,
    team: { id: 'dbtid:Example', name: 'Example Team', tree: team },
    rootInfo: (person) => ({
      '.tag': person.tree === team ? 'team' : 'user',
      root_namespace_id: rootOf(person),
      home_namespace_id: person.homeNamespace,
      home_path: person.tree.told(person.home),
    }),
    moveRoot: () => void (teamNamespace += 10_000),
    personOf({ account: who, scopes }, selected) {
      const isTeamToken = scopes.includes(teamScope) && all.some(({ account: one, member }) => one.id === who.id && member);
      if (isTeamToken && selected === undefined) throw badRequest('the token is for a whole team, and no member is selected');
      if (!isTeamToken && selected !== undefined) throw badRequest('only a team may select a user');
      const person = all.find((one) => (isTeamToken ? one.member?.id === selected : one.account.id === who.id));
      if (!person) throw badSelectUser();
      return person;
    },
    viewOf(request) {
      const person = people.personOf(request, headerOf(request, 'dropbox-api-select-user'));
      const asked = headerOf(request, 'dropbox-api-path-root');
      const root = asked === undefined ? { '.tag': 'home' } : (JSON.parse(asked) as Readonly<Record<string, string>>);
      const current = rootOf(person);
      const { tree, home } = person;
      if (root['.tag'] === 'root' && root['root'] !== current) throw stalePathRoot(people.rootInfo(person));
      const isRoot = root['.tag'] === 'root' || root['namespace_id'] === current;
      return { person, tree, base: isRoot ? [] : home };
    },
  };
  return people;
}

const headerOf = ({ headers }: SimulatedRequest, name: string): string | undefined => headers[name]?.toString();

/** Resolves a path of the view, or an id; throws `not_found` for what the user may not see. */
export function inView({ tree, base, person }: View, path: string): string[] {
  if (/^(ns|rev):/.test(path)) throw badRequest(`the simulator knows no paths such as ${path.slice(0, 3)}`);
  const segments = path.startsWith('id:') ? tree.placeOfId(path) : [...base, ...segmentsOf(path)];
  if (!segments) throw new PathError(union('not_found'));
  const [first] = segments;
  const top = first === undefined ? undefined : tree.root.children.get(first.toLowerCase());
  if (top && !maySee(top, person)) throw new PathError(union('not_found'));
  return segments;
}

/** Whether a user sees an item at the top of a tree. */
export const maySee = (node: Node, { account }: Person): boolean => node.kind === 'file' || (node.members?.has(account.id) ?? true);
