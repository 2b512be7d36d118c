import { randomUUID } from 'node:crypto';
import { type Content, type Handler, type SimulatedRequest, refuse } from '../kit/index.ts';
import { type State, type StoredObject, urnOf } from './state.ts';

const minimum = 5 * 1024 * 1024;
const mostAddresses = 25;
const mostMinutes = 60;

export interface Upload {
  readonly key: string;
  readonly object: StoredObject;
  readonly parts: Map<number, { readonly content: Content; readonly etag: string }>;
}

/** What a signed URL permits, and until when. */
export interface Signed {
  readonly what: { readonly upload: Upload; readonly part: number } | { readonly object: StoredObject };
  readonly until: number;
}

const reason = (status: number, text: string): Error => refuse({ status, json: { reason: text } });

/** Autodesk's object store: upload URLs for parts, objects assembled from parts, download URLs. */
export function createStore(state: State, now: () => number) {
  const uploads = new Map<string, Upload>();
  const signed = new Map<string, Signed>();

  const find = ({ params }: SimulatedRequest): StoredObject => {
    const object = state.objects.get(`urn:adsk.objects:os.object:${params['bucketKey'] ?? ''}/${params['objectKey'] ?? ''}`);
    if (!object) throw reason(404, 'Object not found');
    return object;
  };

  function minutesOf({ query }: SimulatedRequest): number {
    const minutes = Number(query.get('minutesExpiration') ?? 2);
    if (minutes < 1 || minutes > mostMinutes) throw reason(400, 'minutesExpiration is out of bounds');
    return minutes;
  }

  function sign(request: SimulatedRequest, what: Signed['what'], minutes: number, more = ''): string {
    const { bucket, key } = 'object' in what ? what.object : what.upload.object;
    const signature = randomUUID();
    signed.set(signature, { what, until: now() + minutes * 60_000 });
    return request.url(`/s3/${bucket}/${key}?X-Amz-Expires=${minutes * 60}&X-Amz-Signature=${signature}${more}`);
  }

  const begin: Handler = (request) => {
    const object = find(request);
    const { query } = request;
    const minutes = minutesOf(request);
    const first = Number(query.get('firstPart') ?? 1);
    const count = Number(query.get('parts') ?? 1);
    if (first < 1 || count < 1 || count > mostAddresses || first + count > 10_001) throw reason(400, 'parts are out of bounds');
    if (object.isUsed) throw reason(403, 'The object is in use');
    const key = query.get('uploadKey');
    if (key === null && first > 1) throw reason(400, 'uploadKey is missing');
    let upload = key === null ? undefined : uploads.get(key);
    if (key !== null && upload?.object !== object) throw reason(404, 'Upload not found');
    if (!upload) uploads.set((upload = { key: randomUUID(), object, parts: new Map() }).key, upload);
    const into = upload;
    const urls = Array.from({ length: count }, (_, index) =>
      sign(request, { upload: into, part: first + index }, minutes, `&partNumber=${first + index}&uploadId=${into.key}`),
    );
    const end = (ms: number) => new Date(now() + ms).toISOString();
    return { json: { uploadKey: upload.key, urls, urlExpiration: end(minutes * 60_000), uploadExpiration: end(24 * 60 * 60_000) } };
  };

  const complete: Handler = async (request) => {
    const object = find(request);
    const { uploadKey, size, eTags } = request.json<{ uploadKey: string; size?: number; eTags?: readonly string[] }>();
    const upload = uploads.get(uploadKey);
    if (upload?.object !== object) throw reason(404, 'Upload not found');
    const parts = [...upload.parts].sort(([a], [b]) => a - b);
    if (parts.some(([number], index) => number !== index + 1) || parts.length === 0) throw reason(400, 'A part is Pending');
    if (parts.slice(0, -1).some(([, { content }]) => content.size < minimum)) throw reason(400, 'A part is TooSmall');
    if (eTags && (eTags.length !== parts.length || eTags.some((etag, index) => etag !== parts[index]?.[1].etag)))
      throw reason(400, 'A part is Unexpected');
    const content = await state.contents.concat(parts.map(([, part]) => part.content));
    if (size !== undefined && size !== content.size) throw reason(400, 'The size is another one');
    object.content = content;
    uploads.delete(uploadKey);
    return { json: detailsOf(object, content, request) };
  };

  const download: Handler = (request) => {
    const object = find(request);
    const { content } = object;
    if (!content) throw reason(404, 'Object not found');
    const url = sign(request, { object }, minutesOf(request));
    return {
      json: {
        status: 'complete',
        url,
        params: { 'content-type': 'application/octet-stream' },
        size: content.size,
        sha1: content.hashes.sha1,
      },
    };
  };

  const copy: Handler = (request) => {
    const { content, bucket } = find(request);
    const object = state.objects.get(`urn:adsk.objects:os.object:${bucket}/${request.params['newObjKey'] ?? ''}`);
    if (!content || !object || object.isUsed) throw reason(404, 'Object not found');
    object.content = content;
    return { json: detailsOf(object, content, request) };
  };

  const path = '/oss/v2/buckets/{bucketKey}/objects/{objectKey}';
  return {
    uploads,
    signed,
    routes: {
      [`GET ${path}/signeds3upload`]: begin,
      [`POST ${path}/signeds3upload`]: complete,
      [`GET ${path}/signeds3download`]: download,
      [`PUT ${path}/copyto/{newObjKey}`]: copy,
    },
  };
}
export type Store = ReturnType<typeof createStore>;

const detailsOf = (object: StoredObject, { size, hashes }: Content<'sha1'>, { url }: SimulatedRequest) => ({
  bucketKey: object.bucket,
  objectId: urnOf(object),
  objectKey: object.key,
  sha1: hashes.sha1,
  size,
  contentType: 'application/octet-stream',
  location: url(`/oss/v2/buckets/${object.bucket}/objects/${object.key}`),
});
