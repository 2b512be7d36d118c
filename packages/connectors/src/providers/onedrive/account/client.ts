import type { Static, TSchema } from 'typebox';
import type { Env } from '../../../core/definition.ts';
import { ConnectorError, isKind } from '../../../core/error.ts';
import { type Api, createApi } from '../../../kit/rest/api.ts';
import { pagesInSequence } from '../../../kit/rest/paging.ts';
import { pageOf } from '../api.ts';
import { graphRefusal } from '../errors.ts';

/** Connections of one link; the service counts requests per user and application, and slows those down that ask for more at once. */
export const connections = 6;

const usualBase = 'https://graph.microsoft.com/v1.0';

interface PageRequest {
  readonly url: string;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly signal: AbortSignal;
}

export interface Graph extends Api {
  /** The items of a collection, page by page. */
  pages<S extends TSchema>(schema: S, request: PageRequest): AsyncGenerator<Static<S>[]>;
  /** An address that the service gave to go on from: the token goes there, so it must be the service's own. */
  own(link: string): string;
  /** An address that the service gave, on any host, that carries its own permission. */
  elsewhere(link: string): string;
}

/** Microsoft Graph, at its usual address or where the operator has pointed it: a national cloud. */
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
        // An address that carries its own permission has lost it: that says nothing about the account's.
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
