import type { CallOptions } from '../../core/connector.ts';
import { deadlines } from '../../core/deadlines.ts';
import type { Env } from '../../core/definition.ts';
import { ConnectorError } from '../../core/error.ts';
import type { ItemSource } from '../../kit/id-tree/item-tree.ts';
import { type Api, createApi } from '../../kit/rest/api.ts';
import { pagesInSequence } from '../../kit/rest/paging.ts';
import { Endpoint, type DriveItem, type Facts, type Node, NodeList, inFilter, isItem, toItem } from './api.ts';
import { driveError } from './errors.ts';

/** Nodes per page; the service's maximum. */
const pageSize = 200;
/** Connections of one link. */
export const maxConnections = 8;
const rootId = 'root';

export interface Drive {
  readonly api: Api;
  readonly source: ItemSource<Facts>;
  /** Returns a URL of the metadata API, such as `/nodes`, or of the content API. */
  metadata(path: string, ask: CallOptions): Promise<string>;
  content(path: string, ask: CallOptions): Promise<string>;
  /** Returns the service's id of the item; resolves the root's id as well. */
  idOf(item: Pick<DriveItem, 'id'>, ask: CallOptions): Promise<string>;
}

/**
 * Client of the former Amazon Cloud Drive: nodes with ids, found by filters. The service was shut down; without an operator-configured URL
 * nothing is sent.
 */
export function createDrive(env: Env): Drive {
  const base = env.app?.apiUrl?.replace(/\/$/, '');
  if (base === undefined) throw new ConnectorError('unreachable', 'the service has ended, and no other address is set');
  const api = createApi({ env, base, maxConnections, refusal: driveError });
  let endpoint: Promise<{ readonly content: string; readonly metadata: string }> | undefined;
  let root: string | undefined;

  /** Each customer had its own endpoints. */
  async function askEndpoint(): Promise<{ readonly content: string; readonly metadata: string }> {
    // Not the caller's signal: other callers wait for the same endpoints.
    const signal = AbortSignal.timeout(deadlines.login);
    const { contentUrl, metadataUrl } = await api.json(Endpoint, { method: 'GET', url: '/account/endpoint', signal });
    return { content: onward(env.app?.uploadUrl ?? contentUrl, base ?? ''), metadata: onward(metadataUrl, base ?? '') };
  }

  async function addresses({ signal }: CallOptions): Promise<{ readonly content: string; readonly metadata: string }> {
    if (signal.aborted) throw new ConnectorError('aborted', 'given up');
    endpoint ??= askEndpoint().catch((error: unknown) => {
      endpoint = undefined;
      throw error;
    });
    return endpoint;
  }

  const metadata = async (path: string, ask: CallOptions): Promise<string> => (await addresses(ask)).metadata + path;

  async function idOf({ id }: Pick<DriveItem, 'id'>, ask: CallOptions): Promise<string> {
    if (id !== rootId) return id;
    if (root !== undefined) return root;
    const url = await metadata('/nodes', ask);
    const { data } = await api.json(NodeList, { method: 'GET', url, query: { filters: 'isRoot:true' }, signal: ask.signal });
    root = data.find(({ isRoot }) => isRoot === true)?.id;
    if (root === undefined) throw new ConnectorError('unexpected', 'a drive without a root');
    return root;
  }

  async function* nodes(path: string, filters: string, ask: CallOptions): AsyncGenerator<readonly Node[]> {
    const url = await metadata(path, ask);
    const pages = pagesInSequence<readonly Node[], string | null>(null, ask, async (startToken) => {
      const query = { filters, limit: pageSize, startToken: startToken ?? undefined };
      const { data, nextToken } = await api.json(NodeList, { method: 'GET', url, query, signal: ask.signal });
      return { page: data.filter(isItem), ...(nextToken && { next: nextToken }) };
    });
    for await (const page of pages) if (page.length > 0) yield page;
  }

  async function named(folder: DriveItem, name: string, ask: CallOptions): Promise<readonly DriveItem[]> {
    const filters = `parents:"${await idOf(folder, ask)}" AND name:"${inFilter(name)}" AND status:AVAILABLE`;
    return (await Array.fromAsync(nodes('/nodes', filters, ask))).flat().map(toItem);
  }

  return {
    api,
    metadata,
    content: async (path, ask) => (await addresses(ask)).content + path,
    idOf,
    source: {
      root: { id: rootId, name: '', kind: 'folder', entry: {}, facts: { md5: undefined } },
      async *children(folder, ask) {
        const path = `/nodes/${encodeURIComponent(await idOf(folder, ask))}/children`;
        for await (const batch of nodes(path, 'status:AVAILABLE', ask)) yield batch.map(toItem);
      },
      named,
    },
  };
}

/** Normalises a URL returned by the service to have no trailing slash; throws when it is less secure than the service's own. */
function onward(address: string, from: string): string {
  const url = URL.parse(address);
  const isSafe = url && (url.protocol === 'https:' || url.protocol === new URL(from).protocol);
  if (!isSafe) throw new ConnectorError('unexpected', 'the service sends the request to a place it may not go');
  return address.replace(/\/$/, '');
}
