import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { masked } from '../google/fields.ts';
import { errorReply, refuseWith } from '../google/refusals.ts';
import type { createUploads } from '../google/uploads.ts';
import { type Handler, type Reply, type SimulatedRequest, answerContent } from '../kit/index.ts';
import type { Bucket, CloudContent, CloudObject } from './objects.ts';

interface Sent {
  readonly name?: string;
  readonly contentType?: string;
  readonly contentEncoding?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly md5Hash?: string;
  readonly crc32c?: string;
}

interface Options {
  readonly buckets: ReadonlyMap<string, Bucket>;
  readonly uploads: ReturnType<typeof createUploads<'md5' | 'crc32c'>>;
  /** Bytes copied per call of a rewrite. */
  readonly manners: { rewritePerCall: number };
}

/** https://cloud.google.com/storage/docs/buckets#naming */
const bucketName = /^[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]$/;

export function createHandlers({ buckets, uploads, manners }: Options): Readonly<Record<string, Handler>> {
  const rewrites = new Map<string, number>();
  let generations = 1_700_000_000_000_000;
  let latest = 0;
  /** Epoch ms; a later one for each call, as it is between two requests to the service. */
  const now = (): number => (latest = Math.max(Date.now(), latest + 1));

  function bucketOf({ account }: SimulatedRequest, name: string): Bucket {
    if (!bucketName.test(name)) refuseWith(400, 'invalid', `Invalid bucket name: '${name}'`);
    const bucket = buckets.get(name) ?? refuseWith(404, 'notFound', 'The specified bucket does not exist.');
    if (bucket.members.includes(account.email)) return bucket;
    return refuseWith(403, 'forbidden', `${account.email} does not have storage.objects.list access to the Google Cloud Storage bucket.`);
  }
  const inBucket = (request: SimulatedRequest): Bucket => bucketOf(request, request.params['bucket'] ?? '');

  function find(bucket: Bucket, name: string, generation: string | null = null): CloudObject {
    const object = generation === null ? bucket.objects.get(name) : bucket.objects.generation(name, generation);
    return object ?? refuseWith(404, 'notFound', `No such object: ${bucket.name}/${name}`);
  }

  function mustMeet({ query }: SimulatedRequest, current: CloudObject | undefined): void {
    const wanted = query.get('ifGenerationMatch');
    if (wanted !== null && wanted !== (current?.generation ?? '0'))
      refuseWith(412, 'conditionNotMet', 'At least one of the pre-conditions you specified did not hold.');
  }

  function mustBeName(name: string): void {
    const isForbidden = /[\r\n]/.test(name) || name === '.' || name === '..' || name.startsWith('.well-known/acme-challenge/');
    if (name === '') refuseWith(400, 'required', 'Required');
    if (isForbidden || Buffer.byteLength(name) > 1024) refuseWith(400, 'invalid', `Invalid object name: '${name}'`);
  }

  const toJson = (bucket: Bucket, object: CloudObject): Readonly<Record<string, unknown>> => {
    const { name, content, contentType, contentEncoding, metadata, generation, created, deleted, isComposed } = object;
    const time = new Date(created).toISOString();
    return {
      kind: 'storage#object',
      id: `${bucket.name}/${name}/${generation}`,
      name,
      bucket: bucket.name,
      generation,
      metageneration: '1',
      contentType,
      ...(contentEncoding !== undefined && { contentEncoding }),
      storageClass: 'STANDARD',
      size: String(content.size),
      ...(isComposed ? { componentCount: 2 } : { md5Hash: content.hashes.md5 }),
      crc32c: content.hashes.crc32c,
      etag: Buffer.from(generation).toString('base64'),
      timeCreated: time,
      updated: time,
      ...(deleted !== undefined && { timeDeleted: new Date(deleted).toISOString() }),
      ...(Object.keys(metadata).length > 0 && { metadata }),
    };
  };
  const answer = ({ query }: SimulatedRequest, json: unknown): Reply => ({ json: masked(json, query.get('fields') ?? '*') });

  /** Stores complete content, unless a precondition or a hash fails. */
  function store(request: SimulatedRequest, bucket: Bucket, sent: Sent, content: CloudContent, told = ''): CloudObject {
    const name = sent.name ?? request.query.get('name') ?? '';
    mustBeName(name);
    const wanted = { md5: sent.md5Hash ?? /md5=([^,]+)/.exec(told)?.[1], crc32c: sent.crc32c ?? /crc32c=([^,]+)/.exec(told)?.[1] };
    for (const kind of ['md5', 'crc32c'] as const)
      if (wanted[kind] !== undefined && wanted[kind] !== content.hashes[kind])
        refuseWith(400, 'invalid', `Provided ${kind} hash does not match the calculated one.`);
    mustMeet(request, bucket.objects.get(name));
    const { contentType = 'application/octet-stream', contentEncoding, metadata = {} } = sent;
    const object: CloudObject = {
      name,
      content,
      contentType,
      metadata,
      ...(contentEncoding !== undefined && { contentEncoding }),
      generation: String((generations += 1)),
      created: now(),
      isComposed: false,
    };
    bucket.objects.set(object);
    return object;
  }

  const insert: Handler = async (request) => {
    const bucket = inBucket(request);
    const kind = request.query.get('uploadType');
    if (kind === 'multipart') {
      if (!request.file) return errorReply(400, 'badContent', 'The second part is missing.');
      const content = await uploads.receive(request.file.stream);
      return answer(request, toJson(bucket, store(request, bucket, request.json<Sent>(), content)));
    }
    if (kind === 'media') return answer(request, toJson(bucket, store(request, bucket, {}, await uploads.receive(request.stream))));
    const sent = request.json<Sent | undefined>() ?? {};
    const name = sent.name ?? request.query.get('name') ?? '';
    mustBeName(name);
    mustMeet(request, bucket.objects.get(name));
    const id = uploads.open(request.headers, (content, headers) => {
      const told = headers['x-goog-hash'];
      return answer(request, toJson(bucket, store(request, bucket, sent, content, typeof told === 'string' ? told : '')));
    });
    return { headers: { location: request.url(`${request.path}?uploadType=resumable&upload_id=${id}`), 'content-length': 0 } };
  };

  /** All generations. The service can group them by a delimiter as well; nobody asks for that here. */
  function listGenerations(request: SimulatedRequest): Reply {
    const { query } = request;
    const bucket = inBucket(request);
    if (query.has('delimiter')) refuseWith(400, 'invalid', 'Generations are listed without a delimiter here.');
    const { items, next } = bucket.objects.pageOfGenerations({
      prefix: query.get('prefix') ?? '',
      from: query.get('startOffset') ?? '',
      after: Number(Buffer.from(query.get('pageToken') ?? '', 'base64url').toString() || 0),
      size: Math.min(1000, Number(query.get('maxResults') ?? 1000)),
    });
    return answer(request, {
      kind: 'storage#objects',
      ...(next !== undefined && { nextPageToken: Buffer.from(String(next)).toString('base64url') }),
      ...(items.length > 0 && { items: items.map((object) => toJson(bucket, object)) }),
    });
  }

  const list: Handler = (request) => {
    const { query } = request;
    if (query.get('versions') === 'true') return listGenerations(request);
    const bucket = inBucket(request);
    const size = Math.min(1000, Number(query.get('maxResults') ?? 1000));
    const token = query.get('pageToken');
    const after = token === null ? undefined : Buffer.from(token, 'base64url').toString('utf8');
    const { items, prefixes, next } = bucket.objects.page({
      prefix: query.get('prefix') ?? '',
      delimiter: query.get('delimiter') ?? '',
      after,
      size,
    });
    return answer(request, {
      kind: 'storage#objects',
      ...(next !== undefined && { nextPageToken: Buffer.from(next).toString('base64url') }),
      ...(prefixes.length > 0 && { prefixes }),
      ...(items.length > 0 && { items: items.map((object) => toJson(bucket, object)) }),
    });
  };

  const get: Handler = async (request) => {
    const { query, params, headers } = request;
    const bucket = inBucket(request);
    const object = find(bucket, params['object'] ?? '', query.get('generation'));
    mustMeet(request, object);
    if (query.get('alt') !== 'media') return answer(request, toJson(bucket, object));
    const { content, contentType, contentEncoding, generation, isComposed } = object;
    const type = { 'content-type': contentType };
    const facts = {
      'x-goog-generation': generation,
      'x-goog-stored-content-length': String(content.size),
      'x-goog-stored-content-encoding': contentEncoding ?? 'identity',
      'x-goog-hash': `crc32c=${content.hashes.crc32c}${isComposed ? '' : `,md5=${content.hashes.md5}`}`,
    };
    // Decompresses an object unless the client accepts gzip.
    if (contentEncoding === 'gzip' && !/\bgzip\b/.test(String(headers['accept-encoding'] ?? '')))
      return { bytes: gunzipSync(await buffer(content.open())), headers: { ...type, ...facts } };
    const unsatisfiable = { text: 'The requested range cannot be satisfied.', headers: { 'content-type': 'text/html' } };
    const encoding = contentEncoding === undefined ? {} : { 'content-encoding': contentEncoding };
    return answerContent(request, content, { type: contentType, headers: { ...facts, ...encoding }, unsatisfiable });
  };

  const rewrite: Handler = (request) => {
    const { params, query } = request;
    const from = bucketOf(request, params['sourceBucket'] ?? '');
    const to = bucketOf(request, params['destinationBucket'] ?? '');
    const object = find(from, params['sourceObject'] ?? '', query.get('sourceGeneration'));
    const name = params['destinationObject'] ?? '';
    mustBeName(name);
    mustMeet(request, to.objects.get(name));
    const token = query.get('rewriteToken');
    const before = token === null ? 0 : (rewrites.get(token) ?? refuseWith(400, 'invalid', 'Invalid rewrite token.'));
    const { size } = object.content;
    const done = before + manners.rewritePerCall;
    if (done < size) {
      const rewriteToken = Buffer.from(`${name} ${done} ${rewrites.size}`).toString('base64url');
      rewrites.set(rewriteToken, done);
      const part = {
        kind: 'storage#rewriteResponse',
        done: false,
        objectSize: String(size),
        totalBytesRewritten: String(done),
        rewriteToken,
      };
      return answer(request, part);
    }
    const { deleted: _, ...source } = object;
    const copy = { ...source, name, generation: String((generations += 1)), created: now() };
    to.objects.set(copy);
    const whole = { objectSize: String(size), totalBytesRewritten: String(size), resource: toJson(to, copy) };
    return answer(request, { kind: 'storage#rewriteResponse', done: true, ...whole });
  };

  return {
    'GET /storage/v1/b/{bucket}': (request) => {
      const { name, versioned } = inBucket(request);
      const facts = { id: name, name, location: 'EU', storageClass: 'STANDARD', ...(versioned && { versioning: { enabled: true } }) };
      return answer(request, { kind: 'storage#bucket', ...facts });
    },
    'GET /storage/v1/b/{bucket}/o': list,
    'GET /storage/v1/b/{bucket}/o/{object}': get,
    'DELETE /storage/v1/b/{bucket}/o/{object}': (request) => {
      const bucket = inBucket(request);
      const object = find(bucket, request.params['object'] ?? '', request.query.get('generation'));
      mustMeet(request, object);
      const isCurrent = object.deleted === undefined;
      if (isCurrent) bucket.objects.delete(object.name, now());
      // With its number a generation is deleted for good.
      if (request.query.has('generation')) bucket.objects.forget(object.name, object.generation);
      return { status: 204 };
    },
    'POST /upload/storage/v1/b/{bucket}/o': insert,
    'PUT /upload/storage/v1/b/{bucket}/o': uploads.put,
    'DELETE /upload/storage/v1/b/{bucket}/o': uploads.cancel,
    'POST /storage/v1/b/{sourceBucket}/o/{sourceObject}/rewriteTo/b/{destinationBucket}/o/{destinationObject}': rewrite,
  };
}
