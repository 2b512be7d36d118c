import type { Tagged } from './refusals.ts';
import type { Node } from './tree.ts';

export const timeText = (epochSeconds: number): string => new Date(epochSeconds * 1000).toISOString().replace('.000Z', 'Z');

/** Dropbox's metadata of an item, at its path in the view. */
export function toMetadata(node: Node, path: string): Tagged {
  const shared = { name: node.name, id: node.id, path_lower: path.toLowerCase(), path_display: path };
  if (node.kind === 'folder') return { '.tag': 'folder', ...shared };
  const { content, rev, clientModified, serverModified, exportAs } = node;
  return {
    '.tag': 'file',
    ...shared,
    client_modified: timeText(clientModified),
    server_modified: timeText(serverModified),
    rev,
    size: content.size,
    is_downloadable: exportAs === undefined,
    ...(exportAs === undefined ? { content_hash: content.hashes.content } : { export_info: { export_as: exportAs } }),
  };
}

/** Removes the tag, for responses that can only be of one kind. */
export function untagged(metadata: Tagged): Readonly<Record<string, unknown>> {
  const { '.tag': _, ...rest } = metadata;
  return rest;
}

export const deletedAt = (path: string): Tagged => ({
  '.tag': 'deleted',
  name: path.slice(path.lastIndexOf('/') + 1),
  path_lower: path.toLowerCase(),
  path_display: path,
});
