import { randomBytes } from 'node:crypto';
import { type Contents, type Handler, type Reply, type SimulatedRequest, readContentRange } from '../kit/index.ts';
import { no } from './refusals.ts';
import type { BoxState, Bytes, File } from './state.ts';
import { type Limits, receive, secondsOf, uploaded } from './uploads.ts';

const sha1 = (bytes: Bytes): string => Buffer.from(bytes.hashes.sha1, 'hex').toString('base64');

interface Session {
  readonly target: { readonly folder: string; readonly name: string } | { readonly file: string };
  readonly size: number;
  readonly parts: Map<number, { readonly id: string; readonly bytes: Bytes }>;
  commits: number;
}

/** Minimum bytes of an upload session. */
const sessionFrom = 20_000_000;

/** Upload sessions: parts of equal size, each with its hash, then a commit that takes Box a moment. */
export function sessionRoutes(
  stateOf: (request: SimulatedRequest) => BoxState,
  contents: Contents<'sha1'>,
  limits: Limits,
  refuseSize: (state: BoxState, size: number) => void,
) {
  const sessions = new Map<string, Session>();
  const { partSize } = limits;

  function find({ params }: SimulatedRequest): readonly [string, Session] {
    const id = params['upload_session_id'] ?? '';
    const session = sessions.get(id);
    if (!session) throw no(404, 'not_found');
    return [id, session];
  }

  function open(request: SimulatedRequest, target: Session['target'], size: number): Reply {
    if (size < sessionFrom) throw no(400, 'bad_request');
    refuseSize(stateOf(request), size);
    const id = randomBytes(16).toString('hex').toUpperCase();
    sessions.set(id, { target, size, parts: new Map(), commits: 0 });
    const at = request.url(`/upload/api/2.0/files/upload_sessions/${id}`);
    return {
      status: 201,
      json: {
        id,
        type: 'upload_session',
        session_expires_at: new Date(Date.now() + 7 * 86_400_000).toISOString(),
        part_size: partSize,
        total_parts: Math.ceil(size / partSize),
        num_parts_processed: 0,
        session_endpoints: {
          upload_part: at,
          commit: `${at}/commit`,
          abort: at,
          list_parts: `${at}/parts`,
          status: at,
          log_event: `${at}/log`,
        },
      },
    };
  }

  const routes: Record<string, Handler> = {
    'POST /files/upload_sessions': (request) => {
      const { folder_id, file_name, file_size } = request.json<{ folder_id: string; file_name: string; file_size: number }>();
      stateOf(request).claim(folder_id, file_name);
      return open(request, { folder: folder_id, name: file_name }, file_size);
    },
    'POST /files/{file_id}/upload_sessions': (request) => {
      const file = stateOf(request).find(request.params['file_id'] ?? '', 'file');
      return open(request, { file: file.id }, request.json<{ file_size: number }>().file_size);
    },
    'PUT /files/upload_sessions/{upload_session_id}': async (request) => {
      const [, session] = find(request);
      const range = readContentRange(request.headers['content-range']);
      const { start = -1, end = -1, size } = range ?? {};
      const isWhole = end - start === partSize || end === session.size;
      if (size !== session.size || start % partSize !== 0 || !isWhole) throw no(416, 'bad_request');
      const bytes = await receive(request.stream, contents, limits);
      if (session.parts.has(start)) throw no(409, 'conflict');
      if (bytes.size !== end - start && bytes.size !== 14) throw no(400, 'bad_request');
      if (request.headers['digest'] !== `sha=${sha1(bytes)}`) throw no(412, 'precondition_failed');
      const part = { id: randomBytes(4).toString('hex').toUpperCase(), bytes };
      session.parts.set(start, part);
      return { json: { part: { part_id: part.id, offset: start, size: bytes.size, sha1: bytes.hashes.sha1 } } };
    },
    'GET /files/upload_sessions/{upload_session_id}/parts': (request) => {
      const [, { parts }] = find(request);
      const offset = Number(request.query.get('offset') ?? 0);
      const limit = Math.min(Number(request.query.get('limit') ?? 100), limits.listedParts);
      const entries = [...parts].map(([at, { id, bytes }]) => ({ part_id: id, offset: at, size: bytes.size, sha1: bytes.hashes.sha1 }));
      return { json: { total_count: entries.length, limit, offset, entries: entries.slice(offset, offset + limit) } };
    },
    'DELETE /files/upload_sessions/{upload_session_id}': (request) => {
      sessions.delete(find(request)[0]);
      return { status: 204 };
    },
    'POST /files/upload_sessions/{upload_session_id}/commit': async (request) => {
      const [id, session] = find(request);
      const { parts, attributes } = request.json<{
        readonly parts: readonly { readonly part_id: string; readonly offset: number }[];
        readonly attributes?: { readonly content_modified_at?: string };
      }>();
      session.commits += 1;
      // The first commits report that Box is still processing the parts.
      if (session.commits <= limits.commitsEarly) return { status: 202, headers: { 'retry-after': '1' } };
      const named = parts.map(({ part_id, offset }) => session.parts.get(offset)?.id === part_id && session.parts.get(offset)?.bytes);
      const all = named.filter((bytes): bytes is Bytes => typeof bytes === 'object');
      if (all.length !== named.length || all.length !== Math.ceil(session.size / partSize)) throw no(400, 'bad_request');
      const content = await contents.concat(all);
      if (request.headers['digest'] !== `sha=${sha1(content)}`) throw no(412, 'precondition_failed');
      const state = stateOf(request);
      const { target } = session;
      const modified = secondsOf(attributes?.content_modified_at);
      const file =
        'file' in target
          ? state.addVersion(state.find(target.file, 'file') as File, content, modified)
          : state.addFile(target.folder, target.name, content, modified);
      sessions.delete(id);
      return uploaded(state, file, request);
    },
  };
  return { routes, sessions };
}
