import type { CallOptions, Body, ByteRange } from '../../../core/connector.ts';
import { ConnectorError, isKind } from '../../../core/error.ts';
import { type Leftovers, noLeftovers } from '../../../core/leftovers.ts';
import { inParallel } from '../../../kit/concurrency/parallel.ts';
import { isOutcomeUnknown, retryWhileBusy } from '../../../kit/concurrency/retry-busy.ts';
import { bodyCrc32c, bodyHash, verified } from '../../../kit/hash/content-hash.ts';
import type { HttpResponse } from '../../../kit/http/http.ts';
import { partOf, rangeHeader } from '../../../kit/http/part-of.ts';
import type { ObjectStore, StoredObject } from '../../../kit/object-store/object-store.ts';
import type { Api } from '../../../kit/rest/api.ts';
import type { UploadSizes } from '../apis/google-upload.ts';
import { CloudObject, Rewrite, hashesIn, isName, mustBeName, objectFields, objectOfHeaders, toObject } from './api.ts';
import { createListing } from './listing.ts';
import { createParts } from './parts.ts';
import { createUpload } from './upload.ts';
import { createVersions } from './versions.ts';

export interface StoreOptions {
  /** Objects per listing page, at most 1000. */
  readonly pageSize?: number;
  readonly sizes?: UploadSizes;
  readonly leftovers?: Leftovers;
  /** Size of a resumable part in bytes. */
  readonly usualPart?: number;
}

interface Bucket {
  readonly api: Api;
  readonly name: string;
  /** Base URL for uploads, before `/upload/storage/v1`. */
  readonly uploads: string;
  /** Whether reads include the modification time, which Cloud Storage returns only with the metadata. */
  readonly wantsTimes: boolean;
}

type OfGeneration = CallOptions & { readonly generation?: string };
/** A copy of one generation, or of the present one. */
type CopyAsk = OfGeneration & { readonly replaces?: boolean };

/** Concurrent deletions. */
const removeWidth = 8;

