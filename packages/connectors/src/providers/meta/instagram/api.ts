import { type Static, Type } from 'typebox';
import type { Item } from '../../../kit/id-tree/item-tree.ts';
import { extensionOf, graphTime, mediaName } from '../../../kit/names/media-names.ts';

export const graphUrl = 'https://graph.instagram.com/v25.0';

const text = Type.Optional(Type.String());
const id = Type.Union([Type.String({ minLength: 1 }), Type.Number()]);

export const Me = Type.Object({ user_id: Type.Optional(id), id: Type.Optional(id), username: text });

export const mediaFields = 'id,caption,media_type,media_url,thumbnail_url,timestamp';
/** Items of an album have no caption. */
export const childFields = 'id,media_type,media_url,thumbnail_url,timestamp';
export const Media = Type.Object({
  id: Type.String({ minLength: 1 }),
  caption: text,
  media_type: text,
  media_url: text,
  thumbnail_url: text,
  timestamp: text,
});
export type Media = Static<typeof Media>;

/** URLs of the bytes; absent for folders and for media that Instagram withholds because of others' rights. */
export interface InstagramFacts {
  readonly url?: string;
  readonly picture?: string;
}
export type InstagramItem = Item<InstagramFacts>;

/** Converts a picture or video to a file, an album to a folder. */
export function toItem({ id: mediaId, caption, media_type, media_url, thumbnail_url, timestamp }: Media): InstagramItem {
  const created = graphTime(timestamp);
  const isFolder = media_type === 'CAROUSEL_ALBUM';
  const isVideo = media_type === 'VIDEO';
  const extension = isVideo
    ? extensionOf(media_url, ['.mp4', '.mov'], '.mp4')
    : extensionOf(media_url, ['.jpg', '.jpeg', '.png', '.webp', '.heic'], '.jpg');
  const picture = thumbnail_url ?? (isVideo ? undefined : media_url);
  return {
    id: mediaId,
    name: mediaName({ id: mediaId, created, text: caption, extension: isFolder ? '' : extension }),
    kind: isFolder ? 'folder' : 'file',
    entry: {
      ...(created !== undefined && { modified: created }),
      ...(!isFolder && { etag: mediaId }),
      ...(isVideo && { mimeType: 'video/mp4' }),
    },
    facts: isFolder ? {} : { ...(media_url !== undefined && { url: media_url }), ...(picture !== undefined && { picture }) },
  };
}
