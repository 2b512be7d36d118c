import type { Body } from '../../core/connector.ts';
import { ConnectorError } from '../../core/error.ts';
import type { Graph } from './account/client.ts';
import { type GraphItem, Thumbnails, addressOf } from './api.ts';

/** Returns the smallest thumbnail whose longer side is at least `size` pixels, or the largest one. */
export async function readThumbnail(graph: Graph, { facts }: GraphItem, size: number, signal: AbortSignal): Promise<Body> {
  const { value } = await graph.json(Thumbnails, { method: 'GET', url: `${addressOf(facts.inside)}/thumbnails`, signal });
  const pictures = value.flatMap((set) =>
    [set.small, set.medium, set.large].flatMap((picture) =>
      picture?.url ? [{ url: picture.url, side: Math.max(picture.width ?? 0, picture.height ?? 0) }] : [],
    ),
  );
  pictures.sort((a, b) => a.side - b.side);
  const chosen = pictures.find(({ side }) => side >= size) ?? pictures.at(-1);
  if (!chosen) throw new ConnectorError('unsupported', 'the service has no picture of this file');
  const response = await graph.send({ method: 'GET', url: graph.elsewhere(chosen.url), authorized: false, signal });
  return response.body({ mimeType: response.headers['content-type'] ?? 'image/jpeg' });
}
