import { type Static, Type } from 'typebox';
import type { Item } from '../../kit/id-tree/item-tree.ts';

/** Levels of the hierarchy: hubs contain projects, projects contain top folders. Items can be created only inside folders. */
export type Level = 'root' | 'hub' | 'project' | 'folder' | 'file';

/** Bytes in the object store. */
export interface StoredObject {
  readonly bucket: string;
  readonly key: string;
}

export interface Facts {
  readonly level: Level;
  readonly hub: string;
  readonly project: string;
  /** True for a folder that was created with its project; it cannot be changed. */
  readonly isTop: boolean;
  /** The newest version of a file and its bytes; absent for files whose bytes are stored elsewhere. */
  readonly version?: string;
  readonly object?: StoredObject;
  /** The file's type according to its versions: `autodesk.bim360:File`, or a program's model format. */
  readonly type?: string;
}
export type AutodeskItem = Item<Facts>;

const Link = Type.Object({ href: Type.String() });
const Links = Type.Optional(Type.Object({ next: Type.Optional(Link) }));
const Ref = Type.Object({ data: Type.Object({ id: Type.String() }) });

const Hub = Type.Object({ id: Type.String(), attributes: Type.Optional(Type.Object({ name: Type.Optional(Type.String()) })) });
/** Hubs, or projects. */
export const Places = Type.Object({ data: Type.Optional(Type.Array(Hub)), links: Links });

const Folder = Type.Object({
  type: Type.Literal('folders'),
  id: Type.String(),
  attributes: Type.Object({
    name: Type.String(),
    displayName: Type.Optional(Type.String()),
    lastModifiedTime: Type.Optional(Type.String()),
    hidden: Type.Optional(Type.Boolean()),
  }),
  relationships: Type.Optional(Type.Object({ parent: Type.Optional(Type.Partial(Ref)) })),
});
type Folder = Static<typeof Folder>;
export const OneFolder = Type.Object({ data: Folder });
export const TopFolders = Type.Object({ data: Type.Optional(Type.Array(Folder)), links: Links });

const File = Type.Object({
  type: Type.Literal('items'),
  id: Type.String(),
  attributes: Type.Object({ displayName: Type.String(), hidden: Type.Optional(Type.Boolean()) }),
  relationships: Type.Object({ tip: Ref, parent: Type.Optional(Type.Partial(Ref)) }),
});
type File = Static<typeof File>;

const Version = Type.Object({
  id: Type.String(),
  attributes: Type.Object({
    name: Type.String(),
    storageSize: Type.Optional(Type.Number()),
    lastModifiedTime: Type.Optional(Type.String()),
    extension: Type.Optional(Type.Object({ type: Type.String() })),
  }),
  relationships: Type.Optional(Type.Object({ storage: Type.Optional(Type.Partial(Ref)) })),
});
type Version = Static<typeof Version>;

export const Contents = Type.Object({
  data: Type.Optional(Type.Array(Type.Union([Folder, File]))),
  included: Type.Optional(Type.Array(Version)),
  links: Links,
});
export const OneFile = Type.Object({ data: File, included: Type.Optional(Type.Array(Version)) });
/** A new version; includes the size but not the object's address. */
export const NewVersion = Type.Object({ data: Version });
export type NewVersion = Static<typeof NewVersion>;
/** Versions found by a search, with the files they belong to. */
export const SearchPage = Type.Object({
  data: Type.Optional(Type.Array(Version)),
  included: Type.Optional(Type.Array(File)),
  links: Links,
});

export const NewObject = Type.Object({ data: Type.Object({ id: Type.String() }) });
export const UploadAddresses = Type.Object({ uploadKey: Type.String(), urls: Type.Array(Type.String(), { minItems: 1 }) });
export const ObjectDetails = Type.Object({ size: Type.Optional(Type.Number()), sha1: Type.Optional(Type.String()) });
export const DownloadAddress = Type.Object({
  url: Type.Optional(Type.String()),
  size: Type.Optional(Type.Number()),
  sha1: Type.Optional(Type.String()),
});
export const UserInfo = Type.Object({ sub: Type.String(), email: Type.Optional(Type.String()), name: Type.Optional(Type.String()) });

const timeOf = (text: string | undefined): { readonly modified?: number } => {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? {} : { modified: Math.floor(time / 1000) };
};

/** `urn:adsk.objects:os.object:bucket/key`. */
export function objectOf(urn: string | undefined): StoredObject | undefined {
  const [, bucket, key] = /^urn:adsk\.objects:os\.object:([^/]+)\/(.+)$/.exec(urn ?? '') ?? [];
  return bucket !== undefined && key !== undefined ? { bucket, key } : undefined;
}

/** A hub or a project. */
export const placeItem = (level: 'hub' | 'project', { id, attributes }: Static<typeof Hub>, hub: string): AutodeskItem => ({
  id,
  name: attributes?.name ?? id,
  kind: 'folder',
  entry: {},
  facts: { level, hub, project: level === 'project' ? id : '', isTop: true },
});

export const folderItem = ({ id, attributes }: Folder, { hub, project }: Facts, isTop = false): AutodeskItem => ({
  id,
  // Folders created with a project have an id as `name`; `displayName` is what people see.
  name: attributes.displayName ?? attributes.name,
  kind: 'folder',
  entry: timeOf(attributes.lastModifiedTime),
  facts: { level: 'folder', hub, project, isTop },
});

export function fileItem({ id, attributes, relationships }: File, version: Version | undefined, { hub, project }: Facts): AutodeskItem {
  const object = objectOf(version?.relationships?.storage?.data?.id);
  const size = version?.attributes.storageSize;
  const type = /^versions:(.+)$/.exec(version?.attributes.extension?.type ?? '')?.[1];
  const tip = version?.id ?? relationships.tip.data.id;
  return {
    id,
    name: attributes.displayName,
    kind: 'file',
    entry: {
      ...(size !== undefined && { size }),
      ...timeOf(version?.attributes.lastModifiedTime),
      etag: tip,
    },
    facts: { level: 'file', hub, project, isTop: false, version: tip, ...(object && { object }), ...(type !== undefined && { type }) },
  };
}

/** Returns the file with another version as its newest. */
export function withVersion(item: AutodeskItem, { id, attributes }: NewVersion['data'], object: StoredObject | undefined): AutodeskItem {
  const size = attributes.storageSize ?? item.entry.size;
  return {
    ...item,
    name: attributes.name,
    entry: { ...(size !== undefined && { size }), ...timeOf(attributes.lastModifiedTime), etag: id },
    facts: { ...item.facts, version: id, ...(object && { object }) },
  };
}

/** Whether the hub is one of Autodesk Construction Cloud (BIM 360, Forma), whose rules differ from those of Fusion Team. */
export const isConstruction = ({ project }: Facts): boolean => project.startsWith('b.');
