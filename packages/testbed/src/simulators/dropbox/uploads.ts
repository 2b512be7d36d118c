import { randomUUID } from 'node:crypto';
import type { Handler, SimulatedRequest } from '../kit/index.ts';
import type { Bytes, Store } from './bytes.ts';
import { as, under } from './files.ts';
import { toMetadata, untagged } from './metadata.ts';
import { type People, type View, inView } from './people.ts';
import { type Tagged, badRequest, routeError, union } from './refusals.ts';
import { PathError, sizeOf } from './tree.ts';

interface Commit {
  readonly path: string;
  readonly mode?: string | { readonly '.tag': string };
  readonly client_modified?: string | null;
  readonly strict_conflict?: boolean;
}
interface Cursor {
  readonly session_id: string;
  readonly offset: number;
}
interface Session {
  readonly isConcurrent: boolean;
  readonly parts: Map<number, Bytes>;
  isClosed: boolean;
  until: number;
}

const MiB = 1024 * 1024;
/** Maximum bytes of one request. */
const mostBytes = 150 * MiB;
/** Parts of a concurrent session must be a multiple of this. */
const grain = 4 * MiB;
const sessionDays = 7;

export interface UploadState {
  /** Storage quota of every user in bytes. */
  quota: number;
  /** Flips a byte of the next upload before it is verified. */
  damageNext: boolean;
}

