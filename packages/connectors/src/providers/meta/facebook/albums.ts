import type { CallOptions } from '../../../core/connector.ts';
import { ConnectorError, isKind } from '../../../core/error.ts';
import type { ItemSource } from '../../../kit/id-tree/item-tree.ts';
import { createRecentChildren } from '../../../kit/id-tree/recent-children.ts';
import { idOfMediaName } from '../../../kit/names/media-names.ts';
import { type Graph, eachOnce } from '../graph/meta-graph.ts';
import {
  Album,
  type FacebookFacts,
  type FacebookItem,
  Permission,
  Photo,
  Video,
  albumFields,
  folderItem,
  photoFields,
  photoItem,
  videoFields,
  videoItem,
} from './api.ts';

const root = folderItem('root', '');
const tagged = folderItem('tagged', 'Photos of me');
const videos = folderItem('videos', 'Videos');

/**
 * Albums as folders, plus folders of the photos in which the user is tagged and of the user's videos. Names contain ids, so that they are
 * unique in an album.
 */
export function createAlbums(graph: Graph): ItemSource<FacebookFacts> {
  /** Returns the granted permissions: a user can decline each individually. */
  async function allowed(ask: CallOptions): Promise<ReadonlySet<string>> {
    const rows = (await Array.fromAsync(graph.rows(Permission, '/me/permissions', {}, ask))).flat();
    return new Set(rows.flatMap(({ permission, status }) => (status === 'granted' ? [permission] : [])));
  }

  async function* folders(ask: CallOptions): AsyncGenerator<readonly FacebookItem[]> {
    const permissions = await allowed(ask);
    if (!permissions.has('user_photos')) throw new ConnectorError('needsAuthorization', 'the user has not allowed to see photos');
    const albums = (await Array.fromAsync(graph.rows(Album, '/me/albums', { fields: albumFields }, ask))).flat();
    const all = albums.map(({ id, name, updated_time, created_time }) => folderItem(id, name || 'Album', updated_time ?? created_time));
    // Albums of the same name must be adjacent.
    yield [...all, tagged, ...(permissions.has('user_videos') ? [videos] : [])].sort((a, b) =>
      a.name < b.name ? -1 : a.name > b.name ? 1 : 0,
    );
  }

  async function* media(folder: FacebookItem, ask: CallOptions): AsyncGenerator<readonly FacebookItem[]> {
    if (folder.id === videos.id)
      for await (const batch of graph.rows(Video, '/me/videos', { type: 'uploaded', fields: videoFields }, ask)) yield batch.map(videoItem);
    else {
      const place = folder.id === tagged.id ? 'me' : folder.id;
      const query = { fields: photoFields, ...(folder.id === tagged.id && { type: 'tagged' }) };
      for await (const batch of graph.rows(Photo, `/${place}/photos`, query, ask)) yield batch.map(photoItem);
    }
  }

  const recent = createRecentChildren<FacebookFacts>({
    list: (folder, ask) => eachOnce(folder.id === root.id ? folders(ask) : media(folder, ask)),
    trustsAbsence: ({ id }) => id !== root.id,
  });

  return {
    root,
    children: recent.children,
    duplicates: 'adjacent',
    /** The id in a name leads to the photo, which names its album: a name must not resolve to a photo of another album. */
    async named(folder, name, ask) {
      if ([root.id, tagged.id, videos.id].includes(folder.id)) return recent.named(folder, name, ask);
      const id = idOfMediaName(name);
      if (id === undefined) return [];
      try {
        const item = photoItem(await graph.get(Photo, `/${id}`, { fields: photoFields }, ask));
        return item.facts.media?.album === folder.id ? [item] : [];
      } catch (error) {
        // Not an id, or the id of something else: the fields of photos do not apply to it.
        if (isKind(error, 'notFound', 'unexpected')) return [];
        throw error;
      }
    },
  };
}
