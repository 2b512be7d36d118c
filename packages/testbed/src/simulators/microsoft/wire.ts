import type { Drive, Node } from './drive.ts';

type Json = Readonly<Record<string, unknown>>;

const types: Readonly<Record<string, string>> = {
  html: 'text/html',
  jpg: 'image/jpeg',
  md: 'text/markdown',
  pdf: 'application/pdf',
  png: 'image/png',
  txt: 'text/plain',
};
export const typeOf = (name: string): string => types[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] ?? 'application/octet-stream';
export const isPicture = (name: string): boolean => typeOf(name).startsWith('image/');

const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString();
/** `"{01AB…},7"`: an item's id and its number of changes. */
export const eTagOf = ({ id, edition }: Node): string => `"{${id}},${edition}"`;
const cTagOf = ({ id, contentEdition }: Node): string => `"c:{${id}},${contentEdition}"`;

function parentOf(drive: Drive, { parent }: Node, isChange: boolean): Json {
  const { id: driveId, type: driveType } = drive;
  if (!parent) return { driveId, driveType };
  const path = `/drive/root:${drive.type === 'personal' ? encodeURI(drive.pathOf(parent)) : drive.pathOf(parent)}`;
  // Changes contain no paths: they would be wrong as soon as a parent folder is renamed.
  return { driveId, driveType, id: parent.id, ...(!isChange && { path }) };
}

function facetsOf(drive: Drive, node: Node): Json {
  if (node.kind === 'folder') return { folder: { childCount: node.children.size }, size: drive.sizeOf(node) };
  if (node.kind === 'package') return { package: { type: 'oneNote' }, size: 0 };
  const { size = 0, hashes = {} } = node.content ?? {};
  return { file: { mimeType: typeOf(node.name), hashes }, size };
}

function remoteOf({ target }: Node): Json {
  if (!target) return {};
  const { driveId, node } = target;
  const facets = node.kind === 'folder' ? { folder: { childCount: node.children.size } } : { file: { mimeType: typeOf(node.name) } };
  return { remoteItem: { id: node.id, name: node.name, size: node.content?.size ?? 0, parentReference: { driveId }, ...facets } };
}

/** Graph's representation of an item. `downloadUrl` is called only when the field is requested. */
export function toItem(drive: Drive, node: Node, downloadUrl?: (node: Node) => string): Json {
  const created = timeOf(node.created);
  return {
    id: node.id,
    name: node.name,
    eTag: eTagOf(node),
    ...(node.kind !== 'folder' && { cTag: cTagOf(node) }),
    createdDateTime: created,
    lastModifiedDateTime: timeOf(node.changed),
    webUrl: `https://drive.example/${node.id}`,
    parentReference: parentOf(drive, node, false),
    fileSystemInfo: { createdDateTime: created, lastModifiedDateTime: timeOf(node.modified) },
    ...(node.target ? remoteOf(node) : facetsOf(drive, node)),
    ...(!node.parent && { root: {} }),
    ...(downloadUrl && node.content && { '@microsoft.graph.downloadUrl': downloadUrl(node) }),
  };
}

/** An item in the list of changes. Business drives omit a deleted item's name and parent. */
export function toChange(drive: Drive, node: Node): Json {
  if (!node.isDeleted) return { ...toItem(drive, node), parentReference: parentOf(drive, node, true) };
  const deleted = { id: node.id, deleted: { state: 'deleted' } };
  return drive.type === 'personal' ? { ...deleted, name: node.name, parentReference: parentOf(drive, node, true) } : deleted;
}

/** Returns only the fields in `$select`; all without it. */
export function selected(item: Json, query: URLSearchParams): Json {
  const fields = query.get('$select')?.split(',');
  return fields ? Object.fromEntries(Object.entries(item).filter(([name]) => fields.includes(name))) : item;
}
