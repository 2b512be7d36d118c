import { type GivenOrgRole, createScimToken, revokeScimToken, setDirectoryGroupRole, showDirectory } from '@sheaf/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useOrgChange } from '#/features/orgs/queries.ts';
import { send } from '#/lib/http/send.ts';
import { useWithProof } from '#/lib/session/proof.ts';

/** People and groups that a directory has added to an organisation, and its tokens. */
export const directoryOf = (orgOid: string) =>
  queryOptions({ queryKey: ['orgs', 'directory', orgOid], queryFn: ({ signal }) => send(showDirectory, { orgOid }, signal) });

export function useCreateToken(orgOid: string) {
  const queries = useQueryClient();
  const withProof = useWithProof();
  return useMutation({
    mutationFn: (name: string) => withProof(() => send(createScimToken, { orgOid, name })),
    gcTime: 0,
    onSuccess: () => queries.invalidateQueries({ queryKey: directoryOf(orgOid).queryKey }),
  });
}
export const useRevokeToken = (orgOid: string) => useOrgChange((tokenId: string) => send(revokeScimToken, { orgOid, tokenId }));

/** A group of the directory, and the role to give. */
interface Given {
  readonly groupId: string;
  readonly role: GivenOrgRole;
}
export const useGroupRole = (orgOid: string) => useOrgChange((given: Given) => send(setDirectoryGroupRole, { orgOid, ...given }));
