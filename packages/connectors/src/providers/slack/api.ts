import { type Static, Type } from 'typebox';
import type { Item } from '../../kit/id-tree/item-tree.ts';

const text = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const ids = Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()]));
const count = Type.Optional(Type.Union([Type.Number(), Type.Null()]));
const flag = Type.Optional(Type.Union([Type.Boolean(), Type.Null()]));

/** The longer sides of Slack's thumbnails in pixels. */
export const thumbnailSizes = [64, 80, 160, 360, 480, 720, 960, 1024] as const;

/** https://docs.slack.dev/reference/objects/file-object */
export const SlackFile = Type.Object({
  id: Type.String({ minLength: 1 }),
  name: text,
  title: text,
  mimetype: text,
  size: count,
  created: count,
  timestamp: count,
  updated: count,
  user: text,
  mode: text,
  is_external: flag,
  file_access: text,
  url_private_download: text,
  url_private: text,
  channels: ids,
  groups: ids,
  ims: ids,
  thumb_64: text,
  thumb_80: text,
  thumb_160: text,
  thumb_360: text,
  thumb_480: text,
  thumb_720: text,
  thumb_960: text,
  thumb_1024: text,
  thumb_pdf: text,
  thumb_video: text,
});
export type SlackFile = Static<typeof SlackFile>;

const Paging = Type.Object({ total: Type.Number(), pages: Type.Number() });
export const FilesPage = Type.Object({ files: Type.Array(SlackFile), paging: Type.Optional(Paging) });
export const FileAnswer = Type.Object({ file: SlackFile });
export const FoundFiles = Type.Object({
  files: Type.Object({ matches: Type.Array(SlackFile), paging: Type.Optional(Paging) }),
});

export const Conversation = Type.Object({
  id: Type.String({ minLength: 1 }),
  name: text,
  is_im: flag,
  is_mpim: flag,
  user: text,
});
export type Conversation = Static<typeof Conversation>;

const More = Type.Optional(Type.Object({ next_cursor: Type.Optional(Type.String()) }));
export const ConversationsPage = Type.Object({ channels: Type.Array(Conversation), response_metadata: More });

export const SlackUser = Type.Object({
  id: Type.String(),
  name: text,
  real_name: text,
  profile: Type.Optional(Type.Object({ display_name: text, real_name: text })),
});
export type SlackUser = Static<typeof SlackUser>;
export const UserAnswer = Type.Object({ user: SlackUser });
export const UsersPage = Type.Object({ members: Type.Array(SlackUser), response_metadata: More });

export const UploadPlace = Type.Object({ upload_url: Type.String(), file_id: Type.String({ minLength: 1 }) });
export const CompletedUpload = Type.Object({ files: Type.Array(Type.Object({ id: Type.String() })) });
export const WhoAmI = Type.Object({ team_id: Type.String(), user_id: Type.String(), user: Type.String(), url: Type.String() });
export const Nothing = Type.Object({});

/** Metadata of a file. */
export interface FileFacts {
  /** URL of the bytes; absent in the short form in which listings contain files of other workspaces. */
  readonly url?: string;
  /** Stored by another service: Slack has no bytes of it. */
  readonly isExternal: boolean;
  /** Stored as uploaded, so that its size is exact. */
  readonly isStored: boolean;
  /** The uploader. */
  readonly owner: string;
  readonly thumbnails: readonly { readonly size: number; readonly url: string }[];
}

/** Folders have no facts. */
export interface SlackFacts {
  readonly file?: FileFacts;
}
export type SlackItem = Item<SlackFacts>;

/** Deleted, or beyond the history limit of the workspace's plan. */
const gone: ReadonlySet<string> = new Set(['tombstone', 'hidden_by_limit']);
export const isThere = ({ mode }: SlackFile): boolean => !gone.has(mode ?? '');

/** Returns the conversations of any kind in which the file was shared. */
export const placesOf = ({ channels, groups, ims }: SlackFile): string[] => [...(channels ?? []), ...(groups ?? []), ...(ims ?? [])];

/** Converts a file to an item; a file without a name is named by its id. */
export function toItem(file: SlackFile): SlackItem {
  const isExternal = file.is_external === true || file.mode === 'external';
  const modified = file.updated ?? file.timestamp ?? file.created;
  const url = file.url_private_download ?? file.url_private;
  return {
    id: file.id,
    name: file.name || file.title || file.id,
    kind: 'file',
    entry: {
      ...(!isExternal && typeof file.size === 'number' && Number.isSafeInteger(file.size) && file.size >= 0 && { size: file.size }),
      ...(typeof modified === 'number' && { modified: Math.floor(modified), etag: `${file.id}-${modified}` }),
      ...(file.mimetype && { mimeType: file.mimetype }),
    },
    facts: {
      file: {
        ...(url && { url }),
        isExternal,
        isStored: file.mode === 'hosted',
        owner: file.user ?? '',
        thumbnails: thumbnailsOf(file),
      },
    },
  };
}

export const folderItem = (id: string, name: string): SlackItem => ({ id, name, kind: 'folder', entry: {}, facts: {} });

/** For documents and videos Slack provides one thumbnail of unknown size. */
function thumbnailsOf(file: SlackFile): FileFacts['thumbnails'] {
  const sized = thumbnailSizes.flatMap((size) => {
    const url = file[`thumb_${size}`];
    return url ? [{ size, url }] : [];
  });
  const single = file.thumb_pdf ?? file.thumb_video;
  return sized.length === 0 && single ? [{ size: 0, url: single }] : sized;
}
