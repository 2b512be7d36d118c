import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type Contents, type Handler, type Reply, type SimulatedRequest, answerContent } from '../kit/index.ts';
import { listPage } from './listing.ts';
import { element, refuseWith, xmlReply } from './replies.ts';
import type { Container, Of, Settings, State, Written } from './state.ts';

interface Options {
  readonly containers: ReadonlyMap<string, Container>;
  readonly contents: Contents<'md5'>;
  readonly settings: Settings;
  /** Path of the account. */
  readonly home: string;
}

/** The operations on blobs: https://learn.microsoft.com/rest/api/storageservices/operations-on-blobs */
export function createHandlers({ containers, contents, settings, home }: Options): Readonly<Record<string, Handler>> {
  const containerOf = ({ params }: SimulatedRequest): Container =>
    containers.get(params['containerName'] ?? '') ?? refuseWith(404, 'ContainerNotFound', 'The specified container does not exist.');
  const nameOf = ({ params }: SimulatedRequest): string => params['blob'] ?? '';
  const found = (request: SimulatedRequest): State => containerOf(request).find(nameOf(request), stateIn(request.query));

  function written(request: SimulatedRequest, facts: Pick<Written, 'content' | 'type' | 'md5' | 'blocks'>): Reply {
    const metadata = metadataOf(request);
    const state = containerOf(request).write(nameOf(request), { ...facts, metadata }, request.headers['if-none-match']);
    return { status: 201, headers: { ...factsOf(state), ...(state.md5 !== undefined && { 'content-md5': state.md5 }) } };
  }

  /** A blob, version or snapshot of this account by its URL. */
  function sourceOf(url: string): State {
    const { pathname, searchParams } = URL.parse(url) ?? refuseWith(400, 'InvalidHeaderValue');
    const [containerName = '', ...rest] = pathname.slice(home.length + 1).split('/');
    const container = pathname.startsWith(`${home}/`) ? containers.get(containerName) : undefined;
    if (!container) return refuseWith(404, 'CannotVerifyCopySource');
    return container.find(rest.map(decodeURIComponent).join('/'), stateIn(searchParams));
  }

  function copy(request: SimulatedRequest, copySource: string): Reply {
    const { content, type, metadata, md5, blocks } = sourceOf(copySource);
    const state = containerOf(request).write(
      nameOf(request),
      { content, type, metadata, md5, blocks, copySource },
      request.headers['if-none-match'],
    );
    return { status: 202, headers: { ...factsOf(state), 'x-ms-copy-id': state.etag, 'x-ms-copy-status': 'success' } };
  }

  /** Put Blob and Copy Blob are told apart by a header. */
  const put: Handler = async (request) => {
    const { headers, stream } = request;
    const source = headers['x-ms-copy-source']?.toString();
    if (source !== undefined) return copy(request, source);
    const content = await contents.receive(stream);
    if (content.size !== Number(headers['content-length'])) refuseWith(400, 'InvalidInput');
    return written(request, { content, type: headers['content-type'] ?? 'application/octet-stream', md5: content.hashes.md5, blocks: [] });
  };

  const list: Handler = (request) => {
    const { query } = request;
    const include = new Set((query.get('include') ?? '').split(',').filter(Boolean));
    const size = Math.min(5000, Number(query.get('maxresults') ?? 5000));
    const [prefix, delimiter, marker] = ['prefix', 'delimiter', 'marker'].map((name) => query.get(name) ?? '');
    const ask = { prefix: prefix ?? '', delimiter: delimiter ?? '', marker: marker ?? '', include, size };
    return xmlReply(listPage(containerOf(request), settings, ask));
  };

  const get: Handler = (request) => {
    const state = found(request);
    const range = request.headers['x-ms-range']?.toString() ?? request.headers.range;
    const { range: _, ...headers } = request.headers;
    const facts = {
      type: state.type,
      etag: state.etag,
      modified: new Date(state.modified),
      headers: toHeaders(containerOf(request), request),
    };
    const unsatisfiable = { headers: { 'content-type': 'application/xml', 'x-ms-error-code': 'InvalidRange' } };
    return answerContent({ ...request, headers: { ...headers, ...(range !== undefined && { range }) } }, state.content, {
      ...facts,
      unsatisfiable,
    });
  };

  function toHeaders(container: Container, request: SimulatedRequest): Record<string, string> {
    const state = found(request);
    const { version, md5, copySource, metadata } = state;
    const isCurrent = container.blobOf(nameOf(request)).base === state;
    return {
      ...(version !== undefined && { 'x-ms-version-id': version, ...(isCurrent && { 'x-ms-is-current-version': 'true' }) }),
      ...(md5 !== undefined && { [request.headers['x-ms-range'] === undefined ? 'content-md5' : 'x-ms-blob-content-md5']: md5 }),
      ...(copySource !== undefined && { 'x-ms-copy-source': copySource, 'x-ms-copy-status': 'success' }),
      ...Object.fromEntries(Object.entries(metadata).map(([name, value]) => [`x-ms-meta-${name}`, value])),
    };
  }

  return {
    'GET /?restype=service&comp=properties': () => {
      if (!settings.tellsProperties) refuseWith(403, 'AuthorizationPermissionMismatch');
      const days = settings.softDelete ? element('Days', 7) : '';
      const policy = `<DeleteRetentionPolicy>${element('Enabled', settings.softDelete)}${days}</DeleteRetentionPolicy>`;
      return xmlReply(`<StorageServiceProperties>${policy}</StorageServiceProperties>`);
    },
    'GET /{containerName}?restype=account&comp=properties': () => ({
      headers: { 'x-ms-sku-name': 'Standard_LRS', 'x-ms-account-kind': 'StorageV2', 'x-ms-is-hns-enabled': String(settings.hierarchical) },
    }),
    'GET /{containerName}?restype=container&comp=list': list,
    'GET /{containerName}/{blob}': get,
    'HEAD /{containerName}/{blob}': get,
    'PUT /{containerName}/{blob}': put,

    'DELETE /{containerName}/{blob}': (request) => {
      const snapshots = request.headers['x-ms-delete-snapshots']?.toString();
      containerOf(request).delete(nameOf(request), stateIn(request.query), snapshots);
      return { status: 202, headers: { 'x-ms-delete-type-permanent': String(!settings.softDelete) } };
    },

    'PUT /{containerName}/{blob}?comp=undelete': (request) => {
      containerOf(request).undelete(nameOf(request));
      return { status: 200 };
    },

    'PUT /{containerName}/{blob}?comp=block': async (request) => {
      const { query, stream } = request;
      const { uncommitted } = containerOf(request).blobOf(nameOf(request));
      const blockid = query.get('blockid') ?? '';
      const [other = blockid] = uncommitted.keys();
      if (other.length !== blockid.length) refuseWith(400, 'InvalidBlobOrBlock');
      uncommitted.set(blockid, await contents.receive(stream));
      return { status: 201 };
    },

    'GET /{containerName}/{blob}?comp=blocklist': (request) => {
      const container = containerOf(request);
      const blob = container.blobs.get(nameOf(request));
      if (!blob || (!container.isAlive(blob) && blob.uncommitted.size === 0)) return refuseWith(404, 'BlobNotFound');
      const toXml = (id: string, size: number) => `<Block>${element('Name', id)}${element('Size', size)}</Block>`;
      const committed = container.isAlive(blob) ? blob.base.blocks.map(({ id, size }) => toXml(id, size)) : [];
      const waiting = [...blob.uncommitted].map(([id, { size }]) => toXml(id, size));
      const isWanted = (kind: string) => [kind, 'all'].includes(request.query.get('blocklisttype') ?? 'committed');
      const lists = [
        isWanted('committed') ? `<CommittedBlocks>${committed.join('')}</CommittedBlocks>` : '',
        isWanted('uncommitted') ? `<UncommittedBlocks>${waiting.join('')}</UncommittedBlocks>` : '',
      ];
      return xmlReply(`<BlockList>${lists.join('')}</BlockList>`);
    },

    'PUT /{containerName}/{blob}?comp=blocklist': async (request) => {
      const { uncommitted } = containerOf(request).blobOf(nameOf(request));
      const ids = [...(await text(request.stream)).matchAll(/<Latest>([^<]*)<\/Latest>/g)].map(([, id = '']) => id);
      const parts = ids.map((id) => ({ id, content: uncommitted.get(id) ?? refuseWith(400, 'InvalidBlockList') }));
      const whole = contents.writer();
      for (const { content } of parts) await whole.append(content);
      const content = parts.length === 0 ? await contents.receive(Readable.from([])) : whole.finish();
      const type = request.headers['x-ms-blob-content-type']?.toString() ?? 'application/octet-stream';
      const blocks = parts.map(({ id, content: { size } }) => ({ id, size }));
      return written(request, { content, type, md5: request.headers['x-ms-blob-content-md5']?.toString(), blocks });
    },
  };
}

const stateIn = (query: URLSearchParams): Of => ({
  versionid: query.get('versionid') ?? undefined,
  snapshot: query.get('snapshot') ?? undefined,
});

const factsOf = ({ etag, modified, version }: State): Record<string, string> => ({
  etag,
  'last-modified': new Date(modified).toUTCString(),
  ...(version !== undefined && { 'x-ms-version-id': version }),
});

const metadataOf = ({ headers }: SimulatedRequest): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name.startsWith('x-ms-meta-'))
      .map(([name, value]) => [name.slice('x-ms-meta-'.length), String(value)]),
  );
