import type { Handler, SimulatedRequest } from '../kit/index.ts';
import { masked } from './fields.ts';
import { type createFiles, exportFormats, flag } from './files.ts';
import { readQuery } from './query.ts';
import { errorReply, refuseWith } from './refusals.ts';
import type { DriveNode, DriveState } from './state.ts';

interface Options {
  readonly state: DriveState;
  readonly toFile: ReturnType<typeof createFiles>['toFile'];
  readonly limit: number;
}

const orders: ReadonlySet<string> = new Set(['createdTime', 'folder', 'modifiedTime', 'name', 'name_natural', 'recency']);

/** Routes of several files, and of the account. */
export function createListings({ state, toFile, limit }: Options) {
  /** Returns the request's corpus, before its query: My Drive, one shared drive, or all. */
  function corpusOf(request: SimulatedRequest): (node: DriveNode) => boolean {
    const corpora = request.query.get('corpora') ?? 'user';
    const driveId = request.query.get('driveId');
    const includesDrives = flag(request, 'includeItemsFromAllDrives');
    if (includesDrives && !flag(request, 'supportsAllDrives'))
      refuseWith(403, 'teamDrivesFilesRequireSupport', 'The includeItemsFromAllDrives parameter needs supportsAllDrives.');
    if ((corpora === 'drive') !== (driveId !== null)) refuseWith(400, 'invalid', 'The corpus drive and driveId need each other.');
    if (corpora === 'drive' || corpora === 'allDrives') {
      if (!includesDrives) refuseWith(403, 'teamDrivesFilesRequireSupport', 'The corpus needs includeItemsFromAllDrives.');
      if (driveId !== null && !state.drives.get(driveId)?.members.includes(request.account.id))
        refuseWith(404, 'notFound', `Shared drive not found: ${driveId}`);
      return corpora === 'drive' ? (node) => node.driveId === driveId : () => true;
    }
    // The user corpus contains only previously opened files of shared drives: none here.
    return corpora === 'user' ? (node) => node.driveId === undefined : refuseWith(400, 'invalid', 'The corpus is not known.');
  }

  /** Preselects nodes for a query: those of the folder, when it names one. */
  function candidates(request: SimulatedRequest, q: string): DriveNode[] {
    const folder = /^'((?:[^'\\]|\\.)*)' in parents and /.exec(q)?.[1];
    if (folder === undefined) return [...state.nodes.values()];
    const id = folder === 'root' ? state.rootOf(request.account) : folder;
    if (!state.nodes.has(id)) refuseWith(404, 'notFound', 'File not found: .');
    return state.children(id);
  }

  function page<Item>(
    request: SimulatedRequest,
    all: readonly Item[],
  ): { readonly items: readonly Item[]; readonly nextPageToken?: string } {
    const size = Number(request.query.get('pageSize') ?? 100);
    const token = request.query.get('pageToken');
    const start = token === null ? 0 : Number(/^~(\d+)$/.exec(token)?.[1] ?? Number.NaN);
    if (Number.isNaN(start)) refuseWith(400, 'invalid', 'Invalid Value');
    const next = start + size;
    return { items: all.slice(start, next), ...(next < all.length && { nextPageToken: `~${next}` }) };
  }

  const words = (node: DriveNode): string => {
    const content = node.document ?? node.revisions.at(-1)?.content;
    const isText = node.document !== undefined || node.mimeType.startsWith('text/');
    if (!content || !isText || content.size > 64 * 1024) return '';
    return String(content.open().read() ?? '');
  };

  const list: Handler = (request) => {
    const q = request.query.get('q') ?? '';
    const order = request.query.get('orderBy')?.split(',') ?? [];
    if (order.some((key) => !orders.has(key.replace(/ desc$/, '')))) return errorReply(400, 'invalid', 'Invalid Value');
    const { test, usesFullText } = readQuery(q === '' ? 'trashed = true or trashed = false' : q, state.rootOf(request.account));
    if (usesFullText && order.length > 0) return errorReply(403, 'forbidden', 'Sorting is not supported for queries with fullText terms.');
    const isAsked = corpusOf(request);
    const found = candidates(request, q).filter(
      (node) =>
        state.maySee(request.account, node) &&
        isAsked(node) &&
        !state.isRoot(node) &&
        test({
          name: node.name,
          mimeType: node.mimeType,
          parents: node.parent === undefined ? [] : [node.parent],
          trashed: state.isTrashed(node),
          createdTime: new Date(node.created).toISOString(),
          modifiedTime: new Date(node.modified).toISOString(),
          words: () => words(node),
        }),
    );
    const { items, ...next } = page(request, found);
    const json = { kind: 'drive#fileList', incompleteSearch: false, ...next, files: items.map((node) => toFile(node, request)) };
    return { json: masked(json, request.query.get('fields') ?? 'kind,nextPageToken,incompleteSearch,files(kind,id,name,mimeType)') };
  };

  const drives: Handler = (request) => {
    const mine = [...state.drives.values()].filter(({ members }) => members.includes(request.account.id));
    const { items, ...next } = page(request, mine);
    const json = { kind: 'drive#driveList', ...next, drives: items.map(({ id, name }) => ({ kind: 'drive#drive', id, name })) };
    return { json: masked(json, request.query.get('fields') ?? '*') };
  };

  const about: Handler = (request) => {
    const fields = request.query.get('fields');
    if (fields === null) return errorReply(400, 'required', "The 'fields' parameter is required for this method.");
    const { id, email, name } = request.account;
    const usage = String(state.usageOf(request.account));
    const json = {
      kind: 'drive#about',
      user: { kind: 'drive#user', displayName: name, me: true, permissionId: id, emailAddress: email },
      storageQuota: { ...(Number.isFinite(limit) && { limit: String(limit) }), usage, usageInDrive: usage, usageInDriveTrash: '0' },
      exportFormats,
      maxUploadSize: '5242880000000',
    };
    return { json: masked(json, fields) };
  };

  const startToken: Handler = () => ({ json: { kind: 'drive#startPageToken', startPageToken: String(state.log.length) } });

  const changes: Handler = (request) => {
    const start = Number(request.query.get('pageToken'));
    if (!Number.isSafeInteger(start) || start > state.log.length) return errorReply(400, 'invalid', 'Invalid Value');
    if (start < state.state.firstKept) return errorReply(410, 'gone', 'The page token is too old.');
    const includesDrives = flag(request, 'includeItemsFromAllDrives') && flag(request, 'supportsAllDrives');
    const seen = state.log
      .slice(start)
      .filter(({ owner, driveId }) =>
        driveId === undefined
          ? owner === request.account.id
          : includesDrives && (state.drives.get(driveId)?.members.includes(request.account.id) ?? false),
      );
    const latest = [...new Map(seen.map((change) => [change.fileId, change])).values()].sort((a, b) => a.at - b.at);
    const size = Number(request.query.get('pageSize') ?? 100);
    const items = latest.slice(0, size);
    const isLast = items.length === latest.length;
    const json = {
      kind: 'drive#changeList',
      ...(isLast ? { newStartPageToken: String(state.log.length) } : { nextPageToken: String((items.at(-1)?.at ?? start) + 1) }),
      changes: items.map(({ fileId, at }) => {
        const node = state.nodes.get(fileId);
        return {
          kind: 'drive#change',
          changeType: 'file',
          time: new Date(at).toISOString(),
          removed: node === undefined,
          fileId,
          ...(node && { file: toFile(node, request) }),
        };
      }),
    };
    return { json: masked(json, request.query.get('fields') ?? '*') };
  };

  return {
    'GET /drive/v3/files': list,
    'GET /drive/v3/drives': drives,
    'GET /drive/v3/about': about,
    'GET /drive/v3/changes/startPageToken': startToken,
    'GET /drive/v3/changes': changes,
  } satisfies Readonly<Record<string, Handler>>;
}
