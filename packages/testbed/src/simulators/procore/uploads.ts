import { randomUUID } from 'node:crypto';
import { type Content, type Handler, type SimulatedRequest, refuse } from '../kit/index.ts';
import type { Finder } from './finding.ts';
import { invalid } from './replies.ts';
import type { Space, State } from './state.ts';

const smallestSegment = 5_000_000;
const largestSegment = 5_000_000_000;
/** ms within which an upload must start. */
const serves = 60 * 60_000;

interface SegmentFacts {
  readonly size: number;
  readonly sha256: string;
  readonly etag?: string;
}

export interface Segment extends SegmentFacts {
  content: Content | undefined;
  tag: string;
}

export interface Upload {
  readonly uuid: string;
  readonly space: Space;
  readonly owner: string;
  readonly until: number;
  /** Undefined: the body is sent in one request. */
  readonly segments: readonly Segment[] | undefined;
  /** Announced bytes of a single-request upload. */
  readonly size: number | undefined;
  readonly key: string;
  content: Content | undefined;
}

/** Uploads: announced at Procore, sent to the storage, completed at Procore, and used once for a file. */
export function createUploads(state: State, find: Finder, now: () => number) {
  const uploads = new Map<string, Upload>();

  const create: Handler = (request) => {
    const { segments, size } = request.json<{ segments?: readonly SegmentFacts[]; size?: number }>();
    const space = find.space(request);
    for (const [index, one] of (segments ?? []).entries()) {
      const isLast = index === (segments?.length ?? 0) - 1;
      if (!/^[0-9a-f]{64}$/.test(one.sha256)) throw invalid('segments', 'have a malformed hash');
      if (one.size < 1 || one.size > largestSegment || (one.size < smallestSegment && !isLast))
        throw invalid('segments', 'have a wrong size');
    }
    const uuid = randomUUID();
    const upload: Upload = {
      uuid,
      space,
      size,
      owner: request.account.id,
      until: now() + serves,
      segments: segments?.map((one) => ({ ...one, content: undefined, tag: '' })),
      key: `companies/${space.company.id}/${uuid}`,
      content: undefined,
    };
    uploads.set(uuid, upload);
    return { status: 201, json: toJson(upload, request) };
  };

  const finish: Handler = async (request) => {
    const upload = uploads.get(request.params['uuid'] ?? '');
    if (upload?.space !== find.space(request)) throw refuse({ status: 410 });
    const sent = request.json<{ segments?: readonly SegmentFacts[] }>().segments ?? [];
    const segments = upload.segments ?? [];
    const isWhole = segments.every(({ tag, content }, index) => content !== undefined && sent[index]?.etag === tag);
    if (sent.length !== segments.length || !isWhole) throw invalid('segments', 'are not those that were uploaded');
    upload.content = await state.contents.concat(segments.flatMap(({ content }) => (content ? [content] : [])));
    return { json: toJson(upload, request) };
  };

  return {
    uploads,
    /** Returns an upload's bytes and consumes the upload. */
    take({ account }: SimulatedRequest, space: Space, uuid: string): Content {
      const upload = uploads.get(uuid);
      if (!upload?.content || upload.space !== space || upload.owner !== account.id)
        throw invalid('upload_uuid', 'is not known or not complete');
      uploads.delete(uuid);
      return upload.content;
    },
    routes: {
      'POST /rest/v1.1/projects/{project_id}/uploads': create,
      'PATCH /rest/v1.1/projects/{project_id}/uploads/{uuid}': finish,
      'POST /rest/v1.1/companies/{company_id}/uploads': create,
      'PATCH /rest/v1.1/companies/{company_id}/uploads/{uuid}': finish,
    } satisfies Record<string, Handler>,
  };
}
export type Uploads = ReturnType<typeof createUploads>;

function toJson({ uuid, segments, key, content }: Upload, { url }: SimulatedRequest) {
  const status = content ? 'complete' : 'ready';
  if (!segments)
    return {
      uuid,
      status,
      url: url('/storage/bucket'),
      fields: {
        key,
        'Content-Type': 'application/octet-stream',
        policy: Buffer.from(JSON.stringify({ key })).toString('base64'),
        'x-amz-credential': 'sheaf/20260101/us-east-1/s3/aws4_request',
        'x-amz-algorithm': 'AWS4-HMAC-SHA256',
        'x-amz-date': '20260101T000000Z',
        'x-amz-signature': uuid.replaceAll('-', ''),
      },
    };
  return {
    uuid,
    status,
    segments: segments.map(({ size, sha256, tag }, index) => ({
      size,
      sha256,
      ...(tag !== '' && { etag: tag }),
      url: url(`/storage/segments/${uuid}/${index + 1}`),
      headers: { 'x-amz-content-sha256': sha256, 'content-length': String(size) },
    })),
  };
}
