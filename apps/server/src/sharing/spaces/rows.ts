import { type AppError, type Space, type SpaceMember, type SpaceRole, appError, browseUrlOf, linkUriOf, spaceRoles } from '@sheaf/contract';
import type { InvitationRow, MemberRow, SpaceRow } from './store.ts';

/** The role in a row. */
export const roleOf = ({ role }: { readonly role: string }): SpaceRole => spaceRoles.find((one) => one === role) ?? 'viewer';

/** A Space as a member sees it; only its owner sees where its files are stored. */
export function shownSpace(row: SpaceRow, isPaid: boolean): Space {
  const role = roleOf(row);
  const folder = row.storagePath === '/' ? '' : row.storagePath;
  return {
    spaceOid: row.id,
    name: row.name,
    description: row.description,
    role,
    state: row.storageName === null ? 'unlinked' : isPaid ? 'ok' : 'expired',
    ownerName: row.ownerName,
    userLinkId: row.linkId,
    linkName: row.linkName,
    linkUri: linkUriOf(row.linkId, '/'),
    browseUrl: browseUrlOf({ name: row.linkName, gallery: false }),
    provider: row.provider,
    ...(role === 'owner' && {
      destinationPath: (row.storageName ?? '') + folder,
      storageLinkUri: linkUriOf(row.storageLinkId, row.storagePath),
    }),
    members: row.members,
    createdAt: row.createdAt,
  };
}

/** Why the files of a Space are out of reach; undefined when they are not. */
export function troubleOf({ state, role, ownerName: owner, name }: Space): AppError | undefined {
  if (state === 'ok') return undefined;
  if (state === 'expired' && role === 'owner') return appError('SPACE_EXPIRED_OWN', { name });
  return appError(state === 'unlinked' ? 'SPACE_UNLINKED' : 'SPACE_EXPIRED', { owner, name });
}

export const shownMember = (member: MemberRow, userId: string): SpaceMember => ({
  memberId: member.id,
  name: member.name,
  email: member.email,
  role: roleOf(member),
  isInvited: false,
  isYou: member.accountId === userId,
  since: member.joinedAt,
});

export const shownInvitation = (invitation: InvitationRow): SpaceMember => ({
  memberId: invitation.id,
  name: '',
  email: invitation.email,
  role: roleOf(invitation),
  isInvited: true,
  isYou: false,
  since: invitation.createdAt,
});
