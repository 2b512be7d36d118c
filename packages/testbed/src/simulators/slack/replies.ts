import type { Problem, Reply } from '../kit/index.ts';
import { refuse } from '../kit/index.ts';
import { filesHost } from './files-host.ts';
import type { Conversation, Person, State, StoredFile } from './state.ts';

/** An error in Slack's format: with status 200. */
export const no = (error: string, more: Readonly<Record<string, string>> = {}) => refuse({ json: { ok: false, error, ...more } });

const errors: Readonly<Record<Exclude<Problem['kind'], 'unauthorized' | 'rateLimited'>, string>> = {
  badRequest: 'invalid_arguments',
  unknownOperation: 'unknown_method',
  notSimulated: 'unknown_method',
  forbidden: 'missing_scope',
  broken: 'internal_error',
};
const rejected = { missing: 'not_authed', invalid: 'invalid_auth', expired: 'token_expired' } as const;

export function problemReply(problem: Problem): Reply {
  if (problem.kind === 'rateLimited') return { status: 429, json: { ok: false, error: 'ratelimited' } };
  const error = problem.kind === 'unauthorized' ? rejected[problem.reason] : errors[problem.kind];
  return { json: { ok: false, error, ...(problem.kind === 'forbidden' && { needed: problem.needs.join(','), provided: 'identify' }) } };
}

const thumbnails = [64, 80, 160, 360, 480, 720, 960, 1024];

/** A file as `files.info` returns it; listings contain less of one that is `isShort`. */
export function fileJson(state: State, file: StoredFile, url: (path: string) => string, isListing = false) {
  const { id, name, title, mimetype, user, created, content, mode, places } = file;
  if (isListing && file.isShort)
    return { id, created, timestamp: created, user, file_access: 'check_file_info', ...placesJson(state, places) };
  const isImage = mimetype.startsWith('image/') && content !== undefined;
  const thumbs = thumbnails.map((size) => [`thumb_${size}`, url(`${filesHost}/files-tmb/${id}/${size}`)]);
  const address = url(`${filesHost}/files-pri/${id}/download/${encodeURIComponent(name)}`);
  return {
    id,
    created,
    timestamp: created,
    name,
    title,
    mimetype,
    user,
    mode,
    filetype: mimetype.split('/')[1] ?? '',
    ...(content
      ? { size: content.size, is_external: false, external_type: '', url_private: address, url_private_download: address }
      : { size: 0, is_external: true, external_type: 'gdrive', url_private: 'https://docs.google.example/document' }),
    ...(isImage && Object.fromEntries(thumbs)),
    ...placesJson(state, places),
  };
}

function placesJson({ conversations }: State, places: ReadonlySet<string>) {
  const of = (...kinds: readonly string[]) => [...places].filter((id) => kinds.includes(conversations.get(id)?.kind ?? ''));
  return { channels: of('public'), groups: of('private', 'mpim'), ims: of('im') };
}

export function conversationJson({ id, kind, name, isArchived, members }: Conversation, viewer: string) {
  const flags = {
    is_channel: kind === 'public',
    is_group: kind === 'private',
    is_im: kind === 'im',
    is_mpim: kind === 'mpim',
    is_archived: isArchived,
  };
  if (kind !== 'im') return { id, name: name ?? id, ...flags };
  return { id, ...flags, user: [...members].find((one) => one !== viewer) ?? viewer };
}

export const personJson = ({ id, name, realName, displayName }: Person) => ({
  id,
  team_id: 'T0SHEAF',
  name,
  real_name: realName,
  deleted: false,
  profile: { display_name: displayName, real_name: realName },
});
