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
import { messageOf } from '#/lib/http/call-error.ts';
import { type Payload, send } from '#/lib/http/send.ts';
import { notifyError } from '#/ui/feedback/notify.ts';

/** The user's spaces, own and joined, and the invitations that wait for an answer. */
export const spaceList = queryOptions({
  queryKey: ['spaces'],
  queryFn: ({ signal }) => send(listSpaces, {}, signal),
});

/** The members of a space and the invitations to it. */
export const memberList = (spaceOid: string) =>
  queryOptions({
    queryKey: ['space-members', spaceOid],
    queryFn: ({ signal }) => send(listSpaceMembers, { spaceOid }, signal),
    select: ({ members }) => members,
  });

/** What the invitation with this token is to. */
export const invitationOf = (token: string) =>
  queryOptions({
    queryKey: ['space-invitation', token],
    queryFn: ({ signal }) => send(showSpaceInvitation, { token }, signal),
    staleTime: Infinity,
    // The key is a secret: it is forgotten with the page.
    gcTime: 0,
  });

/** A space is a link, too: both lists, and what is shown of the links elsewhere, follow. */
const reload = (queries: QueryClient): Promise<unknown> =>
  Promise.all([
    queries.invalidateQueries({ queryKey: spaceList.queryKey }),
    queries.invalidateQueries({ queryKey: ['links'] }),
    queries.invalidateQueries({ queryKey: ['picker', 'links'] }),
  ]);

export const useCreateSpace = () => useMutation({ mutationFn: (payload: Payload<typeof createSpace>) => send(createSpace, payload) });

/** Asks for the spaces again, once a dialog has done its work. */
export function useReloadSpaces(): () => void {
  const queries = useQueryClient();
  return () => void reload(queries);
}

/** Renames a space for everybody. */
export function useRenameSpace(spaceOid: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => send(updateSpace, { spaceOid, spaceName: name, description: name }),
    onSuccess: () => reload(queries),
  });
}

/** Puts a space onto another folder. */
export function useMoveSpace(spaceOid: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (storageLinkUri: string) => send(updateSpace, { spaceOid, storageLinkUri }),
    onSuccess: () => reload(queries),
  });
}

/** Renames a space for the user alone. */
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

/** Changes a role; the list shows it at once, and what it was when the server says no. */
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
    onError: (error) => notifyError(`Cannot change the role. ${messageOf(error)}`),
    onSettled: () => queries.invalidateQueries({ queryKey }),
  });
}

export function useRemoveMember(spaceOid: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (memberId: string) => send(removeSpaceMember, { spaceOid, memberId }),
    onError: (error) => notifyError(`Cannot remove. ${messageOf(error)}`),
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
