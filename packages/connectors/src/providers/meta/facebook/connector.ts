import type { CallOptions, Connector } from '../../../core/connector.ts';
import type { Env } from '../../../core/definition.ts';
import { ConnectorError } from '../../../core/error.ts';
import { createItemTree } from '../../../kit/id-tree/item-tree.ts';
import { type MediaPlace, createGraph } from '../graph/meta-graph.ts';
import { createAlbums } from './albums.ts';
import { type FacebookItem, type MediaFacts, Photo, Video, graphUrl, photoFields, photoItem, videoFields, videoItem } from './api.ts';

/** Concurrent requests of one link. */
export const maxConnections = 6;

/** Opens a user's albums. Read-only: Facebook does not allow other programs to write. */
export function openFacebook(env: Env): Connector {
  const { clientSecret } = env.app ?? {};
  const graph = createGraph({
    env,
    base: env.app?.apiUrl ?? graphUrl,
    maxConnections,
    ...(clientSecret !== undefined && { secret: clientSecret }),
  });
  const tree = createItemTree(createAlbums(graph));

  async function refreshed({ id, facts }: FacebookItem, ask: CallOptions): Promise<MediaFacts | undefined> {
    const item =
      facts.media?.kind === 'video'
        ? videoItem(await graph.get(Video, `/${id}`, { fields: videoFields }, ask))
        : photoItem(await graph.get(Photo, `/${id}`, { fields: photoFields }, ask));
    return item.facts.media;
  }

  /** Returns the URL that `choose` selects, and a way to request a new one after it has expired. */
  function placeOf(item: FacebookItem, choose: (media: MediaFacts) => string | undefined, ask: CallOptions): MediaPlace {
    const url = item.facts.media && choose(item.facts.media);
    if (url === undefined) throw new ConnectorError('unsupported', 'Facebook gives no address of the bytes');
    return {
      url,
      async again() {
        const media = await refreshed(item, ask);
        return media && choose(media);
      },
    };
  }

  return {
    list: (folder, ask) => tree.list(folder, ask),
    stat: async (path, ask) => tree.entryOf(path, await tree.find(path, ask)),
    async read(path, ask) {
      const item = await tree.file(path, ask);
      return graph.read(
        placeOf(item, ({ url }) => url, ask),
        ask.range,
        item.entry,
        ask,
      );
    },
    async thumbnail(path, ask) {
      const item = await tree.file(path, ask);
      const choose = ({ kind, url, pictures }: MediaFacts) =>
        (pictures.find(({ side }) => side >= ask.size) ?? pictures.at(-1))?.url ?? (kind === 'photo' ? url : undefined);
      return graph.read(placeOf(item, choose, ask), undefined, {}, ask);
    },
    close: async () => graph.close(),
  };
}
