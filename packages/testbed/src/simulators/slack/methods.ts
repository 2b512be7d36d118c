import type { Handler, SimulatedRequest } from '../kit/index.ts';
import { filesHost } from './files-host.ts';
import { conversationJson, fileJson, no, personJson } from './replies.ts';
import type { Conversation, State, StoredFile } from './state.ts';

const scopeOfKind = { public: 'channels:read', private: 'groups:read', im: 'im:read', mpim: 'mpim:read' } as const;
const kindOfType = { public_channel: 'public', private_channel: 'private', im: 'im', mpim: 'mpim' } as const;

interface Options {
  readonly state: State;
  /** ms until an uploaded file appears in its conversation. */
  readonly sharing: () => number;
  readonly revoke: (token: string) => void;
}

/** The Web API's methods, one handler each. */
export function createMethods({ state, sharing, revoke }: Options): Readonly<Record<string, Handler>> {
  const ok = (more: object = {}) => ({ json: { ok: true, ...more } });

  function visible(id: string | null, account: string): StoredFile {
    const file = state.files.get(id ?? '');
    if (!file || !state.mayRead(file, account)) throw no('file_not_found');
    return file;
  }

  function numbers(query: URLSearchParams, preset: number, most: number): { readonly count: number; readonly page: number } {
    const [count, page] = [Number(query.get('count') ?? preset), Number(query.get('page') ?? 1)];
    if (!(count >= 1 && count <= most && page >= 1)) throw no('invalid_arguments');
    return { count, page };
  }

  function slice<One>(all: readonly One[], query: URLSearchParams, preset: number, most: number) {
    const { count, page } = numbers(query, preset, most);
    return {
      rows: all.slice((page - 1) * count, page * count),
      paging: { count, total: all.length, page, pages: Math.max(1, Math.ceil(all.length / count)) },
    };
  }

  const listFiles: Handler = ({ query, account, url }) => {
    const channel = query.get('channel');
    if (channel !== null && !state.conversations.has(channel)) throw no('channel_not_found');
    const user = query.get('user');
    const all = [...state.files.values()]
      .filter(
        (file) =>
          (channel === null || file.places.has(channel)) && (user === null || file.user === user) && state.mayRead(file, account.id),
      )
      // The newest come first.
      .reverse();
    const { rows, paging } = slice(all, query, 100, 1000);
    return ok({ files: rows.map((file) => fileJson(state, file, url, true)), paging });
  };

  const searchFiles: Handler = ({ query, account, url }) => {
    const words = (query.get('query') ?? '')
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '');
    if (words.length === 0) throw no('no_query');
    const isMatch = ({ name, title }: StoredFile) => words.every((word) => `${name} ${title}`.toLowerCase().includes(word));
    const { rows, paging } = slice(
      [...state.files.values()].filter((file) => isMatch(file) && state.mayRead(file, account.id)),
      query,
      20,
      100,
    );
    return ok({
      query: query.get('query'),
      files: { total: paging.total, paging, matches: rows.map((file) => fileJson(state, file, url)) },
    });
  };

  const uploadPlace: Handler = ({ form, account, url }) => {
    const [name, length] = [form.get('filename') ?? '', Number(form.get('length'))];
    if (name === '' || !(length > 0)) throw no('invalid_arguments');
    const id = state.newId('F');
    state.uploads.set(id, { id, name, length, user: account.id, content: undefined });
    return ok({ file_id: id, upload_url: url(`${filesHost}/upload/v1/${id}`) });
  };

  function target(form: URLSearchParams, account: string): Conversation | undefined {
    const channel = form.get('channel_id');
    if (channel === null) return undefined;
    const found = state.conversations.get(channel);
    if (!found) throw no('channel_not_found');
    if (!found.members.has(account)) throw no('not_in_channel');
    if (found.isArchived) throw no('is_archived');
    return found;
  }

  const completeUpload: Handler = ({ form, account }) => {
    const wanted = JSON.parse(form.get('files') ?? '[]') as readonly { readonly id: string; readonly title?: string }[];
    const place = target(form, account.id);
    const uploads = wanted.map(({ id, title }) => {
      const upload = state.uploads.get(id);
      if (!upload?.content || upload.user !== account.id) throw no('file_not_found');
      return { upload, title: title ?? upload.name };
    });
    for (const { upload, title } of uploads) {
      const file = state.finish(upload, title);
      const arrive = () => void (place && file.places.add(place.id));
      if (sharing() === 0) arrive();
      else setTimeout(arrive, sharing()).unref();
    }
    return ok({ files: uploads.map(({ upload: { id }, title }) => ({ id, title })) });
  };

  const conversations: Handler = ({ query, account, scopes }) => {
    const kinds = (query.get('types') ?? 'public_channel').split(',').map((type) => kindOfType[type as keyof typeof kindOfType]);
    for (const kind of kinds)
      if (!scopes.includes(scopeOfKind[kind])) throw no('missing_scope', { needed: scopeOfKind[kind], provided: scopes.join(',') });
    const all = [...state.conversations.values()].filter(({ kind, members }) => kinds.includes(kind) && members.has(account.id));
    return cursored(query, all, (page, next) => ok({ channels: page.map((one) => conversationJson(one, account.id)), ...next }));
  };

  return {
    'GET /auth.test': ({ account, url }) =>
      ok({ url: url('/'), team: 'Sheaf', user: account.email.split('@')[0], team_id: 'T0SHEAF', user_id: account.id }),
    'GET /auth.revoke': ({ token }: SimulatedRequest) => {
      revoke(token);
      return ok({ revoked: true });
    },
    'GET /users.conversations': conversations,
    'GET /users.info': ({ query }) => {
      const person = state.people.find(({ id }) => id === query.get('user'));
      if (!person) throw no('user_not_found');
      return ok({ user: personJson(person) });
    },
    'GET /users.list': ({ query }) =>
      cursored(query, state.people, (page, next) =>
        ok({ members: page.map(personJson), cache_ts: Math.floor(Date.now() / 1000), ...next }),
      ),
    'GET /files.list': listFiles,
    'GET /files.info': ({ query, account, url }) => ok({ file: fileJson(state, visible(query.get('file'), account.id), url) }),
    'GET /search.files': searchFiles,
    'POST /files.getUploadURLExternal': uploadPlace,
    'POST /files.completeUploadExternal': completeUpload,
    'POST /files.delete': ({ form, account }) => {
      const file = visible(form.get('file'), account.id);
      if (file.user !== account.id) throw no('cant_delete_file');
      state.files.delete(file.id);
      return ok();
    },
  };
}

/** Returns a page from a cursor, which is an offset; an empty cursor marks the last page. */
function cursored<One, Answer>(
  query: URLSearchParams,
  all: readonly One[],
  answer: (page: readonly One[], next: object) => Answer,
): Answer {
  const limit = Number(query.get('limit') ?? 100);
  if (!(limit >= 1 && limit < 1000)) throw no('invalid_limit');
  const start = Number(Buffer.from(query.get('cursor') ?? '', 'base64').toString() || 0);
  if (!Number.isInteger(start) || start < 0) throw no('invalid_cursor');
  const next = start + limit < all.length ? Buffer.from(String(start + limit)).toString('base64') : '';
  return answer(all.slice(start, start + limit), { response_metadata: { next_cursor: next } });
}
