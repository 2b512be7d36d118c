import { encryptionRootUri, listEncryption } from '@sheaf/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { send } from './http/send.ts';

/** The encrypted folders, and whether their root is shown among the links. */
export const encryptionList = queryOptions({
  queryKey: ['encryption'],
  queryFn: ({ signal }) => send(listEncryption, {}, signal),
});

/** The root of the encrypted folders as a top-level folder; undefined while it is hidden or unknown. */
export function useEncryptionRoot(): { readonly name: string; readonly linkUri: string } | undefined {
  const isShown = useQuery(encryptionList).data?.rootView === true;
  return isShown ? { name: 'Encryption', linkUri: encryptionRootUri } : undefined;
}
