import {
  type InputOf,
  type SignInProvider,
  addPasskey,
  beginPasskey,
  beginTotp,
  closeAccount,
  confirmTotp,
  getClosing,
  linkIdentity,
  proofOptions,
  prove,
  removePasskey,
  removePassword,
  removeTotp,
  renamePasskey,
  renewRecoveryCodes,
  setPassword,
  signInWays,
  unlinkIdentity,
} from '@sheaf/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { askPasskey, makePasskey } from '#/features/accounts/passkey.ts';
import { sessionList } from '#/features/accounts/queries.ts';
import { send } from '#/lib/http/send.ts';
import { tellTabs } from '#/lib/session/other-tabs.ts';
import { useWithProof } from '#/lib/session/proof.ts';
import { refreshSession } from '#/lib/session/session.ts';

/** The account's ways to sign in. */
export const signInWayList = queryOptions({ queryKey: ['sign-in-ways'], queryFn: ({ signal }) => send(signInWays, {}, signal) });

/** A change of the ways to sign in. Its answer may hold values that are shown once, and is not cached. */
function useChange<Input, Reply>(change: (input: Input) => Promise<Reply>) {
  const queries = useQueryClient();
  const withProof = useWithProof();
  return useMutation({
    mutationFn: (input: Input) => withProof(() => change(input)),
    gcTime: 0,
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: signInWayList.queryKey });
      await queries.invalidateQueries({ queryKey: sessionList.queryKey });
    },
  });
}

export const useSetPassword = () =>
  useChange(async (input: { newPassword: string; keepAuthCodes: boolean }) => {
    await send(setPassword, input);
    // The pending address was withdrawn.
    await refreshSession();
  });
export const useRemovePassword = () => useChange(() => send(removePassword, {}));
export const useUnlinkIdentity = () => useChange((identityId: string) => send(unlinkIdentity, { identityId }));
/** Leaves for the provider, which returns to the profile. */
export const useLinkIdentity = () =>
  useChange(async (provider: SignInProvider) => location.assign((await send(linkIdentity, { provider })).url));

export const useBeginTotp = () => useChange(() => send(beginTotp, {}));
export const useConfirmTotp = () => useChange((code: string) => send(confirmTotp, { code }));
export const useRemoveTotp = () => useChange(() => send(removeTotp, {}));
export const useAddPasskey = () =>
  useChange(async (name: string) => send(addPasskey, { name, attestation: await makePasskey((await send(beginPasskey, {})).options) }));
export const useRenamePasskey = () => useChange((input: { passkeyId: string; name: string }) => send(renamePasskey, input));
export const useRemovePasskey = () => useChange((passkeyId: string) => send(removePasskey, { passkeyId }));
export const useRenewRecoveryCodes = () => useChange(() => send(renewRecoveryCodes, {}));

/** Reauthenticates by password, code or recovery code or, without any, by a passkey. */
export const useProve = () =>
  useMutation({
    mutationFn: async (proof: Pick<InputOf<typeof prove>, 'password' | 'code' | 'recoveryCode'>) => {
      const given = Object.keys(proof).length > 0;
      const passkey = given ? {} : { assertion: await askPasskey((await send(proofOptions, {})).options) };
      return send(prove, { ...proof, ...passkey });
    },
  });

/** What would end with the account. */
export const closingPreview = queryOptions({
  queryKey: ['closing'],
  queryFn: ({ signal }) => send(getClosing, {}, signal),
  gcTime: 0,
});

/** Asks to close the account; all its sessions end, including this one. */
export function useCloseAccount() {
  const withProof = useWithProof();
  return useMutation({
    mutationFn: (farewell: { readonly email: string; readonly password?: string }) => withProof(() => send(closeAccount, farewell)),
    onSuccess: () => tellTabs('signedOut'),
  });
}
