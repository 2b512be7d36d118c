import { createHmac, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import {
  type Content,
  type Handler,
  type Identity,
  type Problem,
  type RejectedToken,
  type Reply,
  answerContent,
  createContents,
  readDescription,
  refuse,
  startSimulator,
} from '../kit/index.ts';

const description = readDescription(join(import.meta.dirname, 'description.json'));

export type CopyService = Awaited<ReturnType<typeof startCopy>>;

interface Node {
  readonly id: string;
  readonly content: Content | undefined;
  readonly synced: number;
  revision: number;
}

const mara = { id: 'u1', email: 'mara@example.org', name: 'Mara' };
const consumer = { key: 'sheaf consumer', secret: 'consumer secret/+' };
const user = { email: mara.email, token: 'token of mara', tokenSecret: 'token secret&' };
const statuses: Readonly<Record<Problem['kind'], number>> = {
  badRequest: 400,
  unknownOperation: 404,
  notSimulated: 500,
  unauthorized: 401,
  forbidden: 403,
  rateLimited: 429,
  broken: 500,
};
const no = (status: number, error: number, message: string) => refuse({ status, json: { error, message } });
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** The service that was shut down in 2016, as documented by its clients: files by path, requests signed with OAuth 1.0a. */
export async function startCopy() {
  const contents = createContents({ hashes: {}, keepUpTo: 64 * 1024 * 1024 });
  const newNode = (content?: Content): Node => ({ id: randomUUID(), content, synced: Math.floor(Date.now() / 1000), revision: 1 });
  /** By path, without a leading slash; '' is the root. */
  const nodes = new Map<string, Node>([['', newNode()]]);
  const nonces = new Set<string>();
  const quota = 15 * 1024 ** 3;

  /** RFC 5849, section 3.2. */
  function authenticate({ headers, method = '', url = '' }: IncomingMessage): Identity | RejectedToken {
    const sent = new Map(
      [...(headers.authorization ?? '').matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, decodeURIComponent(value)]),
    );
    if (sent.size === 0) return 'missing';
    const nonce = sent.get('oauth_nonce') ?? '';
    const isTimely = Math.abs(Number(sent.get('oauth_timestamp')) - Date.now() / 1000) < 300;
    const isSigned = sent.get('oauth_signature_method') === 'HMAC-SHA1' && sent.get('oauth_version') === '1.0';
    if (
      !isSigned ||
      nonces.has(nonce) ||
      !isTimely ||
      sent.get('oauth_token') !== user.token ||
      sent.get('oauth_consumer_key') !== consumer.key
    )
      return 'invalid';
    nonces.add(nonce);
    const [path = '', search = ''] = url.split('?');
    const signed = [...sent].filter(([name]) => name !== 'oauth_signature');
    const parameters = [...signed, ...new URLSearchParams(search.replaceAll('+', '%2B'))]
      .map(([name, value]) => `${encode(name)}=${encode(value)}`)
      .sort();
    const base = [method, `http://${headers.host}${path}`, parameters.join('&')].map(encode).join('&');
    const expected = createHmac('sha1', `${encode(consumer.secret)}&${encode(user.tokenSecret)}`)
      .update(base)
      .digest('base64');
    return expected === sent.get('oauth_signature') ? { account: mara, token: user.token, scopes: [] } : 'invalid';
  }

  const refusal = (problem: Problem): Reply => ({
    status: statuses[problem.kind],
    json: { error: problem.kind === 'unauthorized' ? 2000 : 1000, message: 'why' in problem ? problem.why : problem.kind },
  });

  function find(path: string): Node {
    const node = nodes.get(path);
    if (!node) throw no(404, 1300, 'Cannot find object');
    return node;
  }

  function nodeJson(path: string, node: Node, children?: readonly object[]) {
    const type = path === '' ? 'copy' : node.content ? 'file' : 'dir';
    return {
      id: `/copy/${path}`,
      path: `/${path}`,
      name: path === '' ? 'Copy' : nameOf(path),
      type,
      stub: children === undefined,
      date_last_synced: node.synced,
      ...(node.content && { size: node.content.size, revision_id: node.revision }),
      ...(children && { children }),
    };
  }

  const childrenOf = (path: string): (readonly [string, Node])[] =>
    [...nodes].filter(([other]) => other !== '' && parentOf(other) === path);

  const meta: Handler = ({ params }) => {
    const path = params['path'] ?? '';
    const node = find(path);
    const children = node.content ? undefined : childrenOf(path).map(([child, one]) => nodeJson(child, one));
    return { json: nodeJson(path, node, children) };
  };

  const post: Handler = async ({ params, query, file }) => {
    const path = params['path'] === '/' ? '' : (params['path'] ?? '');
    const mayReplace = query.get('overwrite') === 'true';
    if (!file) {
      if (nodes.has(path)) throw no(409, 1301, 'Object exists');
      find(parentOf(path));
      nodes.set(path, newNode());
      return { json: { objects: [nodeJson(path, find(path))] } };
    }
    if (find(path).content || file.field !== 'file' || !file.filename) throw no(400, 1000, 'Not a folder, or no file');
    const target = path === '' ? file.filename : `${path}/${file.filename}`;
    const content = await contents.receive(file.stream);
    const there = nodes.get(target);
    if (there && (!mayReplace || !there.content)) throw no(409, 1301, 'Object exists');
    nodes.set(target, { ...newNode(content), revision: (there?.revision ?? 0) + 1 });
    return { json: { objects: [nodeJson(target, find(target))] } };
  };

  const put: Handler = ({ params, query }) => {
    const path = params['path'] ?? '';
    find(path);
    const name = query.get('name');
    const target =
      name === null ? (query.get('path') ?? '').replace(/^\//, '') : [parentOf(path), name].filter((part) => part !== '').join('/');
    if (nodes.has(target) && target !== path) throw no(409, 1301, 'Object exists');
    find(parentOf(target));
    for (const [other, node] of nodes.entries().toArray())
      if (other === path || other.startsWith(`${path}/`)) {
        nodes.delete(other);
        nodes.set(target + other.slice(path.length), node);
      }
    return { json: nodeJson(target, find(target)) };
  };

  const simulator = await startSimulator({
    name: 'copy',
    authenticate,
    refusal,
    mounts: [
      {
        at: '',
        description,
        deep: ['path'],
        // The root of the user's files has no name.
        rewrite: (path) => (path === '/rest/files/' ? '/rest/files/%2F' : path),
        routes: {
          'GET /rest/user': () => {
            const used = [...nodes.values()].reduce((sum, { content }) => sum + (content?.size ?? 0), 0);
            return { json: { id: mara.id, first_name: 'Mara', last_name: 'Moss', email: mara.email, storage: { used, quota, saved: 0 } } };
          },
          'GET /rest/meta/copy': meta,
          'GET /rest/meta/copy/{path}': meta,
          'GET /rest/files/{path}': (request) => {
            const { content } = find(request.params['path'] ?? '');
            if (!content) throw no(400, 1000, 'Not a file');
            return answerContent(request, content, { unsatisfiable: { json: { error: 1000, message: 'range' } } });
          },
          'POST /rest/files/{path}': post,
          'PUT /rest/files/{path}': put,
          'DELETE /rest/files/{path}': ({ params }) => {
            const path = params['path'] ?? '';
            find(path);
            for (const other of nodes.keys().toArray()) if (other === path || other.startsWith(`${path}/`)) nodes.delete(other);
            return { status: 204 };
          },
        },
      },
    ],
  });
  const app = { apiUrl: simulator.url, clientId: consumer.key, clientSecret: consumer.secret };
  return { ...simulator, simulator, user, app, childrenOf: (path: string) => childrenOf(path).map(([child]) => nameOf(child)) };
}
