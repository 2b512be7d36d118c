import type { CallOptions, Connector } from '../../../core/connector.ts';
import type { Env } from '../../../core/definition.ts';
import { ConnectorError, isKind } from '../../../core/error.ts';
import { createItemTree } from '../../../kit/id-tree/item-tree.ts';
import { createRecentChildren } from '../../../kit/id-tree/recent-children.ts';
import { idOfMediaName } from '../../../kit/names/media-names.ts';
import { createGraph, eachOnce } from '../graph/meta-graph.ts';
import { type InstagramFacts, type InstagramItem, Media, childFields, graphUrl, mediaFields, toItem } from './api.ts';

/** Concurrent requests of one link. */
export const maxConnections = 6;

const root: InstagramItem = { id: 'root', name: '', kind: 'folder', entry: {}, facts: {} };

/** Opens an account's published media. Read-only: Instagram accepts no files from other programs. */
export function openInstagram(env: Env): Connector {
  const graph = createGraph({ env, base: env.app?.apiUrl ?? graphUrl, maxConnections });

  async function* published(folder: InstagramItem, ask: CallOptions): AsyncGenerator<readonly InstagramItem[]> {
    const rows =
      folder.id === root.id
        ? graph.rows(Media, '/me/media', { fields: mediaFields }, ask)
        : graph.rows(Media, `/${folder.id}/children`, { fields: childFields }, ask);
    for await (const batch of eachOnce(rows)) yield batch.map(toItem);
  }

  const recent = createRecentChildren<InstagramFacts>({ list: published });
  const ofId = (id: string, ask: CallOptions): Promise<Media> => graph.get(Media, `/${id}`, { fields: mediaFields }, ask);

  const tree = createItemTree<InstagramFacts>({
    root,
    children: recent.children,
    /**
     * A published item is found by its id. One without a caption may be part of an album: then, as for those parts, the listing decides.
     */
    async named(folder, name, ask) {
      const id = folder.id === root.id ? idOfMediaName(name) : undefined;
      if (id === undefined) return folder.id === root.id ? [] : recent.named(folder, name, ask);
      try {
        const media = await ofId(id, ask);
        return media.caption === undefined ? await recent.named(folder, name, ask) : [toItem(media)];
      } catch (error) {
        if (isKind(error, 'notFound')) return [];
        throw error;
      }
    },
  });

  async function bytesOf(path: string, which: keyof InstagramFacts, ask: CallOptions) {
    const item = await tree.file(path, ask);
    const url = item.facts[which];
    if (url === undefined) throw new ConnectorError('unsupported', 'Instagram gives no address of the bytes');
    return { item, place: { url, again: async () => toItem(await ofId(item.id, ask)).facts[which] } };
  }

  return {
    list: (folder, ask) => tree.list(folder, ask),
    stat: async (path, ask) => tree.entryOf(path, await tree.find(path, ask)),
    async read(path, ask) {
      const { item, place } = await bytesOf(path, 'url', ask);
      return graph.read(place, ask.range, item.entry, ask);
    },
    /** Returns a video's first frame, or the picture itself: Instagram provides no smaller versions. */
    async thumbnail(path, ask) {
      const { place } = await bytesOf(path, 'picture', ask);
      return graph.read(place, undefined, {}, ask);
    },
    close: async () => graph.close(),
  };
}
