import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { type GivenOrgRole, givenOrgRoles } from './orgs.ts';

const text = Type.String();
const optional = Type.Optional;
const Role = Type.Unsafe<GivenOrgRole>({ type: 'string', enum: [...givenOrgRoles] });
const OrgRef = { orgOid: text, rTag: optional(text) };

/** Path, below the public address, at which directories manage the members of an organisation (SCIM 2.0, RFC 7644). */
export const scimPath = '/scim/v2';

/** A token with which a directory manages the members of an organisation. */
export const ScimToken = Type.Object({
  tokenId: text,
  name: text,
  /** Name of the admin who created it. */
  madeBy: text,
  createdAt: Type.Integer(),
  lastUsedAt: optional(Type.Integer()),
});
export type ScimToken = Static<typeof ScimToken>;

/** A group of a directory, and the role of its members in the organisation. */
export const DirectoryGroup = Type.Object({ groupId: text, name: text, members: Type.Integer(), role: Role });
export type DirectoryGroup = Static<typeof DirectoryGroup>;

export const showDirectory = call({
  method: 'GET',
  path: '/rest/org/directory',
  input: Type.Object({ orgOid: text }),
  reply: Type.Object({
    /** The address to configure in the directory. */
    address: text,
    tokens: Type.Array(ScimToken),
    groups: Type.Array(DirectoryGroup),
    /** Number of active people in the directory, and how many of them are members. */
    people: Type.Integer(),
    joined: Type.Integer(),
  }),
  summary: 'What a directory (SCIM) has brought into the organisation, and the tokens for it.',
});
export const createScimToken = call({
  method: 'POST',
  path: '/rest/org/create_scim_token',
  input: Type.Object({ ...OrgRef, name: text }),
  reply: Type.Object({ token: text, tokenId: text }),
  rTag: 'required',
  summary: "Makes a token with which a directory keeps the organisation's members; it is shown once.",
});
export const revokeScimToken = call({
  method: 'POST',
  path: '/rest/org/revoke_scim_token',
  input: Type.Object({ ...OrgRef, tokenId: text }),
  reply: Type.Object({}),
  rTag: 'required',
  summary: 'Revokes a token of a directory; the members stay.',
});
export const setDirectoryGroupRole = call({
  method: 'POST',
  path: '/rest/org/set_directory_group_role',
  input: Type.Object({ ...OrgRef, groupId: text, role: Role }),
  reply: Type.Object({}),
  rTag: 'required',
  summary: 'Says what the members of a group of the directory are in the organisation.',
});
