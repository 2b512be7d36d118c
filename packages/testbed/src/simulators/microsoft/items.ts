import type { Handler, SimulatedRequest } from '../kit/index.ts';
import type { Conflict, Drive, Node } from './drive.ts';
import { invalidRequest, itemNotFound, refused } from './replies.ts';
import { type World, driveIn, nodeIn, preAuthenticated } from './state.ts';
import { selected, toItem, typeOf } from './wire.ts';

interface Change {
  readonly name?: string;
  readonly folder?: object;
  readonly parentReference?: { readonly id?: string; readonly driveId?: string };
  readonly fileSystemInfo?: { readonly lastModifiedDateTime?: string };
  readonly '@microsoft.graph.conflictBehavior'?: Conflict;
}

/** Builds the item for a request's response. */
export function shown(world: World, drive: Drive, node: Node, request: SimulatedRequest) {
  const isAsked = request.query.get('$select')?.includes('@microsoft.graph.downloadUrl') ?? true;
  const url = ({ content, name }: Node) => (content ? preAuthenticated(world, request, content, typeOf(name)) : '');
  return selected(toItem(drive, node, isAsked && world.manners.tellsDownloads ? url : undefined), request.query);
}

const notThere = (): never => {
  throw itemNotFound();
};

/** Resolves a folder reference. Items move only within their drive, and aliases are not accepted. */
function folderOf(drive: Drive, { id, driveId }: NonNullable<Change['parentReference']>): Node {
  if (id === undefined || id === 'root') throw invalidRequest('The parent must be told by its id.');
  if (driveId !== undefined && driveId !== drive.id) throw invalidRequest('Items cannot be moved across drives.');
  const folder = drive.find(id);
  if (folder.kind !== 'folder') throw invalidRequest('The parent is not a folder.');
  return folder;
}

/** Routes of single items: read, create, change, delete, and previous versions. */
export function itemRoutes(world: World): Record<string, Handler> {
  const show: Handler = (request) => {
    const drive = driveIn(world, request);
    return { json: shown(world, drive, nodeIn(drive, request), request) };
  };
  const make: Handler = (request) => {
    const drive = driveIn(world, request);
    const folder = nodeIn(drive, request);
    if (folder.kind !== 'folder') throw invalidRequest('The parent is not a folder.');
    const { name = '', folder: facet, '@microsoft.graph.conflictBehavior': conflict = 'fail' } = request.json<Change>();
    if (!facet || conflict === 'replace') throw invalidRequest('Only folders are made here.');
    return { status: 201, json: shown(world, drive, drive.addFolder(folder, name, conflict), request) };
  };
  return {
    'GET /drives/{drive-id}/root': show,
    'GET /drives/{drive-id}/items/{driveItem-id}': (request) => {
      const drive = driveIn(world, request);
      const deleted =
        drive.type === 'personal' && request.query.get('includeDeletedItems') === 'true'
          ? drive.deleted(request.params['driveItem-id'] ?? '')
          : undefined;
      if (!deleted) return show(request);
      return { json: selected({ ...toItem(drive, deleted), deleted: { state: 'deleted' } }, request.query) };
    },
    'POST /drives/{drive-id}/items/{driveItem-id}/microsoft.graph.restore': (request) => {
      const drive = driveIn(world, request);
      if (drive.type !== 'personal') throw refused(501, 'notSupported', 'Only personal drives restore items.');
      const node = drive.deleted(request.params['driveItem-id'] ?? '') ?? notThere();
      const { name, parentReference } = request.json<Change>();
      const folder = parentReference ? folderOf(drive, parentReference) : node.parent;
      if (!folder || folder.isDeleted) throw invalidRequest('The folder of the item was deleted.');
      drive.unearth(node, folder, name ?? node.name);
      return { json: shown(world, drive, node, request) };
    },
    'POST /drives/{drive-id}/root/children': make,
    'POST /drives/{drive-id}/items/{driveItem-id}/children': make,
    'PATCH /drives/{drive-id}/items/{driveItem-id}': (request) => {
      const drive = driveIn(world, request);
      const node = nodeIn(drive, request);
      const { name, parentReference, fileSystemInfo, '@microsoft.graph.conflictBehavior': conflict = 'fail' } = request.json<Change>();
      const time = fileSystemInfo?.lastModifiedDateTime;
      if (!node.parent) throw invalidRequest('The root cannot be changed.');
      if (name !== undefined || parentReference)
        drive.relocate(node, parentReference ? folderOf(drive, parentReference) : node.parent, name ?? node.name, conflict);
      if (time !== undefined) {
        node.modified = Date.parse(time);
        drive.touch(node);
      }
      return { json: shown(world, drive, node, request) };
    },
    'DELETE /drives/{drive-id}/items/{driveItem-id}': (request) => {
      const drive = driveIn(world, request);
      drive.remove(nodeIn(drive, request));
      return { status: 204 };
    },
    'GET /drives/{drive-id}/items/{driveItem-id}/versions': (request) => {
      const drive = driveIn(world, request);
      const node = nodeIn(drive, request);
      const current = { id: `${node.contentEdition}.0`, content: node.content, changed: node.changed };
      const value = [current, ...node.versions].map(({ id, content, changed }) => ({
        id,
        size: content?.size ?? 0,
        lastModifiedDateTime: new Date(changed).toISOString(),
      }));
      return { json: { value } };
    },
    'POST /drives/{drive-id}/items/{driveItem-id}/versions/{driveItemVersion-id}/microsoft.graph.restoreVersion': (request) => {
      const drive = driveIn(world, request);
      const node = nodeIn(drive, request);
      const version = node.versions.find(({ id }) => id === request.params['driveItemVersion-id']);
      if (!version) throw invalidRequest('There is no such version.');
      drive.replace(node, version.content, version.changed);
      return { status: 204 };
    },
  };
}
