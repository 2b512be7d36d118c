import { type Static, Type } from 'typebox';
import type { Entry } from '../../core/connector.ts';
import { ConnectorError } from '../../core/error.ts';

const child = {
  name: Type.String(),
  type: Type.String(),
  size: Type.Optional(Type.Number()),
  date_last_synced: Type.Optional(Type.Number()),
  revision_id: Type.Optional(Type.Union([Type.Number(), Type.String()])),
};
/** A file or folder, as documented by public clients of the service. */
const Child = Type.Object(child);
export const Node = Type.Object({ ...child, children: Type.Optional(Type.Array(Child)) });
export type Node = Static<typeof Node>;
type Child = Static<typeof Child>;

export const Objects = Type.Object({ objects: Type.Array(Node) });
export const User = Type.Object({
  storage: Type.Object({ used: Type.Number(), quota: Type.Optional(Type.Number()) }),
});
export const ErrorAnswer = Type.Object({ error: Type.Number() });

export const isFile = ({ type }: Child): boolean => type === 'file';

export function toEntry({ name, type, size, date_last_synced: synced, revision_id: revision }: Child, shown = name): Entry {
  if (name.includes('/') || name === '.' || name === '..') throw new ConnectorError('unexpected', 'an entry whose name is none');
  return {
    name: shown,
    kind: type === 'file' ? 'file' : 'folder',
    ...(type === 'file' && size !== undefined && { size }),
    ...(type === 'file' && revision !== undefined && { etag: String(revision) }),
    ...(synced !== undefined && { modified: synced }),
  };
}
