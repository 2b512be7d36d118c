import type { Readable } from 'node:stream';
import type { Bin } from '../../core/bin.ts';
import type { Connector, Entry, WriteOptions } from '../../core/connector.ts';
import type { Env } from '../../core/definition.ts';
import { ConnectorError } from '../../core/error.ts';
import type { Hints } from '../../core/hints/hints.ts';
import { operationNames } from '../../core/operations.ts';
import type { Versions } from '../../core/replacing.ts';
import type { ServiceCopies } from '../../core/service-copy.ts';
import type { NumberedUploads } from '../../core/upload.ts';
import { createHttp } from '../../kit/http/http-client.ts';
import { joinPath, nameOf, parentOf } from '../../kit/names/path.ts';
import { type Ability, readCapabilities, uploadOperations } from './api.ts';
import { type GatewayClient, createGatewayClient } from './client.ts';
import type { GatewayConfig } from './config.ts';
import { readContent, readContents } from './download.ts';
import { readListing } from './listing.ts';
import { conditionsOf, resumableUploads } from './parts.ts';

/** Connections of one link: enough for many small files concurrently. */
export const connections = 8;
/** Connector methods that the protocol covers. */
type Whole = Required<
  Omit<
    Connector,
    | 'thumbnail'
    | 'search'
    | 'usage'
    | 'changes'
    | 'clearUp'
    | 'limits'
    | 'rewrites'
    | 'listTree'
    | 'digest'
    | keyof Hints
    | keyof ServiceCopies
    | keyof NumberedUploads
    | keyof Bin
    | keyof Versions
    | 'setsAside'
  >
>;

/** Name under which a link stores its server's capabilities. */
const fact = 'capabilities';

/**
 * A folder behind a server that speaks the gateway protocol (docs/gateway/protocol.md), such as the Sheaf file server. Requests the
 * server's capabilities once per opening, with the first listing; they decide which methods exist from the next opening on. Until they are
 * known, all methods exist.
 */
export async function openGateway(config: GatewayConfig, env: Env): Promise<Connector> {
  const http = createHttp({ origin: config.origin, dialer: env.dialer, verify: true, maxConnections: connections });
  const client = createGatewayClient(http, config);
  const known = await env.recall(fact);
  /** A server that does not know the header ignores it. */
  const canHash = known === undefined || known.split(' ').includes('hash');
  let isLearnt = false;

  async function learn(signal: AbortSignal): Promise<void> {
    if (isLearnt) return;
    const response = await client.send({ method: 'GET', name: 'info', signal });
    const found = readCapabilities(await response.text()).join(' ');
    if (found !== known) await env.remember(fact, found);
    isLearnt = true;
  }

  const stat: Connector['stat'] = (path, { signal }) => client.sendForEntry({ method: 'GET', name: 'entry', paths: { path }, signal });

  const all: Whole = {
    async *list(path, { signal }) {
      await learn(signal);
      yield* readListing(await client.send({ method: 'GET', name: 'entries', paths: { path }, signal }));
    },
    stat,
    // Every entry states whether it is a link.
    lstat: stat,
    read: (path, { range, signal }) => readContent(client, path, range, signal),
    readMany: (files, { signal }) => readContents(client, files, signal),
    write: (path, body, ask) => writeContent(client, path, body, ask, canHash),
    createFolder: (path, { signal }) => client.sendForEntry({ method: 'POST', name: 'folder', paths: { path }, signal }),
    rename: (path, newName, { signal }) => relocate('move', path, joinPath(parentOf(path), newName), signal),
    move: (from, to, { signal }) => relocate('move', from, to, signal),
    copy: (from, to, { signal }) => relocate('copy', from, to, signal),
    async remove(path, { signal }) {
      await (await client.send({ method: 'DELETE', name: 'entry', paths: { path }, signal })).discard();
    },
    ...resumableUploads(client),
    hashes: ['sha256'],
    close: async () => http.close(),
  };
  const relocate = (name: 'move' | 'copy', path: string, to: string, signal: AbortSignal): Promise<Entry> =>
    client.sendForEntry({ method: 'POST', name, paths: { path, to }, signal });

  return known === undefined ? all : only(all, known.split(' '));
}

/** Returns the connector without the methods that the server lacks. */
function only(all: Whole, capabilities: readonly string[]): Connector {
  const always: readonly Ability[] = ['list', 'stat', 'read'];
  const has = (ability: Ability): boolean => capabilities.includes(ability);
  const lacking: readonly string[] = [
    ...[...operationNames, 'readMany' as const].filter((ability) => !always.includes(ability) && !has(ability)),
    ...(uploadOperations.every(has) ? [] : uploadOperations),
    ...(has('hash') ? [] : ['hashes']),
  ];
  const { list, stat, read, close, ...more } = all;
  const rest = Object.fromEntries(Object.entries(more).filter(([name]) => !lacking.includes(name)));
  return { list, stat, read, close, ...rest };
}

async function writeContent(client: GatewayClient, path: string, body: Readable, ask: WriteOptions, canHash: boolean): Promise<Entry> {
  const { size, signal } = ask;
  const headers = {
    'content-type': 'application/octet-stream',
    ...conditionsOf(ask),
    ...(canHash && { 'x-sheaf-hash': 'sha256' }),
  };
  try {
    const entry = await client.sendForEntry({
      method: 'PUT',
      name: 'content',
      paths: { path },
      headers,
      body,
      signal,
      ...(size !== undefined && { size }),
    });
    if (size === undefined || entry.size === size) return { ...entry, name: nameOf(path) };
    throw new ConnectorError('interrupted', `the server has ${entry.size} of ${size} bytes`, { retryable: true });
  } finally {
    body.destroy();
  }
}
