import { createHmac } from 'node:crypto';
import { type Static, type TSchema, Type } from 'typebox';
import type { CallOptions, Body, ByteRange } from '../../../core/connector.ts';
import type { Env } from '../../../core/definition.ts';
import { ConnectorError, isKind } from '../../../core/error.ts';
import type { HttpResponse } from '../../../kit/http/http.ts';
import { partOf, rangeHeader } from '../../../kit/http/part-of.ts';
import { type ApiRequest, createApi } from '../../../kit/rest/api.ts';
import { pagesInSequence } from '../../../kit/rest/paging.ts';
import { graphRefusal } from './meta-refusal.ts';

type Query = Readonly<Record<string, string | number>>;

interface Options {
  readonly env: Pick<Env, 'dialer' | 'tokens'>;
  /** Base URL with the version, without a trailing slash. */
  readonly base: string;
  /** Key of the app secret proof: https://developers.facebook.com/docs/graph-api/guides/secure-requests */
  readonly secret?: string;
  readonly maxConnections?: number;
}

/** URL of a picture's or video's bytes, and how to request a new one after it has expired. */
export interface MediaPlace {
  readonly url: string;
  again(): Promise<string | undefined>;
}

const Page = <S extends TSchema>(item: S) =>
  Type.Object({
    data: Type.Array(item),
    paging: Type.Optional(
      Type.Object({
        cursors: Type.Optional(Type.Object({ after: Type.Optional(Type.String()) })),
        next: Type.Optional(Type.String()),
      }),
    ),
  });

/** Maximum page size of an edge. */
const pageSize = 100;
/** Statuses of an expired media URL. */
const expired: ReadonlySet<number> = new Set([403, 404, 410]);
const redirects = [301, 302, 303, 307, 308];

export type Graph = ReturnType<typeof createGraph>;

/** Meta's Graph API: fields by name, pages by cursor, bytes by signed URLs. */
export function createGraph({ env, base, secret, maxConnections = 6 }: Options) {
  const api = createApi({
    env: { dialer: env.dialer, remember: async () => undefined, recall: async () => undefined },
    base,
    maxConnections,
    refusal: graphRefusal,
  });

  /**
   * The proof is computed from the token, so that the token is added here. Redirects are not followed: they would leak the token to another
   * host.
   */
  async function once<S extends TSchema>(schema: S, token: string, request: Pick<ApiRequest, 'method' | 'url' | 'query' | 'signal'>) {
    const proof = secret === undefined ? {} : { appsecret_proof: createHmac('sha256', secret).update(token).digest('hex') };
    const query = { ...request.query, ...proof };
    return api.json(schema, { ...request, query, headers: { authorization: `Bearer ${token}` }, accepts: redirects });
  }

  async function call<S extends TSchema>(schema: S, request: Pick<ApiRequest, 'method' | 'url' | 'query' | 'signal'>): Promise<Static<S>> {
    const { tokens } = env;
    if (!tokens) throw new ConnectorError('needsAuthorization', 'nothing was granted');
    const token = await tokens.access(request.signal);
    try {
      return await once(schema, token, request);
    } catch (error) {
      if (!isKind(error, 'needsAuthorization')) throw error;
      const next = await tokens.access(request.signal, token);
      if (next === token) throw error;
      return once(schema, next, request);
    }
  }

  const get = <S extends TSchema>(schema: S, url: string, query: Query, { signal }: CallOptions): Promise<Static<S>> =>
    call(schema, { method: 'GET', url, query, signal });

  /** Returns all rows of an edge in batches. An empty page may be followed by others. */
  async function* rows<S extends TSchema>(item: S, url: string, query: Query, ask: CallOptions): AsyncGenerator<Static<S>[]> {
    const page = Page(item);
    const pages = pagesInSequence('', ask, async (after: string) => {
      const { data, paging } = await get(page, url, { ...query, limit: pageSize, ...(after !== '' && { after }) }, ask);
      if (paging?.next === undefined) return { page: data };
      // The URL of the next page contains the token: only its cursor is used.
      const next = paging.cursors?.after ?? URL.parse(paging.next)?.searchParams.get('after');
      if (!next || next === after) throw new ConnectorError('unexpected', 'a page does not tell where the next one begins');
      return { page: data, next };
    });
    for await (const data of pages) if (data.length > 0) yield data as Static<S>[];
  }

  async function fetchBytes(url: string, range: ByteRange | undefined, signal: AbortSignal): Promise<HttpResponse> {
    const headers = { accept: '*/*', ...rangeHeader(range) };
    return api.send({ method: 'GET', url, headers, accepts: [...expired, 416], signal });
  }

  return {
    get,
    rows,
    /** Deletes the object at a URL. */
    delete: async (url: string, { signal }: CallOptions): Promise<void> =>
      void (await call(Type.Unknown(), { method: 'DELETE', url, signal })),
    /** Streams bytes or a range of them; requests a new URL once when it has expired. */
    async read({ url, again }: MediaPlace, range: ByteRange | undefined, entry: Body['entry'], { signal }: CallOptions): Promise<Body> {
      let response = await fetchBytes(url, range, signal);
      if (expired.has(response.status)) {
        await response.discard();
        const fresh = await again();
        if (fresh === undefined) throw new ConnectorError('notFound', 'the bytes are gone');
        response = await fetchBytes(fresh, range, signal);
      }
      if (expired.has(response.status)) {
        await response.discard();
        throw new ConnectorError('forbidden', `a new address of the bytes answers ${response.status}`);
      }
      const mimeType = response.headers['content-type'];
      return partOf(response, range, { ...entry, ...(mimeType !== undefined && { mimeType }) });
    },
    close: () => api.close(),
  };
}

/** Cursors are stable only while nothing changes: skips rows that moved to a later page and were already returned. */
export async function* eachOnce<Row extends { readonly id: string }>(
  batches: AsyncIterable<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  const seen = new Set<string>();
  for await (const batch of batches) {
    const fresh = batch.filter(({ id }) => !seen.has(id));
    for (const { id } of fresh) seen.add(id);
    if (fresh.length > 0) yield fresh;
  }
}
