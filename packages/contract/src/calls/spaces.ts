import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { InvitationAnswer, Invited, memberOf } from './members.ts';

const text = Type.String();
const optional = Type.Optional;
const rTag = optional(text);
const Nothing = Type.Object({});

/** Viewers read, editors change, managers also manage members; the owner owns the storage. */
export const spaceRoles = ['viewer', 'editor', 'manager', 'owner'] as const;
export type SpaceRole = (typeof spaceRoles)[number];
/** Roles that can be assigned. */
export const givenSpaceRoles = ['viewer', 'editor', 'manager'] as const;
export type GivenSpaceRole = (typeof givenSpaceRoles)[number];
const Role = Type.Unsafe<SpaceRole>({ type: 'string', enum: [...spaceRoles] });
const GivenRole = Type.Unsafe<GivenSpaceRole>({ type: 'string', enum: [...givenSpaceRoles] });

/**
 * Rights by role: one table, enforced by the server and shown by the browser. Every member may read and rename their own link; all but the owner may
 * leave.
 */
export const spaceRights = {
  write: ['editor', 'manager', 'owner'],
  /** By public links. */
  share: ['editor', 'manager', 'owner'],
  /** Inviting, removing, changing roles, and seeing open invitations. */
  members: ['manager', 'owner'],
  rename: ['manager', 'owner'],
  /** Reading the Space's log. */
  audit: ['manager', 'owner'],
  /** Ending the Space, and moving it to another folder. */
  end: ['owner'],
} as const satisfies Readonly<Record<string, readonly SpaceRole[]>>;
export type SpaceRight = keyof typeof spaceRights;
export const mayInSpace = (role: SpaceRole, right: SpaceRight): boolean => spaceRights[right].some((allowed) => allowed === role);

/** `unlinked`: the owner has unlinked the storage; `expired`: the owner's subscription has ended. The files stay in place either way. */
export const spaceStates = ['ok', 'unlinked', 'expired'] as const;
export type SpaceState = (typeof spaceStates)[number];

export const Space = Type.Object({
  spaceOid: text,
  name: text,
  description: text,
  role: Role,
  state: Type.Unsafe<SpaceState>({ type: 'string', enum: [...spaceStates] }),
  ownerName: text,
  /** The member's own link to the Space. */
  userLinkId: text,
  /** The member's name for it: the Space's name unless they have renamed their link. */
  linkName: text,
  linkUri: text,
  browseUrl: text,
  /** Title of the storage's provider. */
  provider: text,
  /** Location of the files as the owner sees it ("link name/folder"); sent to the owner only. */
  destinationPath: optional(text),
  storageLinkUri: optional(text),
  members: Type.Integer(),
  /** Epoch seconds. */
  createdAt: Type.Integer(),
});
export type Space = Static<typeof Space>;

export const SpaceMember = memberOf(Role);
export type SpaceMember = Static<typeof SpaceMember>;

export const createSpace = call({
  method: 'POST',
  path: '/rest/space/create',
  input: Type.Object({
    storageLinkUri: text,
    description: optional(text),
    /** Comma-separated addresses. */
    emails: optional(text),
    destinationPath: optional(text),
    spaceName: optional(text),
    role: optional(GivenRole),
    rTag,
  }),
  reply: Type.Object({ space: Space, ...Invited.properties }),
  summary: 'Shares a folder with people who are invited by mail.',
});
export const updateSpace = call({
  method: 'POST',
  path: '/rest/space/update',
  input: Type.Object({
    spaceOid: text,
    description: optional(text),
    spaceName: optional(text),
    /** Moves the Space to another folder, for example after its storage was unlinked and linked again. Owner only. */
    storageLinkUri: optional(text),
    rTag,
  }),
  reply: Type.Object({ space: Space }),
  rTag: 'required',
  summary: 'Renames a space for everybody, or puts it onto another folder.',
});
export const updateSpaceLink = call({
  method: 'POST',
  path: '/rest/space/update_link',
  input: Type.Object({ userLinkId: text, spaceName: optional(text), rTag }),
  reply: Type.Object({ space: Space }),
  rTag: 'required',
  summary: "Renames a member's own link to a space.",
});
export const listSpaces = call({
  method: 'GET',
  path: '/rest/space/list',
  input: Type.Object({}),
  reply: Type.Object({
    spaces: Type.Array(Space),
    /** Open invitations to the account's verified address. */
    invitations: Type.Array(Type.Object({ invitationId: text, name: text, ownerName: text, role: Role })),
    /** Whether the account may create spaces. */
    maySpaces: Type.Boolean(),
  }),
  summary: 'The spaces of the user, own and joined.',
});
export const removeSpace = call({
  method: 'POST',
  path: '/rest/space/remove',
  input: Type.Object({ spaceOid: text, rTag }),
  reply: Nothing,
  rTag: 'required',
  summary: 'Ends a space for everybody; its files stay.',
});
export const leaveSpace = call({
  method: 'POST',
  path: '/rest/space/leave',
  input: Type.Object({ spaceOid: text, rTag }),
  reply: Nothing,
  rTag: 'required',
  summary: 'Leaves a space.',
});
export const listSpaceMembers = call({
  method: 'GET',
  path: '/rest/space/members',
  input: Type.Object({ spaceOid: text }),
  reply: Type.Object({ members: Type.Array(SpaceMember) }),
  summary: 'Members and open invitations of a space.',
});
export const inviteToSpace = call({
  method: 'POST',
  path: '/rest/space/invite',
  input: Type.Object({ spaceOid: text, emails: text, role: GivenRole, rTag }),
  reply: Invited,
  rTag: 'required',
  summary: 'Invites people to a space by mail.',
});
export const changeSpaceMember = call({
  method: 'POST',
  path: '/rest/space/change_member',
  input: Type.Object({ spaceOid: text, memberId: text, role: GivenRole, rTag }),
  reply: Nothing,
  rTag: 'required',
  summary: "Changes a member's or an invitation's role.",
});
export const removeSpaceMember = call({
  method: 'POST',
  path: '/rest/space/remove_member',
  input: Type.Object({ spaceOid: text, memberId: text, rTag }),
  reply: Nothing,
  rTag: 'required',
  summary: 'Removes a member, or takes an invitation back.',
});
export const showSpaceInvitation = call({
  method: 'POST',
  path: '/rest/space/invitation',
  session: 'optional',
  rTag: 'none',
  input: Type.Object({ token: text }),
  reply: Type.Object({ name: text, ownerName: text, email: text, role: Role, hasAccount: Type.Boolean() }),
  summary: 'What an invitation is to; whoever has its token may ask.',
});
export const acceptSpaceInvitation = call({
  method: 'POST',
  path: '/rest/space/accept',
  input: InvitationAnswer,
  reply: Type.Object({ space: Space }),
  rTag: 'required',
  summary: 'Joins a space, by the token of the mail or as the owner of the invited address.',
});
export const declineSpaceInvitation = call({
  method: 'POST',
  path: '/rest/space/decline',
  session: 'optional',
  input: InvitationAnswer,
  reply: Nothing,
  summary: 'Declines an invitation.',
});
