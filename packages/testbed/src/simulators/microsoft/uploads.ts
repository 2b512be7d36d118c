import { randomUUID } from 'node:crypto';
import { type ContentWriter, type Handler, readContentRange } from '../kit/index.ts';
import type { Conflict, Drive, Node } from './drive.ts';
import { shown } from './items.ts';
import { checkName } from './names.ts';
import { invalidRequest, itemNotFound, nameTaken, refused } from './replies.ts';
import { type World, driveIn, elsewhere, stored, targetIn } from './state.ts';
import { toItem } from './wire.ts';

/** Maximum bytes of a single-request upload. */
const requestLimit = 250 * 1000 * 1000;
/** Fragments must be a multiple of the first and smaller than the second, in bytes. */
const [step, fragmentLimit] = [320 * 1024, 60 * 1024 * 1024];
const week = 7 * 86_400_000;

type Target = ReturnType<typeof targetIn>;

interface Session {
  readonly drive: Drive;
  readonly target: Target;
  readonly conflict: Conflict;
  readonly modified: number | undefined;
  readonly writer: ContentWriter<string>;
  readonly until: string;
  size: number | undefined;
}

interface Properties {
  readonly name?: string;
  readonly fileSystemInfo?: { readonly lastModifiedDateTime?: string };
  readonly '@microsoft.graph.conflictBehavior'?: Conflict;
}

const conflictOf = (asked: string | null | undefined): Conflict => {
  if (asked === null || asked === undefined) return 'replace';
  if (asked === 'fail' || asked === 'replace' || asked === 'rename') return asked;
  throw invalidRequest('The conflict behavior is none.');
};

const nameIn = (target: Target): string => ('node' in target ? target.node.name : target.name);

function unauthorizedOnly(headers: Readonly<Record<string, unknown>>): void {
  // Signed URLs accept no token; sending one would leak it.
  if (headers['authorization'] !== undefined) throw refused(401, 'unauthenticated', 'Authorization is not allowed here.');
}

/** Uploads, in one request or by sessions. `routes` are Graph's, `hostRoutes` those of the session host. */
export function uploadRoutes(world: World) {
  const sessions = new Map<string, Session>();

  function refuseTaken(drive: Drive, target: Target, conflict: Conflict): void {
    if ('node' in target) return;
    checkName(target.name, drive.pathOf(target.folder));
    const there = drive.child(target.folder, target.name);
    if (there && (conflict === 'fail' || there.kind !== 'file')) throw nameTaken();
  }

  function put(drive: Drive, target: Target, ...[content, conflict, modified]: [Node['content'] & object, Conflict, number?]) {
    if (!('node' in target)) return drive.store(target.folder, target.name, content, conflict, modified);
    drive.room(content.size);
    return { node: drive.replace(target.node, content, modified), isNew: false };
  }

  const routes: Record<string, Handler> = {
    'PUT /drives/{drive-id}/items/{driveItem-id}/content': async (request) => {
      const drive = driveIn(world, request);
      const target = targetIn(drive, request);
      const conflict = conflictOf(request.query.get('@microsoft.graph.conflictBehavior'));
      refuseTaken(drive, target, conflict);
      const content = await stored(world, await world.contents.receive(request.stream), drive, nameIn(target));
      if (content.size > requestLimit) throw refused(413, 'maxFileSizeExceeded', 'Request Entity Too Large');
      const { node, isNew } = put(drive, target, content, conflict);
      return { status: isNew ? 201 : 200, json: shown(world, drive, node, request) };
    },
    'POST /drives/{drive-id}/items/{driveItem-id}/microsoft.graph.createUploadSession': (request) => {
      const drive = driveIn(world, request);
      const target = targetIn(drive, request);
      const { item = {} } = request.json<{ readonly item?: Properties } | undefined>() ?? {};
      const conflict = conflictOf(item['@microsoft.graph.conflictBehavior']);
      if (item.name !== undefined && 'name' in target && item.name !== target.name)
        throw invalidRequest('The name differs from the address.');
      refuseTaken(drive, target, conflict);
      const time = item.fileSystemInfo?.lastModifiedDateTime;
      const until = new Date(Date.now() + week).toISOString();
      const id = randomUUID();
      const modified = time === undefined ? undefined : Date.parse(time);
      sessions.set(id, { drive, target, conflict, modified, until, writer: world.contents.writer(), size: undefined });
      const uploadUrl = elsewhere(request.url(`/host/up/${id}`));
      return { json: { uploadUrl, expirationDateTime: until, nextExpectedRanges: ['0-'] } };
    },
  };

  const sessionOf = (id = ''): Session => {
    const session = sessions.get(id);
    if (!session) throw refused(404, 'itemNotFound', 'The upload session was not found.', 'uploadSessionNotFound');
    return session;
  };
  const statusOf = ({ writer, until }: Session) => ({ expirationDateTime: until, nextExpectedRanges: [`${writer.size}-`] });

  const hostRoutes: Record<string, Handler> = {
    'GET /up/{session}': ({ params, headers }) => {
      unauthorizedOnly(headers);
      return { json: statusOf(sessionOf(params['session'])) };
    },
    'DELETE /up/{session}': ({ params, headers }) => {
      unauthorizedOnly(headers);
      sessionOf(params['session']);
      sessions.delete(params['session'] ?? '');
      return { status: 204 };
    },
    'PUT /up/{session}': async ({ params, headers, stream }) => {
      unauthorizedOnly(headers);
      const id = params['session'] ?? '';
      const session = sessionOf(id);
      const { drive, target, writer, conflict, modified } = session;
      const { start, end, size } = readContentRange(headers['content-range']) ?? {};
      if (start === undefined || end === undefined || size === undefined)
        throw invalidRequest('The Content-Range header is missing or malformed.');
      if (headers['content-length'] !== String(end - start)) throw invalidRequest('The Content-Range header length does not match.');
      if ((session.size ??= size) !== size) throw invalidRequest('The session is for another total.');
      if (start !== writer.size) throw refused(416, 'invalidRange', 'Optimistic concurrency failure.', 'fragmentOutOfOrder');
      if (end - start >= fragmentLimit)
        throw refused(413, 'invalidRequest', 'Maximum request length exceeded.', 'maxFragmentLengthExceeded');
      // A fragment that resumes after a failure ends where the failed one would have.
      if (end < size && end % step !== 0) throw invalidRequest('The fragment is not a multiple of 320 KiB.');
      await writer.write(stream);
      if (sessions.get(id) !== session) sessionOf(id);
      if (writer.size < size) return { status: 202, json: statusOf(session) };
      sessions.delete(id);
      refuseTaken(drive, target, conflict);
      if ('node' in target && target.node.isDeleted) throw itemNotFound();
      const { node, isNew } = put(drive, target, await stored(world, writer.finish(), drive, nameIn(target)), conflict, modified);
      return { status: isNew ? 201 : 200, json: toItem(drive, node) };
    },
  };
  return { routes, hostRoutes, sessions };
}
