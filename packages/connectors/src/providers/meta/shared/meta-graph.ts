import { createHmac } from 'node:crypto';
import { type Static, type TSchema, Type } from 'typebox';
import type { Ask, Body, ByteRange } from '../../../core/connector.ts';
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
  /** With the version, without a slash at its end. */
  readonly base: string;
  /** Key of the proof that a token comes from its application: https://developers.facebook.com/docs/graph-api/guides/secure-requests */
  readonly secret?: string;
  readonly maxConnections?: number;
}

/** Where the bytes of a picture or a video are, and where to ask for that anew when the address has expired. */
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

/** The most that an edge gives at once. */
const pageSize = 100;
/** Answers of an address of bytes that has expired. */
const expired: ReadonlySet<number> = new Set([403, 404, 410]);
const redirects = [301, 302, 303, 307, 308];

export type Graph = ReturnType<typeof createGraph>;

/** Meta's Graph API: fields by name, pages by cursor, bytes at addresses that carry their own permission. */
export function createGraph({ env, base, secret, maxConnections = 6 }: Options) {
  const api = createApi({
    env: { dialer: env.dialer, remember: async () => undefined, recall: async () => undefined },
    base,
    maxConnections,
    refusal: graphRefusal,
  });

  /** The proof belongs to the token, so that the token is put in here. Followed to another host it would be told there: no redirect is. */
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

  const get = <S extends TSchema>(schema: S, url: string, query: Query, { signal }: Ask): Promise<Static<S>> =>
    call(schema, { method: 'GET', url, query, signal });

  /** All rows of an edge, in batches. Pages may be empty while others follow. */
  async function* rows<S extends TSchema>(item: S, url: string, query: Query, ask: Ask): AsyncGenerator<Static<S>[]> {
    const page = Page(item);
    const pages = pagesInSequence('', ask, async (after: string) => {
      const { data, paging } = await get(page, url, { ...query, limit: pageSize, ...(after !== '' && { after }) }, ask);
      if (paging?.next === undefined) return { page: data };
      // The address of the next page holds the token: only its cursor is taken.
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
    /** Deletes what an address names. */
    delete: async (url: string, { signal }: Ask): Promise<void> => void (await call(Type.Unknown(), { method: 'DELETE', url, signal })),
    /** Gets bytes, or a part of them; an address that has expired is asked for anew, once. */
    async read({ url, again }: MediaPlace, range: ByteRange | undefined, entry: Body['entry'], { signal }: Ask): Promise<Body> {
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

/** Cursors hold still only while nothing moves: what came to a later page meanwhile was given already. */
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
