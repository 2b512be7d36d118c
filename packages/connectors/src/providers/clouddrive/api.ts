import { type Static, Type } from 'typebox';
import type { Item } from '../../kit/id-tree/item-tree.ts';

/** A file or folder; fields as documented by open-source clients such as https://github.com/ncw/go-acd. */
export const Node = Type.Object({
  id: Type.String({ minLength: 1 }),
  name: Type.Optional(Type.String()),
  kind: Type.String(),
  status: Type.String(),
  isRoot: Type.Optional(Type.Boolean()),
  parents: Type.Optional(Type.Array(Type.String())),
  version: Type.Optional(Type.Number()),
  modifiedDate: Type.Optional(Type.String()),
  contentProperties: Type.Optional(
    Type.Object({
      size: Type.Optional(Type.Number()),
      md5: Type.Optional(Type.String()),
      contentType: Type.Optional(Type.String()),
      version: Type.Optional(Type.Number()),
    }),
  ),
});
export type Node = Static<typeof Node>;

export const NodeList = Type.Object({ data: Type.Array(Node), nextToken: Type.Optional(Type.String()) });
export const Endpoint = Type.Object({ contentUrl: Type.String(), metadataUrl: Type.String() });
export const Quota = Type.Object({ quota: Type.Optional(Type.Number()), available: Type.Optional(Type.Number()) });
/** One line of the response to a changes request. */
export const ChangeLine = Type.Object({
  checkpoint: Type.Optional(Type.String()),
  nodes: Type.Optional(Type.Array(Node)),
  reset: Type.Optional(Type.Boolean()),
  statusCode: Type.Optional(Type.Number()),
  end: Type.Optional(Type.Boolean()),
});

export interface Facts {
  /** Hexadecimal. */
  readonly md5: string | undefined;
}
export type DriveItem = Item<Facts>;

/** Files and folders; assets, such as other sizes of an image, belong to their file. */
export const isItem = ({ kind, status }: Node): boolean => (kind === 'FILE' || kind === 'FOLDER') && status === 'AVAILABLE';

export function toItem({ id, name = '', kind, version, modifiedDate, contentProperties = {} }: Node): DriveItem {
  const modified = Math.floor(Date.parse(modifiedDate ?? '') / 1000);
  const { size, md5, contentType } = contentProperties;
  const ofFile = kind === 'FILE' && {
    ...(size !== undefined && { size }),
    etag: `${id} ${contentProperties.version ?? version ?? 0} ${md5 ?? ''}`,
    ...(contentType !== undefined && { mimeType: contentType }),
  };
  return {
    id,
    name,
    kind: kind === 'FOLDER' ? 'folder' : 'file',
    entry: { ...ofFile, ...(Number.isFinite(modified) && { modified }) },
    facts: { md5 },
  };
}

/** Escapes text inside the quotes of a filter. */
export const inFilter = (text: string): string => text.replace(/[-+&|!(){}[\]^"'~*?:\\ ]/g, '\\$&');
