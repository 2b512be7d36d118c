import { type Static, Type } from 'typebox';
import type { Item } from '../../kit/id-tree/item-tree.ts';
import { nameOfItem } from '../../kit/id-tree/item-tree.ts';
import { joinPath } from '../../kit/names/path.ts';

const optionalText = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const id = Type.String({ pattern: '^[0-9]{1,30}$' });

/** A file, folder or web link with the fields of {@link fields}. https://developer.box.com/reference/resources/file */
export const BoxItem = Type.Object({
  type: Type.String(),
  id,
  name: optionalText,
  size: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
  sha1: optionalText,
  content_modified_at: optionalText,
  modified_at: optionalText,
  item_status: optionalText,
  path_collection: Type.Optional(Type.Object({ entries: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })) })),
});
export type BoxItem = Static<typeof BoxItem>;

/** Box returns only the requested fields, plus type and id. */
export const fields = 'type,id,name,size,sha1,content_modified_at,modified_at,item_status';
export const fieldsWithPlace = `${fields},path_collection`;

export const Items = Type.Object({
  entries: Type.Array(BoxItem),
  total_count: Type.Optional(Type.Integer({ minimum: 0 })),
  next_marker: optionalText,
});
export const Uploaded = Type.Object({ entries: Type.Array(BoxItem, { minItems: 1 }) });
export const Me = Type.Object({ id: Type.String({ minLength: 1 }), name: Type.String(), login: Type.String({ minLength: 1 }) });
export const Space = Type.Object({
  space_amount: Type.Integer(),
  space_used: Type.Integer({ minimum: 0 }),
  /** https://developer.box.com/reference/resources/user/ */
  max_upload_size: Type.Optional(Type.Integer({ minimum: 0 })),
});

/** The items with a conflicting name: one, or a list. */
const Conflicting = Type.Object({ type: Type.String(), id });
export const Conflict = Type.Object({
  context_info: Type.Object({ conflicts: Type.Union([Type.Array(Conflicting, { minItems: 1 }), Conflicting]) }),
});
export type Conflicting = Static<typeof Conflicting>;

export const Session = Type.Object({
  part_size: Type.Integer({ minimum: 1, maximum: 256 * 1024 * 1024 }),
  session_expires_at: optionalText,
  session_endpoints: Type.Object({ upload_part: Type.String(), commit: Type.String(), abort: Type.String(), list_parts: Type.String() }),
});
export type Session = Static<typeof Session>;
export const Part = Type.Object({
  part_id: Type.String(),
  offset: Type.Integer(),
  size: Type.Integer(),
  /** In hexadecimal. */
  sha1: optionalText,
});
export type Part = Static<typeof Part>;
export const UploadedPart = Type.Object({ part: Part });
export const Parts = Type.Object({ entries: Type.Array(Part), total_count: Type.Integer({ minimum: 0 }) });

/** In events about the user's tree, `source` is the item; in others it may be a user, a comment or something without an id. */
export const Events = Type.Object({
  entries: Type.Array(
    Type.Object({
      source: Type.Optional(
        Type.Union([
          Type.Object({
            type: Type.Optional(Type.String()),
            id: Type.Optional(Type.String()),
            name: optionalText,
            parent: Type.Optional(Type.Union([Type.Object({ id: Type.Optional(Type.Union([Type.String(), Type.Null()])) }), Type.Null()])),
          }),
          Type.Null(),
        ]),
      ),
    }),
  ),
});

/** Item metadata that the connector needs but does not show. */
export interface Facts {
  /** SHA-1 of a file, in hexadecimal. */
  readonly sha1?: string;
}
export type Node = Item<Facts>;

export const root: Node = { id: '0', name: '', kind: 'folder', entry: {}, facts: {} };

/** Path segment of the API for each kind. */
export const placeOfKind = { file: 'files', folder: 'folders' } as const;

const secondsOf = (text: string | null | undefined): number | undefined => {
  const time = Date.parse(text ?? '');
  return Number.isFinite(time) ? Math.floor(time / 1000) : undefined;
};

/** Converts an item to a tree node; undefined for web links, which are neither file nor folder. */
export function toNode(item: BoxItem): Node | undefined {
  const { type, id: itemId, name, size, sha1, content_modified_at, modified_at } = item;
  if (type !== 'file' && type !== 'folder') return undefined;
  const modified = secondsOf(content_modified_at) ?? secondsOf(modified_at);
  const isFile = type === 'file';
  return {
    id: itemId,
    name: name ?? '',
    kind: type,
    entry: {
      ...(isFile && typeof size === 'number' && { size }),
      ...(modified !== undefined && { modified }),
      // Box's own etag restarts when a file replaces another.
      ...(isFile && sha1 && { etag: sha1, hashes: { sha1: sha1.toLowerCase() } }),
    },
    facts: { ...(sha1 && { sha1 }) },
  };
}

/** Returns an item's path below the root; undefined when the account sees the item but not its parents. */
export function pathOf({ name, path_collection }: BoxItem): string | undefined {
  const [top, ...above] = path_collection?.entries ?? [];
  if (top?.id !== root.id || !name) return undefined;
  return [...above.map((folder) => folder.name), name].reduce((path, part) => joinPath(path, nameOfItem(part)), '/');
}

/** RFC 3339 in whole seconds. */
export const timeText = (epochSeconds: number): string => new Date(Math.floor(epochSeconds) * 1000).toISOString().replace('.000Z', 'Z');
