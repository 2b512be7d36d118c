import {
  type AppPassword,
  type InputOf,
  type ReplyOf,
  addSshKey,
  allLinks,
  createAppPassword,
  deleteAppPassword,
  listAppPasswords,
  parseLinkUri,
  programAddresses,
} from '@sheaf/contract';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { errorText } from '#/lib/http/error-text.ts';
import { send } from '#/lib/http/send.ts';
import { useWithProof } from '#/lib/session/proof.ts';
import { notifyError } from '#/ui/feedback/notify.ts';

export type NewSecrets = ReplyOf<typeof createAppPassword>;

export const appPasswordList = queryOptions({ queryKey: ['app-passwords'], queryFn: ({ signal }) => send(listAppPasswords, {}, signal) });

/** Where programs find a link. */
export const addressesOf = (userLinkId: string) =>
  queryOptions({ queryKey: ['program-addresses', userLinkId], queryFn: ({ signal }) => send(programAddresses, { userLinkId }, signal) });

/** Makes an app password; its secrets can be shown only from this result. */
export function useCreateAppPassword() {
  const queries = useQueryClient();
  const withProof = useWithProof();
  return useMutation({
    mutationFn: (input: InputOf<typeof createAppPassword>) => withProof(() => send(createAppPassword, input)),
    gcTime: 0,
    onSuccess: () => queries.invalidateQueries({ queryKey: appPasswordList.queryKey }),
  });
}

export function useAddSshKey() {
  const queries = useQueryClient();
  const withProof = useWithProof();
  return useMutation({
    mutationFn: (input: InputOf<typeof addSshKey>) => withProof(() => send(addSshKey, input)),
    gcTime: 0,
    onSuccess: () => queries.invalidateQueries({ queryKey: appPasswordList.queryKey }),
  });
}

export function useRevokeAppPassword() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (appPasswordId: string) => send(deleteAppPassword, { appPasswordId }),
    onError: (error) => notifyError(`Cannot revoke it. ${errorText(error)}`),
    onSettled: () => queries.invalidateQueries({ queryKey: appPasswordList.queryKey }),
  });
}

/** Returns what an app password or agent opens, in words: names of links, and folders in them. */
export function usePlaceWords(): (password: Pick<AppPassword, 'linkUris'>) => string {
  const { data } = useQuery(queryOptions({ queryKey: ['links'], queryFn: ({ signal }) => send(allLinks, {}, signal) }));
  const names = new Map(data?.activeSources.flatMap(({ links }) => links.map(({ userLinkId, name }) => [userLinkId, name] as const)));
  return ({ linkUris }) => {
    if (linkUris.length === 0) return 'Everything';
    const places = linkUris.map((linkUri) => {
      const address = parseLinkUri(linkUri);
      const name = names.get(address?.userLinkId ?? '') ?? 'A link';
      return !address || address.path === '/' ? name : `${name}${address.path.replaceAll('/', ' / ')}`;
    });
    return places.join(', ');
  };
}
