import type { Static, TSchema } from 'typebox';
import type { Env } from '../../../core/definition.ts';
import { ConnectorError, isKind } from '../../../core/error.ts';
import { type Api, createApi } from '../../../kit/rest/api.ts';
import { pagesInSequence } from '../../../kit/rest/paging.ts';
import { pageOf } from '../api.ts';
import { graphRefusal } from '../errors.ts';

/** Connections of one link; the service throttles per user and application. */
export const connections = 6;

const usualBase = 'https://graph.microsoft.com/v1.0';

interface PageRequest {
  readonly url: string;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly signal: AbortSignal;
}

export interface Graph extends Api {
  /** Returns the items of a collection page by page. */
  pages<S extends TSchema>(schema: S, request: PageRequest): AsyncGenerator<Static<S>[]>;
  /** Validates a link returned by the service: it receives the token, so that it must be on the service's own host. */
  own(link: string): string;
  /** Returns the request URL of a signed URL on any host. */
  elsewhere(link: string): string;
}

/** Microsoft Graph, at its default URL or the operator's, such as a national cloud. */
export function createGraph(env: Env): Graph {
  const base = (env.app?.apiUrl ?? usualBase).replace(/\/+$/, '');
  const { origin, protocol } = new URL(base);
  const api = createApi({ env, base, refusal: graphRefusal, maxConnections: connections });

  const own = (link: string): string => {
    if (URL.parse(link)?.origin === origin) return link;
    throw new ConnectorError('unexpected', 'the service sends the link to another place');
  };
  return {
    ...api,
    async send(request) {
      try {
        return await api.send(request);
      } catch (error) {
        // A signed URL has expired: that says nothing about the account's token.
        if (request.authorized !== false || !isKind(error, 'unauthorized')) throw error;
        throw new ConnectorError('interrupted', 'an address holds no longer', { cause: error, retryable: true });
      }
    },
    own,
    elsewhere(link) {
      const to = URL.parse(link)?.protocol;
      if (to === 'https:' || to === protocol) return link;
      throw new ConnectorError('unexpected', 'the service gives an address that is not secure');
    },
    pages: <S extends TSchema>(schema: S, { signal, ...first }: PageRequest): AsyncGenerator<Static<S>[]> =>
      pagesInSequence<Static<S>[], Omit<PageRequest, 'signal'>>(first, { signal }, async (request) => {
        const page = await api.json(pageOf(schema), { method: 'GET', ...request, signal });
        const next = page['@odata.nextLink'];
        return { page: page.value, ...(next !== undefined && { next: { url: own(next) } }) };
      }),
  };
}
