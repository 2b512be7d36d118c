import { join } from 'node:path';
import { type Handler, type Problem, type Reply, answerContent, createOAuth, readDescription, startSimulator } from '../kit/index.ts';
import { drawPicture } from '../picture.ts';
import { seed } from './seed.ts';
import { type Node, contents, createState, filterOf, no, nodeJson } from './state.ts';

const description = readDescription(join(import.meta.dirname, 'description.json'));

export type CloudDrive = Awaited<ReturnType<typeof startCloudDrive>>;

const mara = { id: 'u1', email: 'mara@example.org', name: 'Mara' };
const mostNodes = 200;
const statuses: Readonly<Record<Problem['kind'], number>> = {
  badRequest: 400,
  unknownOperation: 404,
  notSimulated: 500,
  unauthorized: 401,
  forbidden: 403,
  rateLimited: 429,
  broken: 500,
};

interface Options {
  readonly redirectUris?: readonly string[];
}

/** Amazon Cloud Drive as its clients knew it: Login with Amazon, nodes, contents at an address of their own, a bin, changes. */
export async function startCloudDrive({ redirectUris = ['http://127.0.0.1:1/oauth'] }: Options = {}) {
  const state = createState();
  const client = { id: 'amzn1.application.sheaf', secret: 'amazon secret', title: 'Sheaf', redirectUris };
  const space = { quota: 5 * 1024 ** 3 };
  const plans = { spoil: 0 };
  const oauth = createOAuth({
    provider: 'Amazon',
    client,
    accounts: [mara],
    scopes: ['clouddrive:read_all', 'clouddrive:write'],
    pkce: 'none',
    rotation: 'none',
  });

  const refusal = (problem: Problem): Reply => ({
    status: statuses[problem.kind],
    json: { logref: '0', code: problem.kind, message: 'why' in problem ? problem.why : problem.kind, info: {} },
  });

  function page(query: URLSearchParams, all: readonly Node[]): Reply {
    const limit = Math.min(Number(query.get('limit') ?? mostNodes), mostNodes);
    const from = Number(Buffer.from(query.get('startToken') ?? '', 'base64').toString() || 0);
    const data = all.slice(from, from + limit).map(nodeJson);
    const next = from + limit < all.length ? { nextToken: Buffer.from(String(from + limit)).toString('base64') } : {};
    return { json: { count: all.length, data, ...next } };
  }

  function edited(node: Node): Reply {
    state.changed(node);
    return { json: nodeJson(node) };
  }

  function mayChange(id: string | undefined): Node {
    const node = state.find(id);
    if (node.isRoot) throw no(403, 'ROOT_NODE');
    return node;
  }

  const upload: Handler = async ({ form, file }) => {
    const { name = '', parents = [state.root.id] } = JSON.parse(form.get('metadata') ?? '{}') as { name?: string; parents?: string[] };
    if (!file || file.field !== 'content') throw no(400, 'INVALID_CONTENT');
    for (const id of parents) if (state.find(id).kind !== 'FOLDER') throw no(400, 'INVALID_PARENT');
    state.mayBe(name, parents);
    const received = await contents.receive(file.stream);
    if (received.size + state.used() > space.quota) throw no(403, 'INSUFFICIENT_STORAGE');
    state.mayBe(name, parents);
    const isSpoilt = plans.spoil > 0 && (plans.spoil -= 1) >= 0;
    const content = isSpoilt ? contents.of(Buffer.alloc(received.size, '?')) : received;
    return { status: 201, json: nodeJson(state.add({ name, kind: 'FILE', parents, content, contentType: typeOf(name) })) };
  };

  const download: Handler = (request) => {
    const node = state.find(request.params['id']);
    if (!node.content || node.status !== 'AVAILABLE') throw no(404, 'NODE_NOT_FOUND');
    if (request.query.has('viewBox')) {
      if (!node.contentType.startsWith('image/')) throw no(400, 'NO_PICTURE');
      return { bytes: drawPicture(60, 40, [255, 255, 255], [25, 113, 194]), headers: { 'content-type': 'image/png' } };
    }
    return answerContent(request, node.content, { type: node.contentType, unsatisfiable: refusal({ kind: 'badRequest', why: 'range' }) });
  };

  /** One JSON object in each line, the last of which says that it is the last. */
  const changes: Handler = (request) => {
    const { checkpoint, chunkSize = 100 } = request.json<{ readonly checkpoint?: string; readonly chunkSize?: number }>();
    const since = checkpoint === undefined ? 0 : Number(checkpoint.replace(/^c-/, ''));
    if (Number.isNaN(since) || since > state.clock.changes) throw no(400, 'INVALID_CHECKPOINT');
    const news = [...state.nodes.values()].filter(({ change }) => change > since).sort((a, b) => a.change - b.change);
    const lines: object[] = [];
    for (let at = 0; at < news.length; at += chunkSize) {
      const nodes = news.slice(at, at + chunkSize);
      lines.push({
        checkpoint: `c-${nodes.at(-1)?.change}`,
        nodes: nodes.map(nodeJson),
        reset: checkpoint === undefined && at === 0,
        statusCode: 200,
      });
    }
    if (lines.length === 0) lines.push({ checkpoint: `c-${state.clock.changes}`, nodes: [], reset: false, statusCode: 200 });
    lines.push({ end: true });
    return { text: lines.map((line) => `${JSON.stringify(line)}\n`).join(''), headers: { 'content-type': 'application/json' } };
  };

  const writes = { '*': ['clouddrive:read_all'] };
  const needsWrite = [
    'POST /drive/v1/nodes',
    'PATCH /drive/v1/nodes/{id}',
    'POST /drive/v1/nodes/{id}/children',
    'PUT /drive/v1/trash/{id}',
    'POST /drive/v1/trash/{id}/restore',
  ];
  const simulator = await startSimulator({
    name: 'clouddrive',
    authenticate: oauth.authenticate,
    refusal,
    mounts: [
      oauth.mount({ at: '/login', authorize: '/ap/oa', token: '/auth/o2/token' }),
      {
        at: '/api',
        description,
        scopes: { ...writes, ...Object.fromEntries(needsWrite.map((key) => [key, ['clouddrive:write']])) },
        alsoStatuses: { 403: 'Error' },
        routes: {
          'GET /drive/v1/account/endpoint': ({ url }) => ({
            json: { customerExists: true, metadataUrl: url('/customer/drive/v1/'), contentUrl: url('/content/cdproxy/') },
          }),
          'GET /drive/v1/nodes': ({ query }) => page(query, [...state.nodes.values()].filter(filterOf(query.get('filters')))),
        },
      },
      {
        at: '/customer',
        description,
        scopes: { ...writes, ...Object.fromEntries(needsWrite.map((key) => [key, ['clouddrive:write']])) },
        alsoStatuses: { 403: 'Error' },
        routes: {
          'GET /drive/v1/account/quota': () => ({
            json: { quota: space.quota, available: space.quota - state.used(), lastCalculated: new Date().toISOString() },
          }),
          'GET /drive/v1/nodes': ({ query }) => page(query, [...state.nodes.values()].filter(filterOf(query.get('filters')))),
          'POST /drive/v1/nodes': ({ json }) => {
            const {
              name,
              kind,
              parents = [state.root.id],
            } = json<{ readonly name: string; readonly kind: 'FOLDER'; readonly parents?: string[] }>();
            parents.forEach(state.find);
            state.mayBe(name, parents);
            return { status: 201, json: nodeJson(state.add({ name, kind, parents })) };
          },
          'GET /drive/v1/nodes/{id}': ({ params }) => ({ json: nodeJson(state.find(params['id'])) }),
          'PATCH /drive/v1/nodes/{id}': ({ params, json }) => {
            const node = mayChange(params['id']);
            const { name = node.name } = json<{ readonly name?: string }>();
            state.mayBe(name, node.parents, node);
            node.name = name;
            return edited(node);
          },
          'GET /drive/v1/nodes/{id}/children': ({ params, query }) => {
            const { id } = state.find(params['id']);
            const isWanted = filterOf(query.get('filters'));
            return page(
              query,
              [...state.nodes.values()].filter((node) => node.parents.includes(id) && isWanted(node)),
            );
          },
          'POST /drive/v1/nodes/{id}/children': ({ params, json }) => {
            const { fromParent, childId } = json<{ readonly fromParent: string; readonly childId: string }>();
            const node = mayChange(childId);
            const target = state.find(params['id']);
            if (!node.parents.includes(fromParent)) throw no(400, 'INVALID_PARENT');
            state.mayBe(node.name, [target.id], node);
            node.parents = node.parents.map((id) => (id === fromParent ? target.id : id));
            return edited(node);
          },
          'PUT /drive/v1/trash/{id}': ({ params }) => {
            const node = mayChange(params['id']);
            node.status = 'TRASH';
            return edited(node);
          },
          'POST /drive/v1/trash/{id}/restore': ({ params }) => {
            const node = mayChange(params['id']);
            state.mayBe(node.name, node.parents, node);
            node.status = 'AVAILABLE';
            return edited(node);
          },
          'POST /drive/v1/changes': changes,
        },
      },
      {
        at: '/content',
        description,
        scopes: { ...writes, 'POST /cdproxy/nodes': ['clouddrive:write'] },
        alsoStatuses: { 403: 'Error', 416: 'Error' },
        routes: { 'POST /cdproxy/nodes': upload, 'GET /cdproxy/nodes/{id}/content': download },
      },
    ],
  });

  return {
    ...simulator,
    simulator,
    state,
    contents,
    oauth,
    client,
    mara,
    space,
    /** The next uploads are stored as other bytes. */
    spoilNext: (times: number): void => {
      plans.spoil = times;
    },
    /** What the operator sets to have this drive linked. */
    app: {
      clientId: client.id,
      clientSecret: client.secret,
      apiUrl: `${simulator.url}/api/drive/v1`,
      authUrl: `${simulator.url}/login/ap/oa`,
      tokenUrl: `${simulator.url}/login/auth/o2/token`,
    },
    seed: () => seed(state),
  };
}

const types: Readonly<Record<string, string>> = { txt: 'text/plain', png: 'image/png', jpg: 'image/jpeg' };
const typeOf = (name: string): string => types[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/octet-stream';
