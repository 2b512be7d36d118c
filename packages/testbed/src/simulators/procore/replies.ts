import { type Problem, type Reply, refuse } from '../kit/index.ts';
import type { Node, State, Version } from './state.ts';

/** An error in Procore's format. */
export const no = (status: number, message: string): Error => refuse({ status, json: { code: status, message } });
/** A field that fails validation. */
export const invalid = (field: string, why: string): Error => refuse({ status: 422, json: { errors: { [field]: [why] } } });

const statuses: Readonly<Record<Problem['kind'], number>> = {
  badRequest: 400,
  unauthorized: 401,
  forbidden: 403,
  unknownOperation: 404,
  rateLimited: 429,
  broken: 500,
  notSimulated: 501,
};

/** Maps the kit's problems to Procore's errors. */
export function refusal(problem: Problem): Reply {
  const status = statuses[problem.kind];
  const message = 'why' in problem ? problem.why : problem.kind;
  if (problem.kind !== 'rateLimited') return { status, json: { code: status, message } };
  const reset = Math.ceil(Date.now() / 1000) + problem.retryAfter;
  const headers = { 'x-rate-limit-limit': '3600', 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': String(reset) };
  return { status, json: { errors: 'You have surpassed the max number of requests for an hour.' }, headers };
}

const timeOf = (date: Date): string => date.toISOString().replace(/\.\d+Z$/, 'Z');

export type Sign = (version: Version) => string;

/** Returns a node's path from its space's root folder. */
function pathOf(state: State, { name, parent }: Node): string {
  const above = parent === undefined ? undefined : state.nodes.get(parent);
  return above ? `${pathOf(state, above)}/${name}` : name;
}

export const versionJson = (node: Node, version: Version, sign: Sign) => ({
  id: version.id,
  notes: null,
  url: sign(version),
  size: version.content.size,
  created_at: timeOf(version.created),
  number: version.number,
  file_id: node.id,
});

export function fileJson(state: State, node: Node, sign: Sign, latestOnly = false) {
  const newest = node.versions.at(-1);
  const shown = latestOnly ? node.versions.slice(-1) : node.versions;
  return {
    id: node.id,
    name: node.name,
    parent_id: node.parent ?? null,
    size: newest?.content.size ?? 0,
    description: null,
    updated_at: timeOf(node.updated),
    created_at: timeOf(node.created),
    checked_out_until: null,
    name_with_path: pathOf(state, node),
    private: false,
    is_tracked: false,
    is_deleted: node.isDeleted,
    file_type: /\.([^.]+)$/.exec(node.name)?.[1] ?? null,
    file_versions: shown.toReversed().map((version) => versionJson(node, version, sign)),
  };
}

/** A folder's JSON with its items, but not the contents of its folders. */
export function folderJson(
  state: State,
  node: Node,
  within: { readonly folders?: readonly object[]; readonly files?: readonly object[] } = {},
) {
  const children = state.childrenOf(node.id);
  return {
    id: node.id,
    name: node.name,
    parent_id: node.parent ?? null,
    private: false,
    updated_at: timeOf(node.updated),
    is_tracked: false,
    name_with_path: pathOf(state, node),
    folders: within.folders ?? [],
    files: within.files ?? [],
    read_only: false,
    is_deleted: node.isDeleted,
    is_recycle_bin: node.isBin,
    has_children: children.length > 0,
    has_children_files: children.some(({ kind }) => kind === 'file'),
    has_children_folders: children.some(({ kind }) => kind === 'folder'),
  };
}

export function documentJson(state: State, node: Node, sign: Sign) {
  const newest = node.versions.at(-1);
  return {
    id: node.id,
    name: node.name,
    name_with_path: pathOf(state, node),
    parent_id: node.parent ?? null,
    created_at: timeOf(node.created),
    updated_at: timeOf(node.updated),
    read_only: false,
    is_deleted: node.isDeleted,
    is_recycle_bin: node.isBin,
    document_type: node.kind,
    is_tracked: false,
    private: false,
    ...(newest && { file: { current_version: versionJson(node, newest, sign), file_type: null } }),
  };
}
