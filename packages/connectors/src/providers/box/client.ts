import type { Static, TSchema } from 'typebox';
import { deadlines } from '../../core/deadlines.ts';
import type { Env } from '../../core/definition.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import { type Api, createApi } from '../../kit/rest/api.ts';
import { parseJson } from '../../kit/rest/json.ts';
import { type BoxItem, BoxItem as ItemSchema, Conflict, type Conflicting, type Node, fields, placeOfKind, toNode } from './api.ts';
import { boxError, uploadError } from './errors.ts';

/** Connections of one link to each host. */
const maxConnections = 8;

export const apiUrl = 'https://api.box.com/2.0';
const uploadUrl = 'https://upload.box.com/api/2.0';

/** Box's API on behalf of the link's user. */
export interface BoxClient {
  readonly api: Api;
  readonly uploads: Api;
  /** Requests one item; rejects with `notFound`. */
  get(kind: Node['kind'], id: string, signal: AbortSignal): Promise<Node>;
  /** Sends a request whose response is the one item that was created or changed. */
  change(method: 'POST' | 'PUT', url: string, json: unknown, signal: AbortSignal): Promise<Node>;
  /**
   * Returns the item with a name in a folder, through Box's preflight check for uploads: one request, however large the folder. Rejects as
   * the upload would, such as with `badName`, `full` or `forbidden`. https://developer.box.com/guides/uploads/check
   */
  occupant(folder: string, name: string, size: number | undefined, signal: AbortSignal): Promise<Conflicting | undefined>;
  close(): void;
}

/** The largest size that the preflight check accepts. */
const mostAskable = 2 ** 31 - 1;

export function createBoxClient(env: Env): BoxClient {
  const { app = {} } = env;
  const shared = { env, maxConnections, refusal: boxError };
  const api = createApi({ ...shared, base: app.apiUrl ?? apiUrl });
  const uploads = createApi({ ...shared, base: app.uploadUrl ?? uploadUrl, refusal: uploadError });

  const get = async <S extends TSchema>(schema: S, url: string, signal: AbortSignal): Promise<Static<S>> =>
    api.json(schema, { method: 'GET', url, query: { fields }, signal });

  return {
    api,
    uploads,
    get: async (kind, id, signal) => nodeOf(await get(ItemSchema, `/${placeOfKind[kind]}/${id}`, signal)),
    change: async (method, url, json, signal) =>
      nodeOf(
        await api.json(ItemSchema, {
          method,
          url,
          query: { fields },
          json,
          signal,
          ...(url.startsWith('/folders/') && { headTimeout: deadlines.longWork }),
        }),
      ),
    async occupant(folder, name, size, signal) {
      const json = { name, parent: { id: folder }, ...(size !== undefined && size <= mostAskable && { size }) };
      const response = await api.send({ method: 'OPTIONS', url: '/files/content', json, signal, accepts: [409] });
      const text = await response.text();
      if (response.status !== 409) return undefined;
      const refusal = boxError(response, text);
      if (!isKind(refusal, 'alreadyExists')) throw refusal;
      const { conflicts } = parseJson(Conflict, text).context_info;
      return Array.isArray(conflicts) ? conflicts[0] : conflicts;
    },
    close() {
      api.close();
      uploads.close();
    },
  };
}

/** Converts an item that must be a file or folder; rejects with `unexpected` otherwise, and with `notFound` for an item in the trash. */
export function nodeOf(item: BoxItem): Node {
  if (item.item_status && item.item_status !== 'active') throw new ConnectorError('notFound', 'the item lies in the trash');
  const node = toNode(item);
  if (!node) throw new ConnectorError('unexpected', 'the answer is neither file nor folder');
  return node;
}
