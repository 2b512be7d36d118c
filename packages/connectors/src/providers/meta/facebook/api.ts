import { type Static, Type } from 'typebox';
import type { Item } from '../../../kit/id-tree/item-tree.ts';
import { extensionOf, graphTime, mediaName } from '../../../kit/names/media-names.ts';

export const graphUrl = 'https://graph.facebook.com/v25.0';

const text = Type.Optional(Type.String());
const times = { created_time: text, updated_time: text };

export const Me = Type.Object({ id: Type.String({ minLength: 1 }), name: text });
export const Permission = Type.Object({ permission: Type.String(), status: Type.String() });

export const albumFields = 'id,name,created_time,updated_time';
export const Album = Type.Object({ id: Type.String({ minLength: 1 }), name: text, ...times });

const Image = Type.Object({
  source: Type.String(),
  width: Type.Optional(Type.Number()),
  height: Type.Optional(Type.Number()),
});
export const photoFields = 'id,name,images,created_time,updated_time,album{id}';
export const Photo = Type.Object({
  id: Type.String({ minLength: 1 }),
  name: text,
  images: Type.Optional(Type.Array(Image)),
  album: Type.Optional(Type.Object({ id: Type.String() })),
  ...times,
});
export type Photo = Static<typeof Photo>;

export const videoFields = 'id,title,description,source,picture,created_time,updated_time';
export const Video = Type.Object({
  id: Type.String({ minLength: 1 }),
  title: text,
  description: text,
  source: text,
  picture: text,
  ...times,
});
export type Video = Static<typeof Video>;

/** Metadata of a photo or video. */
export interface MediaFacts {
  readonly kind: 'photo' | 'video';
  /** URL of the best available version; Facebook does not provide one for every video. */
  readonly url?: string;
  /** Smaller versions, smallest first. */
  readonly pictures: readonly { readonly side: number; readonly url: string }[];
  readonly album?: string;
}
export interface FacebookFacts {
  readonly media?: MediaFacts;
}
export type FacebookItem = Item<FacebookFacts>;

/** Longer sides in pixels of the smaller versions that are kept; Facebook makes a dozen. */
const keptSides = [200, 480, 960];

function entryOf(id: string, { created_time, updated_time }: Pick<Photo, 'created_time' | 'updated_time'>) {
  const modified = graphTime(updated_time) ?? graphTime(created_time);
  return { etag: `${id}-${modified ?? 0}`, ...(modified !== undefined && { modified }) };
}

export function photoItem(photo: Photo): FacebookItem {
  const forms = (photo.images ?? [])
    .map(({ source, width = 0, height = 0 }) => ({ side: Math.max(width, height), url: source }))
    .sort((a, b) => a.side - b.side);
  const best = forms.at(-1);
  const pictures = new Set(keptSides.flatMap((side) => forms.find((form) => form.side >= side) ?? []));
  return {
    id: photo.id,
    name: mediaName({
      id: photo.id,
      created: graphTime(photo.created_time),
      text: photo.name,
      extension: extensionOf(best?.url, ['.jpg', '.jpeg', '.png', '.gif', '.webp'], '.jpg'),
    }),
    kind: 'file',
    entry: entryOf(photo.id, photo),
    facts: {
      media: {
        kind: 'photo',
        ...(best && { url: best.url }),
        pictures: [...pictures],
        ...(photo.album && { album: photo.album.id }),
      },
    },
  };
}

export function videoItem(video: Video): FacebookItem {
  const { id, source, picture } = video;
  return {
    id,
    name: mediaName({ id, created: graphTime(video.created_time), text: video.title ?? video.description, extension: '.mp4' }),
    kind: 'file',
    entry: { ...entryOf(id, video), mimeType: 'video/mp4' },
    facts: {
      media: {
        kind: 'video',
        ...(source !== undefined && { url: source }),
        pictures: picture === undefined ? [] : [{ side: 0, url: picture }],
      },
    },
  };
}

export function folderItem(id: string, name: string, updated?: string): FacebookItem {
  const modified = graphTime(updated);
  return { id, name, kind: 'folder', entry: { ...(modified !== undefined && { modified }) }, facts: {} };
}
