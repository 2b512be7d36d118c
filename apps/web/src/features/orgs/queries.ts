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

/** The user's organisations and pending invitations. */
export const orgList = queryOptions({ queryKey: ['orgs', 'list'], queryFn: ({ signal }) => send(listOrgs, {}, signal) });

export const memberList = (orgOid: string) =>
  queryOptions({ queryKey: ['orgs', 'members', orgOid], queryFn: ({ signal }) => send(listOrgMembers, { orgOid }, signal) });

/** Details of an invitation. */
export const invitation = (token: string) =>
  queryOptions({
    queryKey: ['org-invitation', token],
    queryFn: ({ signal }) => send(showOrgInvitation, { token }, signal),
    gcTime: 0,
  });

/** Whether billing is on; undefined until it is known. */
export function usePaysHere(): boolean | undefined {
  const { data } = useQuery({ queryKey: ['purchase', 'shop'], queryFn: ({ signal }) => send(getShop, {}, signal) });
  return data && data.tokenizer.mode !== 'off';
}

/** Whether the user has had the free trial of an organisation; undefined until it is known. */
export function useHadTrial(): boolean | undefined {
  const { data: shop } = useQuery({ queryKey: ['purchase', 'shop'], queryFn: ({ signal }) => send(getShop, {}, signal) });
  const { data: list } = useQuery(orgList);
  if (!shop || !list) return undefined;
  const isOwner = list.orgs.some(({ role }) => role === 'owner');
  return !isOwner && !shop.orgTrialEligible && shop.tokenizer.mode !== 'off';
}

/** Reloads everything that depends on memberships: organisations, members, links. */
async function orgsChanged(queries: QueryClient): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: ['orgs'] }),
    queries.invalidateQueries({ queryKey: ['links'] }),
    refreshSession(),
  ]);
}

/**
 * A change to an organisation. Calls `done` before anything is reloaded, because the reload may unmount the caller, as the row of an organisation
 * that was left.
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

/** Creates an organisation; `trialDays` comes from the address. */
export const useEnableOrg = () =>
  useOrgChange((trialDays: number | undefined) =>
    send(showOrg, { ...(trialDays !== undefined && { trialDays }), track: readCookie(cookies.track) ?? '' }),
  );

/** The organisation and the role to give. */
interface Given {
  readonly memberId: string;
  readonly role: GivenOrgRole;
}

export function useInvite(orgOid: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ emails, role }: { emails: string; role: GivenOrgRole }) => send(inviteToOrg, { orgOid, emails, role }),
    // Some addresses may have been invited even if one was refused.
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

/** Reference to an invitation: the mailed token, or its id if its address is verified. */
export type InvitationRef = { readonly token: string } | { readonly invitationId: string };
export const useAccept = (done: () => void) => useOrgChange((ref: InvitationRef) => send(acceptOrgInvitation, ref), done);
export const useDecline = () => useOrgChange((ref: InvitationRef) => send(declineOrgInvitation, ref));
