import { smallJpeg } from '../kit/picture.ts';
import type { Cdn } from './cdn.ts';

export interface Photo {
  readonly id: string;
  readonly name?: string;
  readonly created: string;
  readonly album: string;
  readonly extension: string;
}
export interface Album {
  readonly id: string;
  readonly name: string;
  readonly photos: Photo[];
}
export interface Video {
  readonly id: string;
  readonly title?: string;
  readonly created: string;
  /** Facebook does not provide the bytes of every video. */
  readonly hasSource: boolean;
}
export interface NewPhoto {
  readonly name?: string;
  readonly created?: string;
  readonly bytes?: Uint8Array;
  readonly extension?: 'jpg' | 'png';
}

/** Width and height of each photo's versions. */
export const forms = [
  [960, 640],
  [720, 480],
  [480, 320],
  [320, 213],
  [130, 87],
] as const;

/** The bytes of a version: a picture with a suffix by which tests distinguish the versions. */
export const formBytes = (bytes: Uint8Array, width: number): Buffer => Buffer.concat([bytes, Buffer.from(`${width} wide`)]);

/** One user's data on Facebook. */
export function createFacebookState(cdn: Cdn) {
  const albums: Album[] = [];
  const tagged: Photo[] = [];
  const videos: Video[] = [];
  let last = 10_150_000_000_000_000n;
  const newId = (): string => String((last += 1n));
  const isBy = (id: string) => (one: { readonly id: string }) => one.id === id;

  function makePhoto(album: string, { name, created = '2026-04-06T22:03:54+0000', bytes = smallJpeg, extension = 'jpg' }: NewPhoto): Photo {
    const photo = { id: newId(), created, album, extension, ...(name !== undefined && { name }) };
    for (const [width] of forms) cdn.put(photo.id, `${width}.${extension}`, formBytes(bytes, width));
    return photo;
  }

  return {
    albums,
    tagged,
    videos,
    addAlbum(name: string): Album {
      const album = { id: newId(), name, photos: [] as Photo[] };
      albums.push(album);
      return album;
    },
    addPhoto(album: Album, photo: NewPhoto = {}): Photo {
      const made = makePhoto(album.id, photo);
      album.photos.push(made);
      return made;
    },
    /** Adds another user's photo in which the user is tagged. */
    addTagged(photo: NewPhoto = {}): Photo {
      const made = makePhoto('1', photo);
      tagged.push(made);
      return made;
    },
    addVideo(title: string | undefined, bytes: string | undefined, created = '2026-05-01T08:00:00+0000'): Video {
      const video = { id: newId(), created, hasSource: bytes !== undefined, ...(title !== undefined && { title }) };
      if (bytes !== undefined) cdn.put(video.id, 'video.mp4', bytes);
      cdn.put(video.id, 'poster.jpg', smallJpeg);
      videos.push(video);
      return video;
    },
    albumOf: (id: string) => albums.find(isBy(id)),
    videoOf: (id: string) => videos.find(isBy(id)),
    photoOf: (id: string) => albums.flatMap(({ photos }) => photos).find(isBy(id)) ?? tagged.find(isBy(id)),
  };
}
