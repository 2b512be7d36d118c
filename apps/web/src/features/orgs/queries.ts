import {
  type GivenOrgRole,
  acceptOrgInvitation,
  changeOrgMember,
  closeOrg,
  cookies,
  declineOrgInvitation,
  getShop,
  inviteToOrg,
  leaveOrg,
  listOrgMembers,
  listOrgs,
  removeOrgMember,
  renameOrg,
  showOrg,
  showOrgInvitation,
  transferOrg,
} from '@sheaf/contract';
import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { readCookie } from '#/lib/http/cookie.ts';
import { send } from '#/lib/http/send.ts';
import { refreshSession } from '#/lib/session/session.ts';

/** The user's organisations, and the invitations that wait for an answer. */
export const orgList = queryOptions({ queryKey: ['orgs', 'list'], queryFn: ({ signal }) => send(listOrgs, {}, signal) });

export const memberList = (orgOid: string) =>
  queryOptions({ queryKey: ['orgs', 'members', orgOid], queryFn: ({ signal }) => send(listOrgMembers, { orgOid }, signal) });

/** What an invitation is to. */
export const invitation = (token: string) =>
  queryOptions({
    queryKey: ['org-invitation', token],
    queryFn: ({ signal }) => send(showOrgInvitation, { token }, signal),
    gcTime: 0,
  });

/** Whether anything costs money on this installation; undefined while that is not known. */
export function usePaysHere(): boolean | undefined {
  const { data } = useQuery({ queryKey: ['purchase', 'shop'], queryFn: ({ signal }) => send(getShop, {}, signal) });
  return data && data.tokenizer.mode !== 'off';
}

/** Whether another organisation of the user's would begin without the free trial, because they had it; undefined until that is known. */
export function useHadTrial(): boolean | undefined {
  const { data: shop } = useQuery({ queryKey: ['purchase', 'shop'], queryFn: ({ signal }) => send(getShop, {}, signal) });
  const { data: list } = useQuery(orgList);
  if (!shop || !list) return undefined;
  const isOwner = list.orgs.some(({ role }) => role === 'owner');
  return !isOwner && !shop.orgTrialEligible && shop.tokenizer.mode !== 'off';
}

/** Whatever changes a membership changes what there is to see: the organisations, their people, their links. */
async function orgsChanged(queries: QueryClient): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: ['orgs'] }),
    queries.invalidateQueries({ queryKey: ['links'] }),
    refreshSession(),
  ]);
}

/**
 * A change to an organisation. `done` hears of it before anything is loaded anew, also where that takes away whatever asked for the change, as the
 * row of an organisation that was left.
 */
export function useOrgChange<Input>(change: (input: Input) => Promise<unknown>, done?: (input: Input) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (_answer, input) => {
      done?.(input);
      return orgsChanged(queries);
    },
  });
}

/** Makes an organisation; `trialDays` as the address that led here asks for. */
export const useEnableOrg = () =>
  useOrgChange((trialDays: number | undefined) =>
    send(showOrg, { ...(trialDays !== undefined && { trialDays }), track: readCookie(cookies.track) ?? '' }),
  );

/** Who invites, and whose roles change. */
interface Given {
  readonly memberId: string;
  readonly role: GivenOrgRole;
}

export function useInvite(orgOid: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ emails, role }: { emails: string; role: GivenOrgRole }) => send(inviteToOrg, { orgOid, emails, role }),
    // Even where one address was refused, others may have been invited.
    onSettled: () => orgsChanged(queries),
  });
}
export const useChangeRole = (orgOid: string) =>
  useOrgChange(({ memberId, role }: Given) => send(changeOrgMember, { orgOid, memberId, role }));
export const useRemoveMember = (orgOid: string) => useOrgChange((memberId: string) => send(removeOrgMember, { orgOid, memberId }));
export const useTransfer = (orgOid: string) => useOrgChange((memberId: string) => send(transferOrg, { orgOid, memberId }));
export const useRename = (orgOid: string, done: () => void) =>
  useOrgChange((newName: string) => send(renameOrg, { orgOid, newName }), done);
export const useLeaveOrg = (orgOid: string, done: () => void) => useOrgChange(() => send(leaveOrg, { orgOid }), done);
export const useCloseOrg = (orgOid: string, done: () => void) => useOrgChange((name: string) => send(closeOrg, { orgOid, name }), done);

/** What names an invitation: the token of its mail, or its id where its address is known to be the user's. */
export type InvitationRef = { readonly token: string } | { readonly invitationId: string };
export const useAccept = (done: () => void) => useOrgChange((ref: InvitationRef) => send(acceptOrgInvitation, ref), done);
export const useDecline = () => useOrgChange((ref: InvitationRef) => send(declineOrgInvitation, ref));