/** Uploads, in one request and in sessions. https://www.dropbox.com/developers/documentation/http/documentation#files-upload_session-start */
export function uploadRoutes(people: People, contents: Store, state: UploadState, now: () => number) {
  const sessions = new Map<string, Session>();

  /** Receives the bytes of one request and verifies their hash. */
  async function receive(request: SimulatedRequest, hash: string | null | undefined): Promise<Bytes> {
    const isDamaged = state.damageNext && Number(request.headers['content-length'] ?? 0) > 0;
    if (isDamaged) state.damageNext = false;
    const content = isDamaged ? contents.of('something else') : await contents.receive(request.stream);
    if (isDamaged) request.stream.resume();
    if (content.size > mostBytes) throw routeError(union('payload_too_large'));
    if (hash && hash !== content.hashes.content) throw routeError(union('content_hash_mismatch'));
    return content;
  }

  function store(view: View, content: Bytes, commit: Commit, wrap: (error: Tagged) => Tagged) {
    const { path, mode = 'add', client_modified, strict_conflict = false } = commit;
    const how = typeof mode === 'string' ? mode : mode['.tag'];
    if (how !== 'add' && how !== 'overwrite') throw new Error('the simulator knows no update of a revision');
    if (sizeOf(view.tree.root) + content.size > state.quota) throw routeError(wrap(union('insufficient_space')));
    const segments = under(wrap, () => inView(view, path));
    const clientModified = client_modified ? Date.parse(client_modified) / 1000 : undefined;
    const file = under(wrap, () =>
      view.tree.store(segments, { content, ...(clientModified !== undefined && { clientModified }) }, how, strict_conflict),
    );
    const place = view.tree.display(segments).slice(view.tree.told(view.base).length);
    return { json: untagged(toMetadata(file, place)) };
  }

  function find(id: string): Session {
    const session = sessions.get(id);
    if (!session || session.until <= now()) throw new PathError(union('not_found'));
    return session;
  }

  const lengthOf = ({ parts }: Session): number => [...parts.values()].reduce((sum, part) => sum + part.size, 0);

  function checkConcurrent({ session, offset, size, close }: { session: Session; offset: number; size: number; close: boolean }): void {
    if (!session.isConcurrent) return;
    if (offset % grain !== 0) throw routeError(union('concurrent_session_invalid_offset'));
    if (size % grain !== 0 && !close) throw routeError(union('concurrent_session_invalid_data_size'));
  }

  /** Returns the parts in order; throws when one is missing. */
  function whole(session: Session): Bytes[] {
    const parts = [...session.parts].sort(([a], [b]) => a - b);
    let end = 0;
    for (const [offset, { size }] of parts) {
      if (offset !== end) throw routeError(union('concurrent_session_missing_data'));
      end += size;
    }
    return parts.map(([, part]) => part);
  }

  const routes: Record<string, Handler> = {
    'POST /2/files/upload': async (request) => {
      const view = people.viewOf(request);
      const commit = argOf<Commit & { readonly content_hash?: string | null }>(request);
      const content = await receive(request, commit.content_hash);
      const wrap = (reason: Tagged): Tagged => ({ '.tag': 'path', reason, upload_session_id: randomUUID() });
      return store(view, content, commit, wrap);
    },
    'POST /2/files/upload_session/start': async (request) => {
      people.viewOf(request);
      const {
        close = false,
        session_type,
        content_hash,
      } = argOf<{
        readonly close?: boolean;
        readonly session_type?: string | { readonly '.tag': string } | null;
        readonly content_hash?: string | null;
      }>(request);
      const isConcurrent = (typeof session_type === 'string' ? session_type : session_type?.['.tag']) === 'concurrent';
      const content = await receive(request, content_hash);
      if (isConcurrent && content.size > 0) throw routeError(union('concurrent_session_data_not_allowed'));
      if (isConcurrent && close) throw routeError(union('concurrent_session_close_not_allowed'));
      const id = `pid_upload_session:${randomUUID()}`;
      const parts = new Map(content.size > 0 ? [[0, content]] : []);
      sessions.set(id, { isConcurrent, parts, isClosed: close, until: now() + sessionDays * 86_400_000 });
      return { json: { session_id: id } };
    },
    'POST /2/files/upload_session/append_v2': async (request) => {
      people.viewOf(request);
      const {
        cursor,
        close = false,
        content_hash,
      } = argOf<{
        readonly cursor: Cursor;
        readonly close?: boolean;
        readonly content_hash?: string | null;
      }>(request);
      const session = under(
        (error) => error,
        () => find(cursor.session_id),
      );
      if (session.isClosed) throw routeError(union('closed'));
      const at = lengthOf(session);
      if (!session.isConcurrent && cursor.offset !== at) throw routeError({ '.tag': 'incorrect_offset', correct_offset: at });
      const content = await receive(request, content_hash);
      checkConcurrent({ session, offset: cursor.offset, size: content.size, close });
      session.parts.set(cursor.offset, content);
      session.isClosed = close;
      return { json: null };
    },
    'POST /2/files/upload_session/finish': async (request) => {
      const view = people.viewOf(request);
      const { cursor, commit, content_hash } = argOf<{
        readonly cursor: Cursor;
        readonly commit: Commit;
        readonly content_hash?: string | null;
      }>(request);
      const session = under(as('lookup_failed'), () => find(cursor.session_id));
      const content = await receive(request, content_hash);
      if (session.isConcurrent && content.size > 0) throw routeError(union('concurrent_session_data_not_allowed'));
      if (session.isConcurrent && !session.isClosed) throw routeError(union('concurrent_session_not_closed'));
      const parts = whole(session);
      if (cursor.offset !== lengthOf(session))
        throw routeError(union('lookup_failed', { '.tag': 'incorrect_offset', correct_offset: lengthOf(session) }));
      const all = await contents.join(content.size > 0 ? [...parts, content] : parts);
      const reply = store(view, all, commit, as('path'));
      sessions.delete(cursor.session_id);
      return reply;
    },
  };
  return { routes, sessions };
}

/** The validated argument of a content call: from a header, or from the query of a GET. */
export function argOf<T>({ headers, query }: SimulatedRequest): T {
  const text = headers['dropbox-api-arg']?.toString() ?? query.get('arg');
  if (text === null) throw badRequest('the argument is missing');
  return JSON.parse(text) as T;
}
