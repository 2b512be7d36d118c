import { type Account, type Contents, type Handler, type Reply, type SimulatedRequest, answerContent } from '../kit/index.ts';
import { masked } from './fields.ts';
import { errorReply, refuseWith } from './refusals.ts';
import { type DriveContent, type DriveNode, type DriveState, type Revision, folderType, isDocument, newId, shortcutType } from './state.ts';
import type { createUploads } from './uploads.ts';

type Names = 'md5' | 'sha1';

/** Metadata sent by a client, validated against the description. */
interface Sent {
  readonly id?: string;
  readonly name?: string;
  readonly mimeType?: string;
  readonly parents?: readonly string[];
  readonly modifiedTime?: string;
  readonly createdTime?: string;
  readonly trashed?: boolean;
  readonly shortcutDetails?: { readonly targetId?: string };
}

interface Options {
  readonly state: DriveState;
  readonly contents: Contents<Names>;
  readonly uploads: ReturnType<typeof createUploads<Names>>;
  /** Storage quota of an account in bytes. */
  readonly limit: number;
}

const defaultFields = 'kind,id,name,mimeType';
/** Larger exports are refused: https://developers.google.com/drive/api/reference/rest/v3/files/export */
const longestExport = 10 * 1024 * 1024;
export const exportFormats: Readonly<Record<string, readonly string[]>> = {
  'application/vnd.google-apps.document': [
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'application/pdf',
    'text/plain',
  ],
  'application/vnd.google-apps.spreadsheet': [
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'application/pdf',
    'text/csv',
  ],
  'application/vnd.google-apps.presentation': [
    'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    'application/pdf',
  ],
  'application/vnd.google-apps.drawing': ['application/pdf', 'image/png'],
};

export const flag = ({ query }: SimulatedRequest, name: string): boolean => query.get(name) === 'true';
const timeOf = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? refuseWith(400, 'invalid', 'Invalid value for a time.') : time;
};

const toRevision = ({ mimeType }: DriveNode, { id, content, at }: Revision) => ({
  kind: 'drive#revision',
  id,
  mimeType,
  keepForever: false,
  size: String(content.size),
  md5Checksum: content.hashes.md5,
  modifiedTime: new Date(at).toISOString(),
});

/** Drive detects the type from name and content when none is given. */
function guessType(name: string, content: DriveContent | undefined): string {
  if (!content) return 'application/octet-stream';
  if (/\.jpe?g$/i.test(name)) return 'image/jpeg';
  return /\.(txt|md|csv)$/i.test(name) ? 'text/plain' : 'application/octet-stream';
}

