import type { Handler, SimulatedRequest } from '../kit/index.ts';
import type { Finder } from './reading.ts';
import { document, folderJson, isConstruction, itemJson, no, versionJson } from './replies.ts';
import { type Node, type Project, type State, type StoredObject, urnOf } from './state.ts';

interface Ref {
  readonly data: { readonly id: string };
}
interface Sent {
  readonly data: {
    readonly id: string;
    readonly attributes: {
      readonly name?: string;
      readonly displayName?: string;
      readonly hidden?: boolean;
      readonly extension?: { readonly type: string };
    };
    readonly relationships: { readonly parent?: Ref; readonly target?: Ref; readonly item?: Ref; readonly storage?: Ref };
  };
  readonly included?: readonly [{ readonly attributes: { readonly name: string }; readonly relationships?: { readonly storage?: Ref } }];
}

const forbiddenInNames = /[<>:"/\\|?*'\n\r\t\0\f¢™$®]/;

/** Routes that create and change folders, items and versions. */
export function changingRoutes(state: State, find: Finder): Record<string, Handler> {
  function checkName(name: string): void {
    if (name === '' || name.length > 255 || forbiddenInNames.test(name))
      throw no(400, 'BAD_INPUT', 'The name has characters that are not allowed.');
  }

  /** Construction Cloud has unique item names in a folder; Fusion Team checks folders only. */
  function checkFree(project: Project, parent: string, name: string, kind: Node['kind'], itself?: Node): void {
    checkName(name);
    const taken = state
      .visibleIn(parent)
      .some((node) => node !== itself && node.name === name && (isConstruction(project) || node.kind === kind));
    if (taken && (isConstruction(project) || kind === 'folders'))
      throw no(409, 'CONFLICT', 'Another object with the same name already exists.');
  }

  function checkType(project: Project, kind: string, what: string, sent: Sent['data']['attributes']): void {
    const wanted = `${kind}:autodesk.${isConstruction(project) ? 'bim360' : 'core'}:${what}`;
    if (sent.extension?.type !== wanted) throw no(400, 'BAD_INPUT', `The project takes ${wanted} only.`);
  }

  /** Returns uploaded bytes, which can be used once. */
  function take(project: Project, urn: string | undefined): StoredObject {
    const object = state.objects.get(urn ?? '');
    if (!object?.content || object.isUsed || object.bucket !== project.bucket)
      throw no(400, 'BAD_INPUT', 'The storage is not known, empty, or in use.');
    object.isUsed = true;
    return object;
  }

  function source(request: SimulatedRequest, project: Project): { readonly object: StoredObject; readonly what: string } | undefined {
    const from = request.query.get('copyFrom');
    if (from === null) return undefined;
    const known = state.versions.get(from);
    if (!isConstruction(project) || known?.node.project !== project || known.version.isDeleted || !known.version.object)
      throw no(400, 'BAD_INPUT', 'The version cannot be copied.');
    return { object: known.version.object, what: known.node.what };
  }

  const storage: Handler = (request) => {
    const { data } = request.json<Sent>();
    const project = find.project(request);
    const target = data.relationships.target?.data.id ?? '';
    find.living(request, 'folders', target);
    checkName(data.attributes.name ?? '');
    const object = state.newObject(project.bucket);
    return { status: 201, json: { jsonapi: { version: '1.0' }, data: { type: 'objects', id: urnOf(object) } } };
  };

  const createFolder: Handler = (request) => {
    const { data } = request.json<Sent>();
    const project = find.project(request);
    const parent = find.living(request, 'folders', data.relationships.parent?.data.id ?? '');
    const name = data.attributes.name ?? '';
    checkType(project, 'folders', 'Folder', data.attributes);
    checkFree(project, parent.id, name, 'folders');
    const made = state.newNode('folders', project, parent.id, name);
    return { status: 201, json: document(request.url, request.path, folderJson(made, 0, request.url)) };
  };

  const patchFolder: Handler = (request) => {
    const { data } = request.json<Sent>();
    const node = find.node(request, 'folders', request.params['folder_id'] ?? '');
    if (data.id !== node.id) throw no(400, 'BAD_INPUT', 'The folder is another one.');
    if (node.isTop) throw no(403, 'FORBIDDEN', 'A top folder stays as it is.');
    const { name = node.name, hidden } = data.attributes;
    const parent = data.relationships?.parent?.data.id ?? node.parent ?? '';
    find.living(request, 'folders', parent);
    for (let above = state.nodes.get(parent); above; above = state.nodes.get(above.parent ?? ''))
      if (above === node) throw no(400, 'BAD_INPUT', 'A folder cannot go into itself.');
    if (hidden !== true) checkFree(node.project, parent, name, 'folders', node);
    node.name = name;
    node.hidden = hidden ?? node.hidden;
    node.modified = new Date();
    state.put(node, parent);
    return { json: document(request.url, request.path, folderJson(node, state.visibleIn(node.id).length, request.url)) };
  };

  const createItem: Handler = (request) => {
    const { data, included } = request.json<Sent>();
    const project = find.project(request);
    const parent = find.living(request, 'folders', data.relationships.parent?.data.id ?? '');
    const version = included?.[0];
    const name = version?.attributes.name ?? '';
    const copied = source(request, project);
    checkType(project, 'items', copied?.what ?? 'File', data.attributes);
    checkFree(project, parent.id, name, 'items');
    const object = copied?.object ?? take(project, version?.relationships?.storage?.data.id);
    const node = state.newNode('items', project, parent.id, name);
    node.what = copied?.what ?? 'File';
    const made = state.addVersion(node, name, object);
    const json = document(request.url, request.path, itemJson(node, request.url), { included: [versionJson(node, made, request.url)] });
    return { status: 201, json };
  };

  const createVersion: Handler = (request) => {
    const { data } = request.json<Sent>();
    const project = find.project(request);
    const node = find.living(request, 'items', data.relationships.item?.data.id ?? '');
    const name = data.attributes.name ?? '';
    const isDeleted = data.attributes.extension?.type === 'versions:autodesk.core:Deleted';
    if (!isDeleted) {
      checkType(project, 'versions', node.what, data.attributes);
      checkFree(project, node.parent ?? '', name, 'items', node);
    }
    const object = isDeleted ? undefined : (source(request, project)?.object ?? take(project, data.relationships.storage?.data.id));
    const made = state.addVersion(node, isDeleted ? node.name : name, object, isDeleted);
    return { status: 201, json: document(request.url, request.path, versionJson(node, made, request.url)) };
  };

  const patchItem: Handler = (request) => {
    const { data } = request.json<Sent>();
    const node = find.living(request, 'items', request.params['item_id'] ?? '');
    const name = data.attributes.displayName ?? node.name;
    if (isConstruction(node.project)) throw no(400, 'BAD_INPUT', 'Items of the project are named after their versions.');
    checkName(name);
    node.name = name;
    return { json: document(request.url, request.path, itemJson(node, request.url)) };
  };

  return {
    'POST /data/v1/projects/{project_id}/storage': storage,
    'POST /data/v1/projects/{project_id}/folders': createFolder,
    'PATCH /data/v1/projects/{project_id}/folders/{folder_id}': patchFolder,
    'POST /data/v1/projects/{project_id}/items': createItem,
    'POST /data/v1/projects/{project_id}/versions': createVersion,
    'PATCH /data/v1/projects/{project_id}/items/{item_id}': patchItem,
  };
}
