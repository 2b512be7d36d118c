import { type InputOf, invitePeople, listSignUpInvitations, withdrawSignUpInvitation } from '@sheaf/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { send } from '#/lib/http/send.ts';

/** Invitations to create an account that still work. */
export const openInvitations = () =>
  queryOptions({ queryKey: ['sign-up-invitations'], queryFn: ({ signal }) => send(listSignUpInvitations, {}, signal) });

/** Invites people by mail, or makes a link to copy. */
export function useInvitePeople() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Omit<InputOf<typeof invitePeople>, 'rTag'>) => send(invitePeople, input),
    gcTime: 0,
    onSettled: () => client.invalidateQueries({ queryKey: openInvitations().queryKey }),
  });
}

export function useWithdrawInvitation() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (invitationId: string) => send(withdrawSignUpInvitation, { invitationId }),
    onSettled: () => client.invalidateQueries({ queryKey: openInvitations().queryKey }),
  });
}