/** One bucket as an object store. */
export function createCloudStore({ api, name, uploads, wantsTimes }: Bucket, options: StoreOptions = {}): ObjectStore {
  const { pageSize = 1000, sizes, leftovers = noLeftovers, usualPart } = options;
  const path = `/storage/v1/b/${encodeURIComponent(name)}`;
  const pathOf = (key: string): string => `${path}/o/${encodeURIComponent(key)}`;

  async function head(key: string, { signal }: CallOptions): Promise<StoredObject | undefined> {
    if (!isName(key)) return undefined;
    try {
      return toObject(await api.json(CloudObject, { method: 'GET', url: pathOf(key), query: { fields: objectFields }, signal }));
    } catch (error) {
      if (isKind(error, 'notFound')) return undefined;
      throw error;
    }
  }

  /** Copies the object at that path of the API, which may take several calls: to a free name, unless it `replaces`. */
  async function rewrite(source: string, to: string, { generation, replaces = false, signal }: CopyAsk): Promise<void> {
    const url = `${source}/rewriteTo/b/${encodeURIComponent(name)}/o/${encodeURIComponent(to)}`;
    const fixed = { fields: 'done,rewriteToken', sourceGeneration: generation, ...(!replaces && { ifGenerationMatch: 0 }) };
    let token: string | undefined;
    do {
      const query = { ...fixed, ...(token !== undefined && { rewriteToken: token }) };
      const { done, rewriteToken } = await api.json(Rewrite, { method: 'POST', url, query, signal });
      if (!done && !rewriteToken) throw new ConnectorError('unexpected', 'a copy goes on and does not say where');
      token = done ? undefined : rewriteToken;
    } while (token !== undefined);
  }

  async function areSame(source: string, to: string, { generation, signal }: CopyAsk): Promise<boolean> {
    const ask = (url: string, of?: string) =>
      api.json(CloudObject, { method: 'GET', url, query: { fields: objectFields, generation: of }, signal });
    const [a, b] = await Promise.all([ask(source, generation), ask(pathOf(to))]);
    return a.size === b.size && a.crc32c === b.crc32c;
  }

  async function copyObject(source: string, to: string, ask: CopyAsk): Promise<void> {
    mustBeName(to);
    let mayBeThere = false;
    const once = async (): Promise<void> => {
      try {
        await rewrite(source, to, ask);
      } catch (error) {
        // The existing object may be this call's own copy, when the response of the first attempt was lost.
        if (mayBeThere && isKind(error, 'alreadyExists') && (await areSame(source, to, ask))) return;
        mayBeThere ||= isOutcomeUnknown(error);
        throw error;
      }
    };
    await retryWhileBusy(ask.signal, once, isOutcomeUnknown);
  }

  /** Requests the bytes as stored: decompressed ones would have another length and hash. */
  async function open(key: string, range: ByteRange | undefined, { generation, signal }: OfGeneration): Promise<HttpResponse> {
    const headers = { accept: '*/*', 'accept-encoding': 'gzip', ...rangeHeader(range) };
    const response = await api.send({ method: 'GET', url: pathOf(key), query: { alt: 'media', generation }, headers, signal });
    if (!range || response.status === 206) return response;
    await response.discard();
    throw new ConnectorError('unexpected', 'the service has no ranges');
  }

  const get: ObjectStore['get'] = async (key, { range, signal }) => {
    if (!isName(key)) throw new ConnectorError('notFound', 'no object can have this name');
    const part = range && (range.start > 0 || range.end !== undefined) ? range : undefined;
    const [response, known] = await both(open(key, part, { signal }), wantsTimes ? head(key, { signal }) : Promise.resolve(undefined));
    const told = objectOfHeaders(key, response.headers);
    const object = known?.etag === told.etag ? known : told;
    const body = (entry?: Body['entry']): Body => (part ? response.body(entry) : checkedBody(response, entry));
    return { object: object ?? told, body };
  };

  const url = `${uploads}/upload${path}/o`;
  const put = createUpload({ api, url, ...(sizes && { sizes }) });
  const remove = (key: string, { signal, generation }: OfGeneration): Promise<void> =>
    api.done({ method: 'DELETE', url: pathOf(key), query: { generation }, signal });

  return {
    listsFileTimes: true,
    list: createListing(api, path, pageSize),
    head,

    get,

    put,
    uploads: createParts({ api, url, store: { get, head, put }, remove, leftovers, usualPart }),
    hashes: ['crc32c', 'md5'],
    versions: createVersions({
      api,
      path,
      pageSize,
      pathOf,
      copy: (key, ask) => copyObject(pathOf(key), key, ask),
      isBack: (key, ask) => areSame(pathOf(key), key, ask),
      remove,
      async read(key, { range, ...ask }) {
        const part = range && (range.start > 0 || range.end !== undefined) ? range : undefined;
        const response = await open(key, part, ask);
        return part ? partOf(response, part) : checkedBody(response, undefined);
      },
    }),

    copy: (from, to, ask) => copyObject(pathOf(from.key), to, ask),
    others: {
      service: 'google-storage',
      locationOf: ({ key }) => pathOf(key),
      copy: (location, _object, to, ask) => copyObject(location, to, ask),
    },

    async remove(keys, { signal }) {
      await inParallel(keys, removeWidth, async (key) => {
        try {
          await remove(key, { signal });
        } catch (error) {
          if (!isKind(error, 'notFound')) throw error;
        }
      });
    },

    close: () => api.close(),
  };
}

/** Awaits both; when one fails, discards the response of the other. */
async function both(opening: Promise<HttpResponse>, asking: Promise<StoredObject | undefined>) {
  const [opened, asked] = await Promise.allSettled([opening, asking]);
  if (opened.status === 'rejected') throw opened.reason;
  if (asked.status === 'fulfilled') return [opened.value, asked.value] as const;
  await opened.value.discard();
  throw asked.reason;
}

/**
 * Verifies a whole object by its CRC-32C, which every object has and which is twice as fast as MD5.
 * https://cloud.google.com/storage/docs/data-validation
 */
function checkedBody(response: HttpResponse, entry: Body['entry'] | undefined): Body {
  const { headers } = response;
  const { md5, crc32c: crc } = hashesIn(headers);
  const body = response.body(entry);
  const isAsStored = (headers['content-encoding'] ?? 'identity') === (headers['x-goog-stored-content-encoding'] ?? 'identity');
  if (!isAsStored) return body;
  return crc === undefined ? verified(body, md5, bodyHash('md5', 'base64')) : verified(body, crc, bodyCrc32c);
}
