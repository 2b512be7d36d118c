import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import {
  type Handler,
  type Identity,
  type Problem,
  type RejectedToken,
  type Reply,
  type SimulatedRequest,
  answerContent,
  readDescription,
  startSimulator,
} from '../kit/index.ts';
import { drawPicture } from '../picture.ts';
import { seed } from './seed.ts';
import { type File, type Item, contents, createState, currentOf, itemJson, no } from './state.ts';

const description = readDescription(join(import.meta.dirname, 'description.json'));
const base = '/documents/api/1.2';

export type Oracle = Awaited<ReturnType<typeof startOracle>>;

const account = { id: 'u1', email: 'mara@example.org', name: 'Mara' };
const statuses: Readonly<Record<Problem['kind'], number>> = {
  badRequest: 400,
  unknownOperation: 404,
  notSimulated: 500,
  unauthorized: 401,
  forbidden: 403,
  rateLimited: 503,
  broken: 500,
};
const mostItems = 10_000;
const usualItems = 50;

/** Oracle Documents for one user, who signs in with name and password. */
export async function startOracle() {
  const state = createState();
  const user = { username: 'mara@example.org', password: 'Ünïque pass' };
  const limits = { largest: Number.POSITIVE_INFINITY };

  function authenticate({ headers }: IncomingMessage): Identity | RejectedToken {
    const [, basic] = /^Basic (.+)$/.exec(headers.authorization ?? '') ?? [];
    if (basic === undefined) return 'missing';
    const isRight = Buffer.from(basic, 'base64').toString() === `${user.username}:${user.password}`;
    return isRight ? { account, token: basic, scopes: [] } : 'invalid';
  }

  const refusal = (problem: Problem): Reply => ({
    status: statuses[problem.kind],
    json: {
      errorCode: String(-statuses[problem.kind]),
      errorKey: `!csc${problem.kind}`,
      title: 'why' in problem ? problem.why : problem.kind,
    },
  });

  function page(query: URLSearchParams, all: readonly Item[]): Reply {
    const limit = Math.min(Number(query.get('limit') ?? usualItems), mostItems);
    const offset = Number(query.get('offset') ?? 0);
    const [field = 'name', order = 'asc'] = (query.get('orderby') ?? 'name:asc').split(':');
    const keyOf = (item: Item) => (field === 'name' ? item.name.toLowerCase() : String(item.modified));
    const sorted = all.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1) * (order === 'desc' ? -1 : 1));
    const items = sorted.slice(offset, offset + limit).map(itemJson);
    const hasMore = offset + limit < all.length ? '1' : '0';
    return { json: { count: String(items.length), totalResults: String(all.length), hasMore, items, errorCode: '0' } };
  }

  const idOf = ({ params }: SimulatedRequest): string => params['folderId'] ?? params['fileId'] ?? '';
  const typeOf = ({ operation }: SimulatedRequest): Item['type'] => (operation.includes('/files/') ? 'file' : 'folder');
  const itemOf = (request: SimulatedRequest): Item => state.find(idOf(request), typeOf(request));

  function fileOf(request: SimulatedRequest): File {
    const item = itemOf(request);
    if (item.type !== 'file') throw no(404, 'ItemNotFound', 'The item is not there');
    return item;
  }

  /** Refuses changes to a file that another user has reserved. */
  function changeable(request: SimulatedRequest): Item {
    const item = itemOf(request);
    if (item.type === 'file' && item.isReserved) throw no(423, 'ItemReserved', 'The file is reserved');
    if (item === state.home) throw no(403, 'ItemNoAccess', 'The home folder stays');
    return item;
  }

  const search = (request: SimulatedRequest, folder: Item): Reply => {
    const words = (request.query.get('fulltext') ?? '').toLowerCase();
    const all = [...state.items.values()].filter((item) => item !== folder && state.isBelow(item, folder.id) && !state.isGone(item));
    return page(
      request.query,
      all.filter(({ name }) => name.toLowerCase().includes(words)),
    );
  };

  const edit: Handler = (request) => {
    const item = changeable(request);
    const { name } = request.json<{ readonly name?: string }>();
    if (name !== undefined) {
      state.mayBe(item.parent, name, item);
      item.name = name;
    }
    state.touch(item);
    return { json: itemJson(item) };
  };

  const relocate =
    (way: 'move' | 'copy'): Handler =>
    (request) => {
      const item = way === 'move' ? changeable(request) : itemOf(request);
      const destination = state.find(request.json<{ readonly destinationID: string }>().destinationID, 'folder');
      if (item.type === 'folder' && state.isBelow(destination, item.id))
        throw no(403, 'FolderIntoItself', 'A folder cannot go into itself');
      state.mayBe(destination.id, item.name);
      if (way === 'move') item.parent = destination.id;
      else state.copy(item, destination.id);
      return { json: { destinationID: destination.id, idList: `${item.type}:${item.id}`, type: item.type, errorCode: '0' } };
    };

  async function upload(request: SimulatedRequest): Promise<Reply> {
    const { file, form } = request;
    if (!file || file.field !== 'primaryFile' || !file.filename) throw no(400, 'NoPrimaryFile', 'primaryFile is missing');
    const { parentID } = JSON.parse(form.get('jsonInputParameters') ?? '{}') as { readonly parentID?: string };
    const folder = state.find(parentID ?? '', 'folder');
    const name = file.filename;
    const content = await contents.receive(file.stream);
    if (content.size > limits.largest) throw no(413, 'FileTooLarge', 'The file is too large');
    const there = state.namesake(folder.id, name);
    if (there?.type === 'folder') throw no(409, 'ItemExists', 'The name is used');
    if (there?.isReserved) throw no(423, 'ItemReserved', 'The file is reserved');
    if (there) {
      there.versions.push(content);
      state.touch(there);
      return { status: 201, json: itemJson(there) };
    }
    state.mayBe(folder.id, name);
    return { status: 201, json: itemJson(state.addFile(folder.id, name, file.type ?? 'application/octet-stream', content)) };
  }

  const remove: Handler = (request) => {
    const item = changeable(request);
    const version = request.query.get('version');
    if (version !== null && item.type === 'file') item.versions[Number(version) - 1] = undefined;
    else item.isTrashed = true;
    return { json: { errorCode: '0' } };
  };

  const download: Handler = (request) => {
    const content = currentOf(fileOf(request));
    if (!content) throw no(404, 'ItemNotFound', 'The version is not there');
    return answerContent(request, content, {
      type: fileOf(request).mimeType,
      unsatisfiable: { json: { errorCode: '-416', errorKey: '!cscInvalidRange' } },
    });
  };

  const thumbnail: Handler = (request) => {
    if (!/\.(png|jpe?g|pdf|docx)$/i.test(fileOf(request).name)) throw no(404, 'RenditionNotFound', 'There is no thumbnail');
    return { bytes: drawPicture(60, 40, [255, 255, 255], [25, 113, 194]) };
  };

  const routes: Readonly<Record<string, Handler>> = {
    'GET /folders/items': ({ query }) => page(query, state.atRoot()),
    'GET /folders/{folderId}/items': (request) => {
      const filter = request.query.get('filterName')?.toLowerCase() ?? '';
      const all = state.childrenOf(itemOf(request).id);
      return page(
        request.query,
        all.filter(({ name }) => name.toLowerCase().includes(filter)),
      );
    },
    'GET /folders/search/items': (request) => search(request, state.home),
    'GET /folders/{folderId}/search/items': (request) => search(request, itemOf(request)),
    'GET /folders/{folderId}': (request) => ({ json: itemJson(itemOf(request)) }),
    'POST /folders/{folderId}': (request) => {
      const { name } = request.json<{ readonly name: string }>();
      return { status: 201, json: itemJson(state.addFolder(itemOf(request).id, name)) };
    },
    'PUT /folders/{folderId}': edit,
    'DELETE /folders/{folderId}': remove,
    'POST /folders/{folderId}/copy': relocate('copy'),
    'POST /folders/{folderId}/move': relocate('move'),
    'POST /files/data': upload,
    'GET /files/{fileId}/data': download,
    'GET /files/{fileId}/data/thumbnail': thumbnail,
    'GET /files/{fileId}': (request) => ({ json: itemJson(itemOf(request)) }),
    'PUT /files/{fileId}': edit,
    'DELETE /files/{fileId}': remove,
    'POST /files/{fileId}/copy': relocate('copy'),
    'POST /files/{fileId}/move': relocate('move'),
  };
  const simulator = await startSimulator({
    name: 'oracle',
    authenticate,
    refusal,
    mounts: [
      {
        at: '',
        description,
        routes: Object.fromEntries(Object.entries(routes).map(([key, handler]) => [key.replace(' ', ` ${base}`), handler])),
        alsoStatuses: { 413: 'Error', 416: 'Error', 423: 'Error' },
      },
    ],
  });
  return { ...simulator, simulator, state, user, limits, seed: () => seed(state) };
}
