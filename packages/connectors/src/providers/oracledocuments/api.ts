import { type Static, Type } from 'typebox';
import type { Item } from '../../kit/id-tree/item-tree.ts';

/** A folder or a file. All numbers are strings: https://docs.oracle.com/en/cloud/paas/content-cloud/rest-api-documents */
export const DocumentItem = Type.Object({
  id: Type.String({ minLength: 1 }),
  name: Type.String(),
  type: Type.Union([Type.Literal('folder'), Type.Literal('file')]),
  parentID: Type.Optional(Type.String()),
  size: Type.Optional(Type.String()),
  version: Type.Optional(Type.String()),
  mimeType: Type.Optional(Type.String()),
  modifiedTime: Type.Optional(Type.String()),
});
export type DocumentItem = Static<typeof DocumentItem>;

export const ItemsAnswer = Type.Object({
  items: Type.Optional(Type.Array(DocumentItem)),
  hasMore: Type.Optional(Type.String()),
  totalResults: Type.Optional(Type.String()),
});

/** The alias of the user's home folder. */
export const home = 'self';

/** Item metadata that the connector needs besides its entry: its parent. */
export interface Facts {
  readonly parent: string | undefined;
  readonly version: string | undefined;
}
export type OracleItem = Item<Facts>;

/** Returns the URL path of an item. */
export const pathOf = ({ id, kind }: Pick<OracleItem, 'id' | 'kind'>): string => `/${kind}s/${encodeURIComponent(id)}`;

export function toItem({ id, name, type, parentID, size, version, mimeType, modifiedTime }: DocumentItem): OracleItem {
  const bytes = Number(size || Number.NaN);
  const modified = Math.floor(Date.parse(modifiedTime ?? '') / 1000);
  const ofFile = type === 'file' && {
    ...(Number.isSafeInteger(bytes) && { size: bytes }),
    ...(version !== undefined && { etag: `${id} ${version}` }),
    ...(mimeType !== undefined && { mimeType }),
  };
  return {
    id,
    name,
    kind: type,
    entry: { ...ofFile, ...(Number.isFinite(modified) && { modified }) },
    facts: { parent: parentID, version },
  };
}
