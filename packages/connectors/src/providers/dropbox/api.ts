import { type Static, Type } from 'typebox';
import type { Entry } from '../../core/connector.ts';
import { ConnectorError } from '../../core/error.ts';
import { segmentsOf } from '../../kit/names/path.ts';

const optionalText = Type.Optional(Type.Union([Type.String(), Type.Null()]));

/**
 * A file, folder or deleted item; the tag is omitted where only one of them is possible.
 * https://www.dropbox.com/developers/documentation/http/documentation#files-list_folder
 */
export const Metadata = Type.Object({
  '.tag': Type.Optional(Type.String()),
  name: Type.String({ minLength: 1 }),
  id: optionalText,
  path_lower: optionalText,
  path_display: optionalText,
  rev: optionalText,
  size: Type.Optional(Type.Integer({ minimum: 0 })),
  client_modified: optionalText,
  content_hash: optionalText,
  is_downloadable: Type.Optional(Type.Boolean()),
});
export type Metadata = Static<typeof Metadata>;

export const Page = Type.Object({ entries: Type.Array(Metadata), cursor: Type.String(), has_more: Type.Boolean() });
export const Cursor = Type.Object({ cursor: Type.String() });
export const Relocated = Type.Object({ metadata: Metadata });
/** https://www.dropbox.com/developers/documentation/http/documentation#files-copy_reference-get */
export const CopyReference = Type.Object({ metadata: Metadata, copy_reference: Type.String({ minLength: 1 }) });
export const Session = Type.Object({ session_id: Type.String({ minLength: 1 }) });
/** Result of calls without a return value. */
export const Nothing = Type.Unknown();

export const SearchPage = Type.Object({
  matches: Type.Array(Type.Object({ metadata: Type.Object({ '.tag': Type.String(), metadata: Type.Optional(Metadata) }) })),
  has_more: Type.Boolean(),
  cursor: optionalText,
});

export const SpaceUsage = Type.Object({
  used: Type.Integer({ minimum: 0 }),
  allocation: Type.Object({
    '.tag': Type.String(),
    allocated: Type.Optional(Type.Integer({ minimum: 0 })),
    used: Type.Optional(Type.Integer({ minimum: 0 })),
    user_within_team_space_allocated: Type.Optional(Type.Integer({ minimum: 0 })),
  }),
});
export type SpaceUsage = Static<typeof SpaceUsage>;

export const RootInfo = Type.Object({ root_namespace_id: Type.String(), home_namespace_id: Type.String() });
export const Account = Type.Object({
  account_id: Type.String({ minLength: 1 }),
  email: Type.String({ minLength: 1 }),
  name: Type.Object({ display_name: Type.String() }),
  root_info: RootInfo,
});
export const Admin = Type.Object({
  admin_profile: Type.Object({ team_member_id: Type.String({ minLength: 1 }), email: Type.String({ minLength: 1 }) }),
});
export const Team = Type.Object({ name: Type.String(), team_id: Type.String({ minLength: 1 }) });

/** Encodes the argument header of content calls: JSON with everything outside printable ASCII escaped. */
export const headerJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Dropbox's path of the root is ''. */
export const pathArg = (path: string): string =>
  segmentsOf(path)
    .map((segment) => `/${segment}`)
    .join('');

/** Whole seconds, always in UTC. */
export const timeArg = (epochSeconds: number): string => new Date(Math.floor(epochSeconds) * 1000).toISOString().replace('.000Z', 'Z');

/**
 * Converts metadata of a file or folder; throws `unexpected` for anything else. `kind` is the only possible kind where the response has no
 * tag.
 */
export function toEntry(metadata: Metadata, kind?: Entry['kind']): Entry {
  const { name, rev, size, client_modified, is_downloadable, content_hash } = metadata;
  const told = metadata['.tag'] ?? kind;
  if (told === 'folder') return { name, kind: 'folder' };
  if (told !== 'file') throw new ConnectorError('unexpected', 'an item that is neither file nor folder');
  const modified = Date.parse(client_modified ?? '');
  return {
    name,
    kind: 'file',
    // A cloud document is exported when it is read: its size is unknown in advance.
    ...(size !== undefined && is_downloadable !== false && { size }),
    ...(Number.isFinite(modified) && { modified: Math.floor(modified / 1000) }),
    ...(rev && { etag: rev }),
    // Absent for cloud documents; what they export to has no hash.
    ...(content_hash && is_downloadable !== false && { hashes: { dropbox: content_hash.toLowerCase() } }),
  };
}

/** Returns the display path of an item; undefined for one outside the link. */
export const placeOf = ({ path_display, path_lower }: Metadata): string | undefined => path_display ?? path_lower ?? undefined;
