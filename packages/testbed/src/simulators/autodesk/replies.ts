import { type Problem, type Reply, refuse } from '../kit/index.ts';
import { type Node, type Project, type Version, urnOf } from './state.ts';

type Url = (path: string) => string;

const jsonapi = { version: '1.0' };
const person = { createUserId: 'MARA01', createUserName: 'Mara Lind', lastModifiedUserId: 'MARA01', lastModifiedUserName: 'Mara Lind' };
/** Seven decimals, as Autodesk writes times. */
const timeOf = (date: Date): string => date.toISOString().replace('Z', '0000Z');

/** A JSON:API error. */
export const no = (status: number, code: string, detail: string): Error =>
  refuse({ status, json: { jsonapi, errors: [{ id: crypto.randomUUID(), status: String(status), code, title: detail, detail }] } });

const gateway = (status: number, errorCode: string, developerMessage: string): Reply => ({
  status,
  json: { developerMessage, errorCode, 'more info': 'https://aps.autodesk.com/en/docs/oauth/v2/developers_guide/error_handling/' },
});

/** Maps the kit's problems to Autodesk's errors. */
export function refusal(problem: Problem): Reply {
  switch (problem.kind) {
    case 'unauthorized':
      return gateway(401, 'AUTH-006', 'The token has expired or is invalid.');
    case 'forbidden':
      return gateway(403, 'AUTH-010', 'Token does not have the privilege for this request.');
    case 'rateLimited':
      return gateway(429, 'RATE-001', 'Quota limit exceeded.');
    case 'unknownOperation':
      return gateway(404, 'GATEWAY-404', problem.why);
    case 'notSimulated':
      return gateway(501, 'GATEWAY-501', problem.why);
    case 'badRequest':
      return { status: 400, json: { jsonapi, errors: [{ status: '400', code: 'BAD_INPUT', title: 'Bad input', detail: problem.why }] } };
    case 'broken':
      return { status: 500, json: { jsonapi, errors: [{ status: '500', code: 'INTERNAL', detail: problem.why }] } };
  }
}

export const pathOfNode = ({ kind, id, project }: Node): string => `/data/v1/projects/${project.id}/${kind}/${encodeURIComponent(id)}`;
export const isConstruction = ({ id }: Project): boolean => id.startsWith('b.');

function links(url: Url, path: string) {
  const link = (what: string) => ({ href: url(`${path}${what}`) });
  return {
    self: { self: link('') },
    refs: { links: { self: link('/relationships/refs'), related: link('/refs') } },
    links: { links: { self: link('/relationships/links') } },
    related: (what: string) => ({ links: { related: link(what) } }),
  };
}

const extensionOf = (kind: string, what: string, project: Project) => {
  const type = `${kind}:autodesk.${isConstruction(project) ? 'bim360' : 'core'}:${what}`;
  return { type, version: '1.0', schema: { href: `https://developer.api.autodesk.com/schema/v1/versions/${type}-1.0` } };
};

export function folderJson(node: Node, count: number, url: Url) {
  const to = links(url, pathOfNode(node));
  return {
    type: 'folders',
    id: node.id,
    attributes: {
      name: node.isTop ? `${node.project.id}-root-folder` : node.name,
      displayName: node.name,
      objectCount: count,
      createTime: timeOf(node.created),
      lastModifiedTime: timeOf(node.modified),
      ...person,
      hidden: node.hidden,
      extension: extensionOf('folders', 'Folder', node.project),
    },
    links: to.self,
    relationships: {
      parent: node.isTop ? to.related('/parent') : { ...to.related('/parent'), data: { type: 'folders', id: node.parent } },
      refs: to.refs,
      links: to.links,
      contents: to.related('/contents'),
    },
  };
}

export function itemJson(node: Node, url: Url) {
  const to = links(url, pathOfNode(node));
  return {
    type: 'items',
    id: node.id,
    attributes: {
      displayName: node.name,
      createTime: timeOf(node.created),
      lastModifiedTime: timeOf(node.modified),
      ...person,
      hidden: node.hidden,
      reserved: false,
      extension: extensionOf('items', node.what, node.project),
    },
    relationships: {
      parent: { ...to.related('/parent'), data: { type: 'folders', id: node.parent } },
      tip: { ...to.related('/tip'), data: { type: 'versions', id: node.versions.at(-1)?.id } },
      versions: to.related('/versions'),
      refs: to.refs,
      links: to.links,
    },
    links: to.self,
  };
}

export function versionJson(node: Node, version: Version, url: Url) {
  const to = links(url, `/data/v1/projects/${node.project.id}/versions/${encodeURIComponent(version.id)}`);
  const { object } = version;
  return {
    type: 'versions',
    id: version.id,
    attributes: {
      name: version.name,
      displayName: version.name,
      versionNumber: version.number,
      ...(object?.content && { storageSize: object.content.size }),
      createTime: timeOf(version.created),
      lastModifiedTime: timeOf(version.created),
      ...person,
      extension: extensionOf('versions', version.isDeleted ? 'Deleted' : node.what, node.project),
    },
    relationships: {
      item: { ...to.related('/item'), data: { type: 'items', id: node.id } },
      refs: to.refs,
      links: to.links,
      ...(object && { storage: { data: { type: 'objects', id: urnOf(object) } } }),
    },
    links: to.self,
  };
}

export const document = (url: Url, path: string, data: unknown, more: object = {}) => ({
  jsonapi,
  links: { self: { href: url(path) } },
  data,
  ...more,
});
