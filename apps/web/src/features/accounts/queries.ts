import {
  type InputOf,
  type SignInAnswer,
  confirmSignup,
  emailLogin,
  emailSignup,
  expireSessions,
  forgotPassword,
  isSession,
  listSessions,
  passkeyLogin,
  passkeyOptions,
  reopenAccount,
  resendVerification,
  resetPassword,
  secondFactor,
  updateMember,
  verifyEmail,
} from '@sheaf/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { send } from '#/lib/http/send.ts';
import { tellTabs } from '#/lib/session/other-tabs.ts';
import { useWithProof } from '#/lib/session/proof.ts';
import { refreshSession, sessionQuery } from '#/lib/session/session.ts';
import { askPasskey } from './passkey.ts';

/** A way of signing in; once there is a session, whoever was signed in before leaves nothing behind. */
function useEnter<Input>(enter: (input: Input) => Promise<SignInAnswer>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: enter,
    gcTime: 0,
    onSuccess: async (answer) => {
      if (!isSession(answer)) return;
      queries.removeQueries({ predicate: ({ queryKey }) => queryKey !== sessionQuery.queryKey });
      await refreshSession();
      tellTabs('signedIn');
    },
  });
}

export const useSignIn = () => useEnter((input: InputOf<typeof emailLogin>) => send(emailLogin, input));

/** Signs in with a passkey alone, which the browser lets the user choose. */
export const usePasskeyLogin = () =>
  useEnter(async () => send(passkeyLogin, { assertion: await askPasskey((await send(passkeyOptions, {})).options) }));

/** The second step with a code of either kind, or, without one, with a passkey. */
export const useSecondFactor = (ticket: string) =>
  useEnter(async (answer: { readonly code?: string; readonly recoveryCode?: string }) => {
    const given = answer.code !== undefined || answer.recoveryCode !== undefined;
    const passkey = given ? {} : { assertion: await askPasskey((await send(passkeyOptions, { ticket })).options) };
    return send(secondFactor, { ticket, ...answer, ...passkey });
  });

/** Keeps an account that is about to be closed. */
export const useReopen = () => useEnter((ticket: string) => send(reopenAccount, { ticket }));

/** Opens an account and signs in; or mails a link that does so. */
export function useSignUp() {
  return useMutation({
    mutationFn: (input: InputOf<typeof emailSignup>) => send(emailSignup, input),
    onSuccess: async (answer) => {
      if (!isSession(answer)) return;
      await refreshSession();
      tellTabs('signedIn');
    },
  });
}

/** Opens the account that a mailed link is for, signs in and goes to `target`. */
export const useConfirmSignUp = (target: string) =>
  useMutation({
    mutationFn: (input: InputOf<typeof confirmSignup>) => send(confirmSignup, input),
    gcTime: 0,
    onSuccess: (answer) => {
      if (!isSession(answer)) return;
      tellTabs('signedIn');
      // Loaded anew: the frame of a signed-in user would mount this page again, which would spend its link a second time.
      location.replace(target);
    },
  });

export const useForgotPassword = () => useMutation({ mutationFn: (email: string) => send(forgotPassword, { email }) });
export const useResetPassword = () => useMutation({ mutationFn: (input: InputOf<typeof resetPassword>) => send(resetPassword, input) });
export const useResendVerification = () => useMutation({ mutationFn: () => send(resendVerification, {}) });

/** Confirms an e-mail address; the session then knows it as verified, or that it waits no more. */
export const useVerifyEmail = () =>
  useMutation({ mutationFn: (token: string) => send(verifyEmail, { token }), onSettled: () => refreshSession() });

/** Changes name or e-mail address of the account. */
export function useUpdateMember() {
  const withProof = useWithProof();
  return useMutation({
    mutationFn: (change: { newName?: string; newEmail?: string }) => withProof(() => send(updateMember, change)),
    onSuccess: () => refreshSession(),
  });
}

export const sessionList = queryOptions({ queryKey: ['sessions'], queryFn: ({ signal }) => send(listSessions, {}, signal) });

/** Ends the session given, or all but this one. */
export function useExpireSessions() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (sessionId?: string) => send(expireSessions, sessionId === undefined ? {} : { sessionId }),
    onSettled: () => queries.invalidateQueries({ queryKey: sessionList.queryKey }),
  });
}
