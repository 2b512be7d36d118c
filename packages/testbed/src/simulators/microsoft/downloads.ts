import { type Handler, answerContent } from '../kit/index.ts';
import { itemNotFound, refused } from './replies.ts';
import { type World, driveIn, nodeIn, preAuthenticated } from './state.ts';
import { eTagOf, typeOf } from './wire.ts';

/** Downloads: Graph redirects to another host that needs no token. */
export function downloadRoutes(world: World) {
  const routes: Record<string, Handler> = {
    'GET /drives/{drive-id}/items/{driveItem-id}/content': (request) => {
      const node = nodeIn(driveIn(world, request), request);
      if (!node.content) throw itemNotFound();
      return { redirect: preAuthenticated(world, request, node.content, typeOf(node.name)), headers: { etag: eTagOf(node) } };
    },
    'GET /drives/{drive-id}/items/{driveItem-id}/versions/{driveItemVersion-id}/content': (request) => {
      const node = nodeIn(driveIn(world, request), request);
      const version = node.versions.find(({ id }) => id === request.params['driveItemVersion-id']);
      if (!version?.content) throw itemNotFound();
      return { redirect: preAuthenticated(world, request, version.content, typeOf(node.name)) };
    },
  };
  const hostRoutes: Record<string, Handler> = {
    'GET /download/{opaque}': (request) => {
      if (request.headers.authorization !== undefined) throw refused(401, 'unauthenticated', 'Authorization is not allowed here.');
      const found = world.downloads.get(request.params['opaque'] ?? '');
      if (!found || found.until < Date.now()) throw itemNotFound();
      return answerContent(request, found.content, { type: found.type });
    },
  };
  return { routes, hostRoutes };
}
