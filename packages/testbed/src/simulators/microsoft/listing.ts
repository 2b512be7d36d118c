import type { Handler, Reply, SimulatedRequest } from '../kit/index.ts';
import { smallJpeg } from '../kit/picture.ts';
import type { Drive } from './drive.ts';
import { invalidRequest, itemNotFound, refused } from './replies.ts';
import { type World, driveIn, nodeIn, preAuthenticated } from './state.ts';
import { isPicture, selected, toChange, toItem } from './wire.ts';

/** Maximum page size by type of drive. */
const pages: Readonly<Record<Drive['type'], number>> = { personal: 200, business: 1000, documentLibrary: 1000 };

/** Returns one page of rows; the next link repeats the query with the position. */
function paged(world: World, request: SimulatedRequest, most: number, rows: readonly object[]): Reply {
  const { query, path } = request;
  const size = Math.min(Number(query.get('$top') ?? 200) || 200, most, world.manners.page ?? most);
  const skip = query.get('$skiptoken');
  const start = skip === null ? 0 : readSkip(skip);
  const value = rows.slice(start, start + size);
  if (start + size >= rows.length) return { json: { value } };
  const next = new URLSearchParams(query);
  next.set('$skiptoken', Buffer.from(`at ${start + size}`).toString('base64url'));
  return { json: { value, '@odata.nextLink': request.url(`${path}?${next.toString()}`) } };
}

function readSkip(token: string): number {
  const [, at] = /^at (\d+)$/.exec(Buffer.from(token, 'base64url').toString()) ?? [];
  if (at === undefined) throw invalidRequest('The skip token is not valid.');
  return Number(at);
}

/** Collections of items: children of a folder, search results, changes, and thumbnails. */
export function listingRoutes(world: World): Record<string, Handler> {
  const children: Handler = (request) => {
    const drive = driveIn(world, request);
    const folder = nodeIn(drive, request);
    if (folder.kind !== 'folder') throw itemNotFound();
    const nodes = [...folder.children.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    return paged(
      world,
      request,
      pages[drive.type],
      nodes.map((node) => selected(toItem(drive, node), request.query)),
    );
  };
  const search: Handler = (request) => {
    const drive = driveIn(world, request);
    const words = (request.params['q'] ?? '').replaceAll("''", "'").toLowerCase().split(/\s+/).filter(Boolean);
    const found = drive.under(nodeIn(drive, request)).filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
    return paged(
      world,
      request,
      200,
      found.map((node) => selected(toItem(drive, node), request.query)),
    );
  };
  return {
    'GET /drives/{drive-id}/root/children': children,
    'GET /drives/{drive-id}/items/{driveItem-id}/children': children,
    "GET /drives/{drive-id}/root/microsoft.graph.search(q='{q}')": search,
    "GET /drives/{drive-id}/items/{driveItem-id}/microsoft.graph.search(q='{q}')": search,
    "GET /drives/{drive-id}/root/microsoft.graph.delta(token='{token}')": (request) => {
      const drive = driveIn(world, request);
      const { token = '' } = request.params;
      const link = (moment: number) => {
        const query = request.query.toString();
        return request.url(`${request.path.replace(/delta\(.*$/, `delta(token='${moment}')`)}${query && `?${query}`}`);
      };
      if (token === 'latest') return { json: { value: [], '@odata.deltaLink': link(drive.now()) } };
      const moment = /^\d+$/.test(token) ? Number(token) : -1;
      if (world.manners.forgetsChanges) drive.state.oldest = drive.now();
      world.manners.forgetsChanges = false;
      if (moment < drive.state.oldest) throw refused(410, 'resyncRequired', 'Resync required.', 'resyncApplyDifferences');
      const changed = drive.changedAfter(moment);
      const page = changed.slice(0, world.manners.page ?? 200);
      const value = page.map(({ node }) => selected(toChange(drive, node), request.query));
      if (page.length < changed.length) return { json: { value, '@odata.nextLink': link(page.at(-1)?.moment ?? moment) } };
      return { json: { value, '@odata.deltaLink': link(drive.now()) } };
    },
    'GET /drives/{drive-id}/items/{driveItem-id}/thumbnails': (request) => {
      const drive = driveIn(world, request);
      const { name } = nodeIn(drive, request);
      if (!isPicture(name)) return { json: { value: [] } };
      const picture = (width: number, height: number) => ({
        url: preAuthenticated(world, request, world.contents.of(smallJpeg), 'image/jpeg'),
        width,
        height,
      });
      return { json: { value: [{ id: '0', small: picture(96, 64), medium: picture(176, 117), large: picture(800, 533) }] } };
    },
  };
}
