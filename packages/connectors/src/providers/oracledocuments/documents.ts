import { Type } from 'typebox';
import type { CallOptions } from '../../core/connector.ts';
import type { Env } from '../../core/definition.ts';
import { ConnectorError } from '../../core/error.ts';
import { isOutcomeUnknown, retryWhileBusy } from '../../kit/concurrency/retry-busy.ts';
import type { ItemSource } from '../../kit/id-tree/item-tree.ts';
import { type Api, createApi } from '../../kit/rest/api.ts';
import { pagesInParallel } from '../../kit/rest/paging.ts';
import { DocumentItem, type Facts, ItemsAnswer, type OracleItem, home, pathOf, toItem } from './api.ts';
import type { OracleConfig } from './config.ts';
import { oracleError } from './errors.ts';

/** Items per page and page concurrency; Oracle's maximum page size is ten thousand. */
const defaultPageSize = 1000;
const width = 4;
/** Connections of one link. */
export const maxConnections = 8;

/** A user's documents; the root is the home folder together with shared items. */
export interface Documents {
  readonly api: Api;
  readonly source: ItemSource<Facts>;
  /** Returns the folder's items whose name Oracle considers equal; it ignores case. */
  namesakes(folder: OracleItem, name: string, ask: CallOptions): Promise<OracleItem[]>;
  /** Returns the folder's id; resolves the home folder's alias. */
  idOf(folder: OracleItem, ask: CallOptions): Promise<string>;
  itemAt(path: string, ask: CallOptions): Promise<OracleItem>;
}

export function createDocuments({ origin, username, password }: OracleConfig, env: Env, pageSize = defaultPageSize): Documents {
  const credentials = Buffer.from(`${username}:${password}`).toString('base64');
  const tokens = {
    async access(_signal: AbortSignal, refused?: string): Promise<string> {
      if (refused !== undefined) throw new ConnectorError('unauthorized', 'the server refuses name or password');
      return credentials;
    },
  };
  const base = `${origin}/documents/api/1.2`;
  const api = createApi({ env: { ...env, tokens }, base, scheme: 'Basic', maxConnections, refusal: oracleError });
  const root: OracleItem = { id: home, name: '', kind: 'folder', entry: {}, facts: { parent: undefined, version: undefined } };
  let homeId: string | undefined;

  const itemAt = async (path: string, { signal }: CallOptions): Promise<OracleItem> =>
    toItem(await api.json(DocumentItem, { method: 'GET', url: path, signal }));

  async function* children(folder: OracleItem, { signal }: CallOptions, filterName?: string): AsyncGenerator<readonly OracleItem[]> {
    const url = folder.id === home ? '/folders/items' : `${pathOf(folder)}/items`;
    const page = (number: number) =>
      api.json(ItemsAnswer, {
        method: 'GET',
        url,
        query: { limit: pageSize, offset: number * pageSize, orderby: 'name:asc', filterName },
        signal,
      });
    // Items may move between pages when others add or delete.
    const seen = new Set<string>();
    const fresh = (items: readonly DocumentItem[] = []): OracleItem[] =>
      items.filter(({ id }) => seen.size < seen.add(id).size).map(toItem);
    const first = await page(0);
    const found = fresh(first.items);
    if (found.length > 0) yield found;
    if (first.hasMore !== '1') return;
    const known = Math.ceil(Number(first.totalResults ?? Number.NaN) / pageSize);
    let last = first;
    let next = 1;
    if (Number.isSafeInteger(known) && known > 1) {
      for await (const answer of pagesInParallel(known - 1, width, { signal }, (number) => page(number + 1))) {
        last = answer;
        const items = fresh(answer.items);
        if (items.length > 0) yield items;
      }
      next = known;
    }
    for (; last.hasMore === '1' && (last.items?.length ?? 0) > 0; next += 1) {
      const number = next;
      last = await retryWhileBusy(signal, () => page(number), isOutcomeUnknown);
      const items = fresh(last.items);
      if (items.length > 0) yield items;
    }
  }

  async function namesakes(folder: OracleItem, name: string, ask: CallOptions): Promise<OracleItem[]> {
    const wanted = name.toLowerCase();
    const found: OracleItem[] = [];
    // The listing of the home folder with shared items accepts no filter.
    for await (const batch of children(folder, ask, folder.id === home ? undefined : name))
      found.push(...batch.filter((item) => item.name.toLowerCase() === wanted));
    return found;
  }

  return {
    api,
    source: { root, children, named: namesakes },
    namesakes,
    itemAt,
    async idOf({ id }, ask) {
      if (id !== home) return id;
      homeId ??= toItem(await api.json(DocumentItem, { method: 'GET', url: `/folders/${home}`, signal: ask.signal })).id;
      return homeId;
    },
  };
}

/** A response of which only the success matters. */
export const AnyAnswer = Type.Object({});
