import { type Handler, type Reply, answerContent } from '../kit/index.ts';
import { drawPicture } from '../picture.ts';
import { type Node, type State, contents, filterOf, no, nodeJson } from './state.ts';

/** Test settings. */
export interface Manners {
  /** Storage quota in bytes. */
  quota: number;
  /** Number of next uploads to store damaged. */
  spoil: number;
}

const mostNodes = 200;
const types: Readonly<Record<string, string>> = { txt: 'text/plain', png: 'image/png', jpg: 'image/jpeg' };
const typeOf = (name: string): string => types[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/octet-stream';

/** Operations on nodes and their metadata. */
export function createRoutes(state: State, manners: Manners) {
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

  function changeable(id: string | undefined): Node {
    const node = state.find(id);
    if (node.isRoot) throw no(403, 'ROOT_NODE');
    return node;
  }

  const find: Handler = ({ query }) => page(query, [...state.nodes.values()].filter(filterOf(query.get('filters'))));

  const upload: Handler = async ({ form, file }) => {
    const { name = '', parents = [state.root.id] } = JSON.parse(form.get('metadata') ?? '{}') as { name?: string; parents?: string[] };
    if (!file || file.field !== 'content') throw no(400, 'INVALID_CONTENT');
    for (const id of parents) if (state.find(id).kind !== 'FOLDER') throw no(400, 'INVALID_PARENT');
    state.mayBe(name, parents);
    const received = await contents.receive(file.stream);
    if (received.size + state.used() > manners.quota) throw no(403, 'INSUFFICIENT_STORAGE');
    state.mayBe(name, parents);
    const isSpoilt = manners.spoil > 0 && (manners.spoil -= 1) >= 0;
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
    return answerContent(request, node.content, { type: node.contentType, unsatisfiable: { json: { code: 'INVALID_RANGE', info: {} } } });
  };

  /** One JSON object per line; the last one marks the end. */
  const changes: Handler = (request) => {
    const { checkpoint, chunkSize = 100 } = request.json<{ readonly checkpoint?: string; readonly chunkSize?: number }>();
    const since = checkpoint === undefined ? 0 : Number(checkpoint.replace(/^c-/, ''));
    if (Number.isNaN(since) || since > state.clock.changes) throw no(400, 'INVALID_CHECKPOINT');
    const news = [...state.nodes.values()].filter(({ change }) => change > since).sort((a, b) => a.change - b.change);
    const lines: object[] = [];
    for (let at = 0; at < news.length; at += chunkSize) {
      const nodes = news.slice(at, at + chunkSize);
      const reset = checkpoint === undefined && at === 0;
      lines.push({ checkpoint: `c-${nodes.at(-1)?.change}`, nodes: nodes.map(nodeJson), reset, statusCode: 200 });
    }
    if (lines.length === 0) lines.push({ checkpoint: `c-${state.clock.changes}`, nodes: [], reset: false, statusCode: 200 });
    lines.push({ end: true });
    return { text: lines.map((line) => `${JSON.stringify(line)}\n`).join(''), headers: { 'content-type': 'application/json' } };
  };

  return {
    find,
    upload,
    download,
    /** The customer's own endpoint. */
    customer: {
      'GET /drive/v1/account/quota': () => {
        const { quota } = manners;
        return { json: { quota, available: quota - state.used(), lastCalculated: new Date().toISOString() } };
      },
      'GET /drive/v1/nodes': find,
      'POST /drive/v1/nodes': ({ json }) => {
        const asked = json<{ readonly name: string; readonly kind: 'FOLDER'; readonly parents?: string[] }>();
        const { name, kind, parents = [state.root.id] } = asked;
        parents.forEach(state.find);
        state.mayBe(name, parents);
        return { status: 201, json: nodeJson(state.add({ name, kind, parents })) };
      },
      'GET /drive/v1/nodes/{id}': ({ params }) => ({ json: nodeJson(state.find(params['id'])) }),
      'PATCH /drive/v1/nodes/{id}': ({ params, json }) => {
        const node = changeable(params['id']);
        const { name = node.name } = json<{ readonly name?: string }>();
        state.mayBe(name, node.parents, node);
        node.name = name;
        return edited(node);
      },
      'GET /drive/v1/nodes/{id}/children': ({ params, query }) => {
        const { id } = state.find(params['id']);
        const isWanted = filterOf(query.get('filters'));
        const all = [...state.nodes.values()].filter((node) => node.parents.includes(id) && isWanted(node));
        return page(query, all);
      },
      'POST /drive/v1/nodes/{id}/children': ({ params, json }) => {
        const { fromParent, childId } = json<{ readonly fromParent: string; readonly childId: string }>();
        const node = changeable(childId);
        const target = state.find(params['id']);
        if (!node.parents.includes(fromParent)) throw no(400, 'INVALID_PARENT');
        state.mayBe(node.name, [target.id], node);
        node.parents = node.parents.map((id) => (id === fromParent ? target.id : id));
        return edited(node);
      },
      'PUT /drive/v1/trash/{id}': ({ params }) => {
        const node = changeable(params['id']);
        node.status = 'TRASH';
        return edited(node);
      },
      'POST /drive/v1/trash/{id}/restore': ({ params }) => {
        const node = changeable(params['id']);
        state.mayBe(node.name, node.parents, node);
        node.status = 'AVAILABLE';
        return edited(node);
      },
      'POST /drive/v1/changes': changes,
    } satisfies Record<string, Handler>,
  };
}
