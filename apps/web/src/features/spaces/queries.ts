import {
  type GivenSpaceRole,
  acceptSpaceInvitation,
  changeSpaceMember,
  createSpace,
  declineSpaceInvitation,
  inviteToSpace,
  leaveSpace,
  listSpaceMembers,
  listSpaces,
  removeSpace,
  removeSpaceMember,
  showSpaceInvitation,
  updateSpace,
  updateSpaceLink,
} from '@sheaf/contract';
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { errorText } from '#/lib/http/error-text.ts';
import { type Payload, send } from '#/lib/http/send.ts';
import { notifyError } from '#/ui/feedback/notify.ts';

/** The user's Spaces, own and joined, and pending invitations. */
export const spaceList = queryOptions({
  queryKey: ['spaces'],
  queryFn: ({ signal }) => send(listSpaces, {}, signal),
});

/** The members of a Space and its invitations. */
export const memberList = (spaceOid: string) =>
  queryOptions({
    queryKey: ['space-members', spaceOid],
    queryFn: ({ signal }) => send(listSpaceMembers, { spaceOid }, signal),
    select: ({ members }) => members,
  });

/** The invitation of this token. */
export const invitationOf = (token: string) =>
  queryOptions({
    queryKey: ['space-invitation', token],
    queryFn: ({ signal }) => send(showSpaceInvitation, { token }, signal),
    staleTime: Infinity,
    // The key contains a secret: it is dropped with the page.
    gcTime: 0,
  });

/** A Space is also a link: reloads both lists and other data about links. */
const reload = (queries: QueryClient): Promise<unknown> =>
  Promise.all([
    queries.invalidateQueries({ queryKey: spaceList.queryKey }),
    queries.invalidateQueries({ queryKey: ['links'] }),
    queries.invalidateQueries({ queryKey: ['picker', 'links'] }),
  ]);

export const useCreateSpace = () => useMutation({ mutationFn: (payload: Payload<typeof createSpace>) => send(createSpace, payload) });

/** Reloads the Spaces after a dialog has changed them. */
export function useReloadSpaces(): () => void {
  const queries = useQueryClient();
  return () => void reload(queries);
}

/** Renames a Space for everybody. */
export function useRenameSpace(spaceOid: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => send(updateSpace, { spaceOid, spaceName: name, description: name }),
    onSuccess: () => reload(queries),
  });
}

/** Moves a Space to another folder. */
export function useMoveSpace(spaceOid: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (storageLinkUri: string) => send(updateSpace, { spaceOid, storageLinkUri }),
    onSuccess: () => reload(queries),
  });
}

/** Renames a Space for the user alone. */
export function useRenameSpaceLink(userLinkId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => send(updateSpaceLink, { userLinkId, spaceName: name }),
    onSuccess: () => reload(queries),
  });
}

/** Ends a space for everybody. */
export function useRemoveSpace() {
  const queries = useQueryClient();
  return useMutation({ mutationFn: (spaceOid: string) => send(removeSpace, { spaceOid }), onSuccess: () => reload(queries) });
}

export function useLeaveSpace() {
  const queries = useQueryClient();
  return useMutation({ mutationFn: (spaceOid: string) => send(leaveSpace, { spaceOid }), onSuccess: () => reload(queries) });
}

export function useInvite(spaceOid: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (wish: { readonly emails: string; readonly role: GivenSpaceRole }) => send(inviteToSpace, { spaceOid, ...wish }),
    onSuccess: () => queries.invalidateQueries({ queryKey: memberList(spaceOid).queryKey }),
  });
}

/** Changes a role optimistically; reverts when the server refuses. */
export function useChangeRole(spaceOid: string) {
  const queries = useQueryClient();
  const { queryKey } = memberList(spaceOid);
  return useMutation({
    mutationFn: (change: { readonly memberId: string; readonly role: GivenSpaceRole }) => send(changeSpaceMember, { spaceOid, ...change }),
    onMutate: async ({ memberId, role }) => {
      await queries.cancelQueries({ queryKey });
      queries.setQueryData(
        queryKey,
        (known) => known && { members: known.members.map((one) => (one.memberId === memberId ? { ...one, role } : one)) },
      );
    },
    onError: (error) => notifyError(`Cannot change the role. ${errorText(error)}`),
    onSettled: () => queries.invalidateQueries({ queryKey }),
  });
}

export function useRemoveMember(spaceOid: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (memberId: string) => send(removeSpaceMember, { spaceOid, memberId }),
    onError: (error) => notifyError(`Cannot remove. ${errorText(error)}`),
    onSettled: async () => {
      await queries.invalidateQueries({ queryKey: memberList(spaceOid).queryKey });
      await reload(queries);
    },
  });
}

type Invitation = { readonly token: string } | { readonly invitationId: string };

export function useAccept() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (invitation: Invitation) => send(acceptSpaceInvitation, invitation),
    onSuccess: () => reload(queries),
  });
}

export function useDecline() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (invitation: Invitation) => send(declineSpaceInvitation, invitation),
    onSuccess: () => reload(queries),
  });
}