/** Routes of single files. */
export function createFiles({ state, contents, uploads, limit }: Options) {
  /** Ids that clients may give to new files. */
  const generated = new Set<string>();

  /** Returns the resource with all its fields. */
  function toFile(node: DriveNode, request: SimulatedRequest): Readonly<Record<string, unknown>> {
    const { id, name, mimeType, parent, driveId, revisions, target, document, version } = node;
    const head = revisions.at(-1);
    const hasThumbnail = mimeType.startsWith('image/');
    const above = parent === undefined ? undefined : state.nodes.get(parent);
    const leadsTo = target === undefined ? undefined : state.nodes.get(target);
    return {
      kind: 'drive#file',
      id,
      name,
      mimeType,
      // A folder that the account does not see is not named.
      ...(above && state.maySee(request.account, above) && { parents: [above.id] }),
      ...(driveId !== undefined && { driveId, teamDriveId: driveId }),
      createdTime: new Date(node.created).toISOString(),
      modifiedTime: new Date(node.modified).toISOString(),
      trashed: state.isTrashed(node),
      explicitlyTrashed: node.isBinned,
      version: String(version),
      hasThumbnail,
      ...(hasThumbnail && { thumbnailLink: request.url(`/contents/${id}=s220`) }),
      ...(head && {
        size: String(head.content.size),
        headRevisionId: head.id,
        md5Checksum: head.content.hashes.md5,
        sha1Checksum: head.content.hashes.sha1,
      }),
      ...(document && {
        exportLinks: Object.fromEntries((exportFormats[mimeType] ?? []).map((type) => [type, request.url(`/contents/export/${id}`)])),
      }),
      ...(target !== undefined && { shortcutDetails: { targetId: target, ...(leadsTo && { targetMimeType: leadsTo.mimeType }) } }),
    };
  }

  const answer = (node: DriveNode, request: SimulatedRequest): Reply => ({
    json: masked(toFile(node, request), request.query.get('fields') ?? defaultFields),
  });
  const find = (request: SimulatedRequest, id = request.params['fileId'] ?? ''): DriveNode =>
    state.find(request.account, id, flag(request, 'supportsAllDrives'));

  /** Refuses what only somebody who may write the item may do. */
  const mayChange = (request: SimulatedRequest, node: DriveNode, reason = 'insufficientFilePermissions'): DriveNode =>
    state.mayWrite(request.account, node) ? node : refuseWith(403, reason, 'The user does not have sufficient permissions for this file.');

  function folderFor(request: SimulatedRequest, parents: readonly string[] | undefined): DriveNode {
    if (parents !== undefined && parents.length > 1) refuseWith(403, 'teamDrivesParentLimit', 'A file may have one parent.');
    const folder = mayChange(request, find(request, parents?.[0] ?? 'root'));
    return folder.mimeType === folderType ? folder : refuseWith(403, 'parentNotAFolder', 'The specified parent is not a folder.');
  }

  function mustFit(account: Account, folder: DriveNode, size: number): void {
    if (folder.driveId === undefined && state.usageOf(account) + size > limit)
      refuseWith(403, 'storageQuotaExceeded', "The user's Drive storage quota has been exceeded.");
  }

  function create(request: SimulatedRequest, sent: Sent, content?: DriveContent): DriveNode {
    if (sent.id !== undefined && !generated.has(sent.id)) refuseWith(400, 'invalid', 'The provided file ID is not usable.');
    if (sent.id !== undefined && state.nodes.has(sent.id)) refuseWith(409, 'fileIdInUse', 'A file already exists with the provided ID.');
    const folder = folderFor(request, sent.parents);
    mustFit(request.account, folder, content?.size ?? 0);
    const mimeType = sent.mimeType ?? guessType(sent.name ?? '', content);
    const target = sent.shortcutDetails?.targetId;
    if (mimeType === shortcutType && target === undefined) refuseWith(400, 'badRequest', 'A shortcut needs a target.');
    if (target !== undefined) find(request, target);
    const created = timeOf(sent.createdTime);
    const modified = timeOf(sent.modifiedTime);
    return state.make({
      ...(sent.id !== undefined && { id: sent.id }),
      name: sent.name === undefined || sent.name === '' ? 'Untitled' : sent.name,
      mimeType,
      parent: folder.id,
      owner: request.account.id,
      ...(created !== undefined && { created }),
      ...(modified !== undefined && { modified }),
      ...(target !== undefined && { target }),
      ...(content && { revisions: [{ id: newId(), content, at: Date.now() }] }),
      ...(isDocument(mimeType) && { document: contents.of(`A new document called ${sent.name ?? ''}.`) }),
    });
  }

  function update(request: SimulatedRequest, node: DriveNode, sent: Sent, content?: DriveContent): DriveNode {
    mayChange(request, node);
    if (state.isRoot(node)) refuseWith(403, 'forbidden', 'The root folder cannot be changed.');
    if (content && (isDocument(node.mimeType) || node.mimeType === folderType || node.mimeType === shortcutType))
      refuseWith(403, 'fieldNotWritable', 'The resource has no content to be changed.');
    const add = request.query.get('addParents');
    const take = request.query.get('removeParents');
    if (add !== null) {
      if (take === null || take !== node.parent) refuseWith(403, 'cannotAddParent', 'Increasing the number of parents is not allowed');
      state.move(node, folderFor(request, [add]));
    }
    if (content) {
      mustFit(request.account, node, content.size - (node.revisions.at(-1)?.content.size ?? 0));
      node.revisions.push({ id: newId(), content, at: Date.now() });
    }
    if (sent.name !== undefined) node.name = sent.name;
    if (sent.mimeType !== undefined) node.mimeType = sent.mimeType;
    if (sent.trashed !== undefined) node.isBinned = sent.trashed;
    const modified = timeOf(sent.modifiedTime);
    if (modified !== undefined || content) node.modified = modified ?? Date.now();
    state.note(node);
    return node;
  }

  /** Receives a new file, or a file's new content, by any upload method. */
  async function receive(request: SimulatedRequest, store: (sent: Sent, content: DriveContent) => DriveNode): Promise<Reply> {
    const kind = request.query.get('uploadType');
    if (kind === 'multipart') {
      const { file } = request;
      if (!file) return errorReply(400, 'badContent', 'The second part is missing.');
      const content = await uploads.receive(file.stream);
      return answer(store(request.json<Sent>(), content), request);
    }
    if (kind === 'media') return answer(store({}, await uploads.receive(request.stream)), request);
    const sent = request.json<Sent | undefined>() ?? {};
    const id = uploads.open(request.headers, (content) => answer(store(sent, content), request));
    return { headers: { location: request.url(`${request.path}?uploadType=resumable&upload_id=${id}`), 'content-length': 0 } };
  }

  const routes: Readonly<Record<string, Handler>> = {
    'GET /drive/v3/files/{fileId}': (request) => {
      const node = find(request);
      if (request.query.get('alt') !== 'media') return answer(node, request);
      const content = node.revisions.at(-1)?.content;
      if (!content) return errorReply(403, 'fileNotDownloadable', 'Only files with binary content can be downloaded.');
      const unsatisfiable = errorReply(416, 'requestedRangeNotSatisfiable', 'Request range not satisfiable');
      return answerContent(request, content, { type: node.mimeType, unsatisfiable });
    },
    'GET /drive/v3/files/{fileId}/export': (request) => {
      const node = state.find(request.account, request.params['fileId'] ?? '', true);
      if (!node.document) return errorReply(403, 'fileNotExportable', 'Export only supports Docs Editors files.');
      const type = request.query.get('mimeType') ?? '';
      if (!exportFormats[node.mimeType]?.includes(type)) return errorReply(400, 'badRequest', 'The requested conversion is not supported.');
      if (node.document.size > longestExport) return errorReply(403, 'exportSizeLimitExceeded', 'This file is too large to be exported.');
      // The length of an export is unknown in advance.
      return { headers: { 'content-type': type }, stream: node.document.open() };
    },
    'GET /drive/v3/files/generateIds': ({ query }) => {
      const ids = Array.from({ length: Number(query.get('count') ?? 10) }, newId);
      for (const id of ids) generated.add(id);
      return { json: { kind: 'drive#generatedIds', space: 'drive', ids } };
    },
    'POST /drive/v3/files': (request) => answer(create(request, request.json<Sent>()), request),
    'POST /upload/drive/v3/files': (request) => {
      const isReady = request.query.get('uploadType') !== 'resumable';
      if (!isReady) folderFor(request, request.json<Sent | undefined>()?.parents);
      return receive(request, (sent, content) => create(request, sent, content));
    },
    'PATCH /upload/drive/v3/files/{fileId}': (request) => {
      const node = find(request);
      return receive(request, (sent, content) => update(request, node, sent, content));
    },
    'PUT /upload/drive/v3/files': uploads.put,
    'PUT /upload/drive/v3/files/{fileId}': uploads.put,
    'DELETE /upload/drive/v3/files': uploads.cancel,
    'DELETE /upload/drive/v3/files/{fileId}': uploads.cancel,
    'PATCH /drive/v3/files/{fileId}': (request) => answer(update(request, find(request), request.json<Sent>()), request),
    'POST /drive/v3/files/{fileId}/copy': (request) => {
      const original = find(request);
      if (original.copyRequiresWriter) mayChange(request, original, 'cannotCopyFile');
      const content = original.revisions.at(-1)?.content;
      if (!content && !original.document) return errorReply(403, 'cannotCopyFile', 'This file cannot be copied by the user.');
      const sent = request.json<Sent>();
      const { name = `Copy of ${original.name}`, parents = original.parent === undefined ? undefined : [original.parent] } = sent;
      const copy = create(request, { ...sent, name, mimeType: original.mimeType, ...(parents && { parents }) }, content);
      if (original.document) copy.document = original.document;
      if (sent.modifiedTime === undefined) copy.modified = original.modified;
      return answer(copy, request);
    },
    'DELETE /drive/v3/files/{fileId}': (request) => {
      const node = mayChange(request, find(request));
      if (state.isRoot(node)) return errorReply(403, 'forbidden', 'The root folder cannot be deleted.');
      state.remove(node);
      return { status: 204 };
    },
    'GET /drive/v3/files/{fileId}/revisions': (request) => {
      const node = state.find(request.account, request.params['fileId'] ?? '', true);
      const json = { kind: 'drive#revisionList', revisions: node.revisions.map((revision) => toRevision(node, revision)) };
      return { json: masked(json, request.query.get('fields') ?? '*') };
    },
    'GET /drive/v3/files/{fileId}/revisions/{revisionId}': (request) => {
      const node = state.find(request.account, request.params['fileId'] ?? '', true);
      const revisionId = request.params['revisionId'] ?? '';
      const revision = node.revisions.find(({ id }) => id === revisionId);
      if (!revision) return errorReply(404, 'notFound', `Revision not found: ${revisionId}.`);
      if (request.query.get('alt') !== 'media') return { json: masked(toRevision(node, revision), request.query.get('fields') ?? '*') };
      const unsatisfiable = errorReply(416, 'requestedRangeNotSatisfiable', 'Request range not satisfiable');
      return answerContent(request, revision.content, { type: node.mimeType, unsatisfiable });
    },
    'DELETE /drive/v3/files/{fileId}/revisions/{revisionId}': (request) => {
      const node = state.find(request.account, request.params['fileId'] ?? '', true);
      const revisionId = request.params['revisionId'] ?? '';
      if (!node.revisions.some(({ id }) => id === revisionId)) return errorReply(404, 'notFound', `Revision not found: ${revisionId}.`);
      if (node.revisions.length === 1) return errorReply(403, 'cannotDeleteOnlyRevision', 'The only revision cannot be deleted.');
      node.revisions = node.revisions.filter(({ id }) => id !== revisionId);
      state.note(node);
      return { status: 204 };
    },
  };
  return { routes, toFile };
}
